package simt

import (
	"encoding/binary"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// sourceMode says how a source becomes rows.
type sourceMode uint8

const (
	srcNone     sourceMode = iota
	srcReg                 // the rows of a register that the kernel owns
	srcLow                 // low half, extended to 32 bits
	srcHigh                // high half, extended
	srcRow                 // a launch-wide row: immediate or constant; step 0
	srcShared              // one word of s[] for all
	srcSharedAt            // s[] addressed through $a
	srcConstAt             // c[] addressed through $a
)

// fix is a modifier applied to a source's rows before the operation.
type fix uint8

const (
	fixAbs fix = 1 << iota // clear the sign bit
	fixNeg                 // flip the sign bit; after fixAbs
	fixNot                 // complement
)

// word applies the modifiers to one word.
func (f fix) word(v uint32) uint32 {
	if f&fixAbs != 0 {
		v &^= 1 << 31
	}
	if f&fixNeg != 0 {
		v ^= 1 << 31
	}
	if f&fixNot != 0 {
		v = ^v
	}
	return v
}

// source is a lowered operand.
type source struct {
	mode   sourceMode
	fix    fix
	signed bool       // halves and 16-bit memory values: sign-extend
	half   bool       // memory operands of 16-bit operations: keep the low half, extended by signed
	at     addressing // srcSharedAt, srcConstAt
	bank   uint8      // c[]: the bank
	typ    tesla.Type // memory: access type
	index  int32      // register number, or index of the launch row, or of the word of s[]
	offset uint32     // srcShared: bytes
	whole  bool       // srcShared: a word at a multiple of 4
}

// destMode says where a result goes.
type destMode uint8

const (
	dstNone destMode = iota // thrown away
	dstReg
	dstLow
	dstHigh
)

type dest struct {
	mode  destMode
	index int32
}

// Scratch rows of a block, by use.
const (
	tmpSrc   = 0 // to tmpSrc+2: sources that need work
	tmpDst   = 3 // results that are thrown away, or go to a half register
	tmpAddr  = 4
	tmpData  = 5  // to tmpData+3: wide results
	tmpExtra = 9  // to tmpExtra+2
	tmpWide  = 12 // to tmpWide+5: modified 64-bit sources
	tmpRows  = 18
)

// scratch returns scratch rows i of every warp.
func (b *Block) scratch(i int) lane.Rows { return lane.RowsOf(&b.tmp[i*b.step], 1) }

// scratchRow returns warp w's scratch row i.
func (b *Block) scratchRow(i, w int) *lane.Row { return &b.tmp[i*b.step+w] }

// loose returns the warps of s with all their lanes, for work in scratch rows: what idle
// lanes hold there does not matter, and whole rows are faster.
func (b *Block) loose(s *lane.Sel) *lane.Sel {
	if s.Full {
		return s
	}
	l := &b.everyLane
	l.N = s.N
	copy(l.Warp[:l.N], s.Warp[:l.N])
	return l
}

// zeroRow is what registers a kernel does not own read as. It is never written.
var zeroRow lane.Row

// signRow and magnitudeRow are the masks that negation and absolute value use.
var signRow, magnitudeRow = uniform(1 << 31), uniform(1<<31 - 1)

func uniform(v uint32) *lane.Row {
	var r lane.Row
	for i := range r {
		r[i] = v
	}
	return &r
}

// reg returns the rows of register r, which may lie beyond the kernel's allocation: such
// a register reads 0. Use only for reading.
func (b *Block) reg(n int32) lane.Rows {
	r := int(n)
	if r >= b.p.Kernel.Registers {
		return lane.RowsOf(&zeroRow, 0)
	}
	return lane.RowsOf(&b.regs[r*b.step], 1)
}

// source returns the rows of source i of u. Sources in memory may fault: then b.raised is
// set. Rows other than a register's own lie in scratch row tmpSrc+i.
func (b *Block) source(u *uop, i int, s *lane.Sel) lane.Rows {
	if x := &u.src[i]; x.mode == srcReg && x.fix == 0 {
		return lane.RowsOf(&b.regs[int(x.index)*b.step], 1)
	}
	return b.prepare(u, i, s)
}

// prepare is source for what is not simply a register of the kernel.
func (b *Block) prepare(u *uop, i int, s *lane.Sel) lane.Rows {
	x := &u.src[i]
	var r lane.Rows
	switch x.mode {
	case srcReg:
		r = b.reg(x.index)
	case srcRow:
		return lane.RowsOf(&b.g.rows[x.index], 0) // fixed when the row was made
	case srcLow, srcHigh:
		r = b.half(x, i, s)
	case srcShared:
		if b.steps != nil {
			b.steps.loadWord(b, u, s, x.offset, mem.Size(x.typ))
		}
		return b.sharedSource(u, x, i, s)
	default:
		r = b.memorySource(u, x, i, s)
	}
	if x.fix != 0 {
		return b.fixed(r, x.fix, i, b.loose(s))
	}
	return r
}

// half extracts a half register.
func (b *Block) half(x *source, i int, s *lane.Sel) lane.Rows {
	k, d, r := b.p.lanes, b.scratch(tmpSrc+i), b.reg(x.index)
	s = b.loose(s)
	switch {
	case x.mode == srcLow && x.signed:
		k.ExtractLowS(d, r, s)
	case x.mode == srcLow:
		k.ExtractLowU(d, r, s)
	case x.signed:
		k.ExtractHighS(d, r, s)
	default:
		k.ExtractHighU(d, r, s)
	}
	return d
}

// fixed applies source modifiers, absolute value first.
func (b *Block) fixed(r lane.Rows, f fix, i int, s *lane.Sel) lane.Rows {
	k, d := b.p.lanes, b.scratch(tmpSrc+i)
	if f&fixNot != 0 {
		k.Not(d, r, s)
		return d
	}
	if f&fixAbs != 0 {
		k.And(d, r, lane.RowsOf(magnitudeRow, 0), s)
		r = d
	}
	if f&fixNeg != 0 {
		k.Xor(d, r, lane.RowsOf(signRow, 0), s)
	}
	return d
}

// result returns the rows a kernel writes its result to. store completes the write.
func (b *Block) result(u *uop) lane.Rows {
	if u.dst.mode == dstReg {
		return lane.RowsOf(&b.regs[int(u.dst.index)*b.step], 1)
	}
	return b.scratch(tmpDst)
}

// store completes the write of a result, if there is anything left to do.
func (b *Block) store(u *uop, d lane.Rows, s *lane.Sel) {
	if u.unfinished {
		b.finishResult(u, d, s)
	}
}

// finishResult clamps a result if u says so, moves it to its place if it is not there yet
// and sets flags if u sets them.
func (b *Block) finishResult(u *uop, d lane.Rows, s *lane.Sel) {
	k := b.p.lanes
	if u.clamp {
		k.FSat(d, d, s)
	}
	switch u.dst.mode {
	case dstLow:
		k.InsertLow(lane.RowsOf(&b.regs[int(u.dst.index)*b.step], 1), d, s)
	case dstHigh:
		k.InsertHigh(lane.RowsOf(&b.regs[int(u.dst.index)*b.step], 1), d, s)
	}
	if u.fl != nil {
		u.fl(b, u, d, s)
	}
}

// launchRows fills the rows that stay the same for a whole launch.
func launchRows(l *Launch) []lane.Row {
	rows := lane.NewRows(len(l.Program.rows))
	for i := range rows {
		d := &l.Program.rows[i]
		v := d.value
		if d.bank >= 0 {
			v = constWord(l.Const[d.bank], d.offset, d.typ)
		}
		if d.signed {
			v = uint32(int32(int16(v)))
		}
		rows[i] = *uniform(d.fix.word(v))
	}
	return rows
}

// constWord reads a 16- or 32-bit value of a constant bank; beyond its end is zero.
func constWord(bank []byte, offset uint32, t tesla.Type) uint32 {
	var word [4]byte
	size := mem.Size(t)
	if int(offset) < len(bank) {
		copy(word[:size], bank[offset:])
	}
	return binary.LittleEndian.Uint32(word[:])
}
