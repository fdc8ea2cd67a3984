package x86

import (
	"encoding/binary"
	"slices"
)

// Assembler appends encoded instructions to a slice of bytes. Its methods panic when the processor
// has no such instruction: that is a mistake of the caller, not of any input.
type Assembler struct {
	evex   bool
	buf    []byte
	labels []int32 // the position of each label, or unbound
	fixups []fixup
	pool   pool
}

// fixup is a relative displacement of 32 bits that awaits the position of its target. The four
// bytes hold an addend of the difference.
type fixup struct {
	at     int32 // the position of the displacement
	target int32 // a label, or an offset in the constant pool
	pool   bool
}

// New returns an empty assembler. If evex is true, vector instructions have EVEX encodings
// (AVX-512) where one exists; otherwise they have VEX encodings (AVX2).
func New(evex bool) *Assembler {
	return &Assembler{evex: evex}
}

// Grow makes room for about so many bytes of code.
func (a *Assembler) Grow(code int) {
	a.buf = slices.Grow(a.buf, code)
	a.fixups = slices.Grow(a.fixups, code/bytesPerFixup)
}

// bytesPerFixup is how many bytes of code refer to a label or a constant once, or more.
const bytesPerFixup = 16

// EVEX tells whether vector instructions have EVEX encodings.
func (a *Assembler) EVEX() bool { return a.evex }

// Reset forgets all code, labels and constants, and keeps the memory for the next use. The slice
// that Finish returned is overwritten by what follows.
func (a *Assembler) Reset() {
	a.buf = a.buf[:0]
	a.labels = a.labels[:0]
	a.fixups = a.fixups[:0]
	a.pool.reset()
}

// Pos is the number of bytes of code so far: the offset of the next instruction.
func (a *Assembler) Pos() int { return len(a.buf) }

// Finish appends the constant pool, resolves all references and returns code and pool. The slice
// belongs to the assembler and is valid until Reset. The code runs at any address that is a
// multiple of the largest alignment of a constant. A label that is used but not bound panics. After
// Finish the assembler takes no code until Reset.
func (a *Assembler) Finish() []byte {
	start := a.placePool()
	for _, f := range a.fixups {
		var to int
		if f.pool {
			to = start + int(f.target)
		} else {
			to = a.Offset(Label(f.target))
		}
		field := a.buf[f.at : f.at+4]
		rel := int32(binary.LittleEndian.Uint32(field)) + int32(to) - f.at - 4
		binary.LittleEndian.PutUint32(field, uint32(rel))
	}
	a.fixups = a.fixups[:0]
	return a.buf
}

func (a *Assembler) byte1(b byte) { a.buf = append(a.buf, b) }

// imm appends an immediate of size bytes: 1, 2, 4 or 8.
func (a *Assembler) imm(v int64, size int) {
	switch size {
	case 1:
		a.buf = append(a.buf, byte(v))
	case 2:
		a.buf = binary.LittleEndian.AppendUint16(a.buf, uint16(v))
	case 4:
		a.buf = binary.LittleEndian.AppendUint32(a.buf, uint32(v))
	case 8:
		a.buf = binary.LittleEndian.AppendUint64(a.buf, uint64(v))
	}
}

// modrm appends the ModRM byte, the SIB byte and the displacement of an instruction whose register
// field is reg. A displacement of one byte counts units of 1<<shift bytes. tail is the number of
// immediate bytes that follow: addresses relative to RIP count from the instruction's end.
func (a *Assembler) modrm(reg uint8, rm *Operand, shift, tail uint8) {
	field := reg & 7 << 3
	if rm.kind != memory {
		a.buf = append(a.buf, 0xC0|field|rm.reg&7)
		return
	}
	if rm.flags&(toPool|toLabel) != 0 {
		add := -int32(tail)
		a.buf = append(a.buf, field|5)
		a.refer(int32(rm.val), rm.flags&toPool != 0, add)
		return
	}
	disp, base := int32(rm.val), rm.reg&7
	short := disp >> shift
	mod := uint8(0x80)
	switch {
	case disp == 0 && base != 5: // base 5 without displacement means RIP
		mod = 0
	case short<<shift == disp && int32(int8(short)) == short:
		mod = 0x40
	}
	switch {
	case rm.flags&(hasIndex|hasVector) != 0:
		a.buf = append(a.buf, mod|field|4, rm.scale<<6|rm.index&7<<3|base)
	case base == 4: // base 4 means that a SIB byte follows; index 4 there means none
		a.buf = append(a.buf, mod|field|4, 0x24)
	default:
		a.buf = append(a.buf, mod|field|base)
	}
	switch mod {
	case 0x40:
		a.buf = append(a.buf, byte(short))
	case 0x80:
		a.buf = binary.LittleEndian.AppendUint32(a.buf, uint32(disp))
	}
}

// refer appends a displacement of 32 bits to a label or to the pool; add is the addend.
func (a *Assembler) refer(target int32, pool bool, add int32) {
	a.fixups = append(a.fixups, fixup{at: int32(len(a.buf)), target: target, pool: pool})
	a.buf = binary.LittleEndian.AppendUint32(a.buf, uint32(add))
}

// x returns bit 3 of the index register of o, and b bit 3 of its base or register.
func (o *Operand) x() uint8 { return o.index >> 3 & 1 }
func (o *Operand) b() uint8 { return o.reg >> 3 & 1 }

// fits8 tells whether the sign-extended byte v is v.
func fits8(v int64) bool { return int64(int8(v)) == v }

// fits32 tells whether the sign-extended double word v is v.
func fits32(v int64) bool { return int64(int32(v)) == v }
