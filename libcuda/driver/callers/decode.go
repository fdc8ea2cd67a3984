package callers

// instruction is what look.go asks of an instruction of the host: whether it reads the register in
// which calls return their result, and where the program goes on. Any width counts as the whole
// register.
type instruction struct {
	size   int
	reads  bool // the register, or may
	writes bool // the register, without reading it first
	goes   flow
	to     int // of a jump or branch: bytes from the end of the instruction
}

// flow is how the program goes on.
type flow uint8

const (
	goesOn flow = iota
	jumps
	branches
	calls
	returns
	stops // never goes on
)

// decoder takes an instruction apart that x86 processors run in 64-bit or 32-bit mode.
type decoder struct {
	code    []byte
	at      int
	wide    bool // 64-bit mode
	rex     byte
	narrow  bool // operands of 16 bits
	ok      bool
	mod, rm byte // of the second byte
	reg     byte // with the extension
	base    bool // the address reads the register
}

// decode returns the first instruction of code; ok is false if it is not known.
func decode(code []byte, wide bool) (i instruction, ok bool) {
	d := &decoder{code: code, wide: wide, ok: true}
	i = d.instruction()
	i.size = d.at
	return i, d.ok
}

// next returns the next byte.
func (d *decoder) next() byte {
	if d.at >= len(d.code) {
		d.ok = false
		return 0
	}
	d.at++
	return d.code[d.at-1]
}

// number returns the next n bytes as a signed number.
func (d *decoder) number(n int) (v int) {
	for i := range n {
		v |= int(d.next()) << (8 * i)
	}
	shift := 64 - 8*n
	return int(int64(v) << shift >> shift)
}

// word is the size of an immediate operand that is not a byte.
func (d *decoder) word() int {
	if d.narrow {
		return 2
	}
	return 4
}

// modrm reads the bytes that name the operands: a register, and a register or an address.
func (d *decoder) modrm() {
	b := d.next()
	d.mod, d.rm = b>>6, b&7
	d.reg = b>>3&7 | d.rex&4<<1
	if d.mod == 3 {
		d.rm |= d.rex & 1 << 3
		return
	}
	displacement := [3]int{0, 1, 4}[d.mod]
	if d.rm == 4 {
		s := d.next()
		index, base := s>>3&7|d.rex&2<<2, s&7
		d.base = index == 0
		if base == 5 && d.mod == 0 {
			displacement = 4
		} else if base|d.rex&1<<3 == 0 {
			d.base = true
		}
	} else if d.rm == 5 && d.mod == 0 {
		displacement = 4
	} else {
		d.base = d.rm|d.rex&1<<3 == 0
	}
	d.number(displacement)
}

// isRM reports whether the second operand is the register.
func (d *decoder) isRM() bool { return d.mod == 3 && d.rm == 0 }

// readsRM reports whether reading the second operand reads the register.
func (d *decoder) readsRM() bool { return d.base || d.isRM() }

// takes is an instruction that reads both operands.
func (d *decoder) takes() instruction {
	return instruction{reads: d.readsRM() || d.reg == 0}
}

// loads is an instruction that writes its first operand and reads the second.
func (d *decoder) loads() instruction {
	return instruction{reads: d.readsRM(), writes: d.reg == 0}
}

// sets is an instruction that writes its second operand.
func (d *decoder) sets() instruction {
	return instruction{reads: d.base, writes: d.isRM()}
}

// instruction reads prefixes and the first byte of an instruction.
func (d *decoder) instruction() instruction {
	op := d.next()
	for ; d.prefix(op); op = d.next() {
	}
	if d.wide && op>>4 == 4 {
		d.rex = op
		op = d.next()
	}
	switch {
	case op == 0x0f:
		return d.second(d.next())
	case op < 0x40:
		return d.arithmetic(op)
	case op < 0x60:
		return d.stack(op)
	case op < 0x90:
		return d.middle(op)
	case op >= 0xb0 && op < 0xc0:
		return d.constant(op)
	}
	return d.last(op)
}

// prefix reports whether b is a prefix, and notes it.
func (d *decoder) prefix(b byte) bool {
	switch b {
	case 0x66:
		d.narrow = true
	case 0xf0, 0xf2, 0xf3, 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65:
	default:
		return false
	}
	return d.ok
}

// unknown is an instruction of which nothing is known.
func (d *decoder) unknown() (none instruction) {
	d.ok = false
	return none
}

// arithmetic has the first 64 codes: add, or, adc, sbb, and, sub, xor and cmp.
func (d *decoder) arithmetic(op byte) instruction {
	const or, sbb, sub, xor = 1, 3, 5, 6
	switch kind := op >> 3; op & 7 {
	case 0, 1, 2, 3:
		d.modrm()
		if (kind == sbb || kind == sub || kind == xor) && d.mod == 3 && d.rm == d.reg {
			return instruction{writes: d.isRM()}
		}
		return d.takes()
	case 4:
		d.number(1)
		return instruction{reads: true}
	case 5:
		d.number(d.word())
		return instruction{reads: true}
	}
	return d.unknown()
}

// stack has inc, dec, push and pop of a register.
func (d *decoder) stack(op byte) instruction {
	first := op&7|d.rex&1<<3 == 0
	if op < 0x58 {
		return instruction{reads: first}
	}
	return instruction{writes: first}
}

// constant moves a number into a register.
func (d *decoder) constant(op byte) instruction {
	size := 1
	if op >= 0xb8 {
		size = d.word()
		if d.rex&8 != 0 {
			size = 8
		}
	}
	d.number(size)
	high := op == 0xb4 && d.rex == 0 // bits 8 to 15 of the register
	return instruction{reads: high, writes: op&7|d.rex&1<<3 == 0}
}

// middle has the codes 0x60 to 0x8f.
func (d *decoder) middle(op byte) instruction {
	switch {
	case op == 0x63 && d.wide:
		d.modrm()
		return d.loads()
	case op == 0x68:
		d.number(d.word())
		return instruction{}
	case op == 0x6a:
		d.number(1)
		return instruction{}
	case op == 0x69, op == 0x6b:
		d.modrm()
		d.number(map[bool]int{true: 1, false: d.word()}[op == 0x6b])
		return d.loads()
	case op>>4 == 7:
		return instruction{goes: branches, to: d.number(1)}
	case op == 0x81:
		d.modrm()
		d.number(d.word())
		return instruction{reads: d.readsRM()}
	case op == 0x80, op == 0x83:
		d.modrm()
		d.number(1)
		return instruction{reads: d.readsRM()}
	case op >= 0x84 && op <= 0x87:
		d.modrm()
		return d.takes()
	case op == 0x88, op == 0x89:
		d.modrm()
		i := d.sets()
		i.reads = i.reads || d.reg == 0
		return i
	case op == 0x8a, op == 0x8b:
		d.modrm()
		return d.loads()
	case op == 0x8d:
		d.modrm()
		return instruction{reads: d.base, writes: d.reg == 0}
	}
	return d.unknown()
}

// last has the codes from 0x90 on but moves of numbers.
func (d *decoder) last(op byte) instruction {
	switch op {
	case 0x90:
		return instruction{reads: d.rex&1 != 0}
	case 0xa8:
		d.number(1)
		return instruction{reads: true}
	case 0xa9:
		d.number(d.word())
		return instruction{reads: true}
	case 0xc0, 0xc1:
		d.modrm()
		d.number(1)
		return instruction{reads: d.readsRM()}
	case 0xd0, 0xd1, 0xd2, 0xd3:
		d.modrm()
		return instruction{reads: d.readsRM()}
	case 0xc2, 0xc3:
		return instruction{goes: returns}
	case 0xc6, 0xc7:
		d.modrm()
		d.number(map[bool]int{true: 1, false: d.word()}[op == 0xc6])
		return d.sets()
	case 0xc9:
		return instruction{}
	case 0xcc, 0xf4:
		return instruction{goes: stops}
	case 0xe8:
		d.number(4)
		return instruction{goes: calls}
	case 0xe9:
		return instruction{goes: jumps, to: d.number(4)}
	case 0xeb:
		return instruction{goes: jumps, to: d.number(1)}
	case 0xf6, 0xf7:
		return d.unary(op)
	case 0xfe, 0xff:
		return d.indirect()
	}
	return instruction{reads: true} // the register, or unknown: the same for who asks
}

// unary has test with a number, not, neg, and multiplications and divisions of the register.
func (d *decoder) unary(op byte) instruction {
	d.modrm()
	if d.reg&7 < 2 {
		d.number(map[bool]int{true: 1, false: d.word()}[op == 0xf6])
	}
	return instruction{reads: d.readsRM() || d.reg&7 >= 4}
}

// indirect has inc, dec, calls and jumps to an address in memory or a register, and push.
func (d *decoder) indirect() instruction {
	const call, jump, push = 2, 4, 6
	d.modrm()
	i := instruction{reads: d.readsRM()}
	switch d.reg & 7 {
	case 0, 1, push:
	case call:
		i.goes = calls
	case jump:
		i.reads = true // nobody knows where to
	default:
		return d.unknown()
	}
	return i
}

// second has the codes behind 0x0f.
func (d *decoder) second(op byte) instruction {
	switch {
	case op == 0x0b:
		return instruction{goes: stops}
	case op>>4 == 8:
		return instruction{goes: branches, to: d.number(4)}
	case op >= 0x18 && op <= 0x1f: // hints
		d.modrm()
		return instruction{}
	case op>>4 == 9: // a condition
		d.modrm()
		return d.sets()
	case op>>4 == 4, op == 0xa3, op == 0xab, op == 0xaf, op == 0xb3, op == 0xbb: // conditional moves, bits, imul
		d.modrm()
		return d.takes()
	case op == 0xb6, op == 0xb7, op == 0xbe, op == 0xbf:
		d.modrm()
		return d.loads()
	case op == 0xba:
		d.modrm()
		d.number(1)
		return instruction{reads: d.readsRM()}
	}
	return d.vector(op)
}

// vector has the instructions of the vector registers.
func (d *decoder) vector(op byte) instruction {
	switch {
	case op == 0x2a, op == 0x6e: // from a register
		d.modrm()
		return instruction{reads: d.readsRM()}
	case op == 0x2c, op == 0x2d, op == 0x50, op == 0xd7: // to a register
		d.modrm()
		return instruction{reads: d.base, writes: d.reg == 0}
	case op == 0x7e:
		d.modrm()
		return instruction{reads: d.base}
	case op >= 0x70 && op <= 0x73, op == 0xc2, op == 0xc6:
		d.modrm()
		d.number(1)
		return instruction{reads: d.base}
	case op >= 0x10 && op <= 0x17, op == 0x28, op == 0x29, op == 0x2e, op == 0x2f, op > 0x50 && op < 0x80 && op != 0x77, op >= 0xd0 && op != 0xff:
		d.modrm()
		return instruction{reads: d.base}
	}
	return d.unknown()
}
