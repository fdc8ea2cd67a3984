package x86

// Reg is a general register, numbered as the processor numbers it.
type Reg uint8

// The general registers. An operand size selects RAX, EAX, AX or AL.
const (
	RAX Reg = iota
	RCX
	RDX
	RBX
	RSP
	RBP
	RSI
	RDI
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15
)

// Width is the width of a vector operation.
type Width uint8

// The widths: 128, 256 and 512 bits.
const (
	X Width = iota
	Y
	Z
)

// Operand is a register, a memory location or an immediate. The zero Operand is none of them.
type Operand struct {
	kind  kind
	reg   uint8 // the register, or the base of a memory location
	index uint8 // the index register of a memory location
	scale uint8 // log2 of the scale
	flags memFlags
	val   int64 // the immediate, the displacement, the offset in the pool, or the label
}

// kind distinguishes operands.
type kind uint8

const (
	none kind = iota
	general
	vector
	mask
	immediate
	memory
)

// memFlags qualify a memory operand.
type memFlags uint8

const (
	hasIndex  memFlags = 1 << iota // a general register is the index
	hasVector                      // a vector register is the index
	broadcast                      // one element is read and repeated
	toPool                         // val is an offset in the constant pool, relative to RIP
	toLabel                        // val is a label, relative to RIP
)

// R is the general register r.
func R(r Reg) Operand { return Operand{kind: general, reg: uint8(r)} }

// V is the vector register n: 0 to 31, or 0 to 15 in instructions that are VEX-encoded.
func V(n uint8) Operand { return Operand{kind: vector, reg: n} }

// K is the mask register n: 0 to 7.
func K(n uint8) Operand { return Operand{kind: mask, reg: n} }

// Imm is the immediate v.
func Imm(v int64) Operand { return Operand{kind: immediate, val: v} }

// At is the memory at base + disp.
func At(base Reg, disp int32) Operand {
	return Operand{kind: memory, reg: uint8(base), val: int64(disp)}
}

// Index adds the general register r times scale to the address. The scale is 1, 2, 4 or 8. RSP
// cannot be an index.
func (o Operand) Index(r Reg, scale uint8) Operand {
	if r == RSP {
		panic("x86: RSP as an index")
	}
	return o.indexed(hasIndex, uint8(r), scale)
}

// Gather adds the elements of the vector register v, times scale, to the address: each lane has its
// own. The scale is 1, 2, 4 or 8.
func (o Operand) Gather(v uint8, scale uint8) Operand {
	return o.indexed(hasVector, v, scale)
}

// indexed returns o with an index register.
func (o Operand) indexed(flag memFlags, reg, scale uint8) Operand {
	if o.kind != memory || o.flags&(toPool|toLabel|hasIndex|hasVector) != 0 {
		panic("x86: an index on an operand that takes none")
	}
	switch scale {
	case 1:
		o.scale = 0
	case 2:
		o.scale = 1
	case 4:
		o.scale = 2
	case 8:
		o.scale = 3
	default:
		panic("x86: a scale other than 1, 2, 4, 8")
	}
	o.flags |= flag
	o.index = reg
	return o
}

// Bcst is the operand o with embedded broadcast: the instruction reads one element of memory and
// uses it in all lanes. EVEX only.
func (o Operand) Bcst() Operand {
	if o.kind != memory {
		panic("x86: broadcast of an operand that is not memory")
	}
	o.flags |= broadcast
	return o
}

// Disp adds d to the address of a memory operand, as to reach the next field or row.
func (o Operand) Disp(d int32) Operand {
	if o.kind != memory || o.flags&toLabel != 0 {
		panic("x86: a displacement on an operand that takes none")
	}
	v := o.val + int64(d)
	if int64(int32(v)) != v {
		panic("x86: displacement overflows 32 bits")
	}
	o.val = v
	return o
}
