package interp

import (
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// Scratch rows of the warps, by use.
const (
	tmpSrc   = 0 // to tmpSrc+2: sources that must be computed
	tmpDst   = 3 // results for no register, or for a half register
	tmpAddr  = 4
	tmpData  = 5  // to tmpData+3: wide results
	tmpExtra = 9  // to tmpExtra+2
	tmpWide  = 12 // to tmpWide+5: modified 64-bit sources
	tmpRows  = 18
)

// scratch returns scratch rows i of every warp.
func (eng *Engine) scratch(i int) lane.Rows { return lane.RowsOf(&eng.tmp[i*eng.Warps], 1) }

// scratchRow returns warp w's scratch row i.
func (eng *Engine) scratchRow(i, w int) *lane.Row { return &eng.tmp[i*eng.Warps+w] }

// loose returns the warps of s with all their lanes, for work in scratch rows: idle lanes may hold
// any value there, and whole rows are faster.
func (eng *Engine) loose(s *lane.Sel) *lane.Sel {
	if s.Full {
		return s
	}
	l := &eng.everyLane
	l.N = s.N
	copy(l.Warp[:l.N], s.Warp[:l.N])
	return l
}

// zeroRow stands for registers that the kernel does not own. It is never written.
var zeroRow lane.Row

// signRow and magnitudeRow are the masks for negation and absolute value.
var signRow, magnitudeRow = uniform(1 << 31), uniform(1<<31 - 1)

func uniform(v uint32) *lane.Row {
	var r lane.Row
	for i := range r {
		r[i] = v
	}
	return &r
}

// source returns the rows of source i of u. A source in memory may fault; source then sets
// eng.Raised. Rows other than a register's own are in scratch row tmpSrc+i.
func (eng *Engine) source(u *op, i int, s *lane.Sel) lane.Rows {
	if x := &u.Src[i]; x.Mode == program.SrcReg && x.Fix == 0 {
		return eng.RegisterRows(int(x.Index))
	}
	return eng.prepare(u, i, s)
}

// prepare is source for all sources but an unmodified register.
func (eng *Engine) prepare(u *op, i int, s *lane.Sel) lane.Rows {
	x := &u.Src[i]
	var r lane.Rows
	switch x.Mode {
	case program.SrcReg:
		r = eng.Register(x.Index)
	case program.SrcRow:
		return lane.RowsOf(&eng.Rows[x.Index], 0) // filled when the launch began
	case program.SrcLow, program.SrcHigh:
		r = eng.half(x, i, s)
	case program.SrcShared:
		if eng.Hook != nil {
			eng.Hook.LoadWord(&eng.State, &u.Op, s, x.Offset, mem.Size(x.Type))
		}
		return eng.sharedSource(u, x, i, s)
	default:
		r = eng.memorySource(u, x, i, s)
	}
	if x.Fix != 0 {
		return eng.fixed(r, x.Fix, i, eng.loose(s))
	}
	return r
}

// half extracts a half register.
func (eng *Engine) half(x *program.Source, i int, s *lane.Sel) lane.Rows {
	d, r := eng.scratch(tmpSrc+i), eng.Register(x.Index)
	s = eng.loose(s)
	switch {
	case x.Mode == program.SrcLow && x.Signed:
		lane.ExtractLowS(d, r, s)
	case x.Mode == program.SrcLow:
		lane.ExtractLowU(d, r, s)
	case x.Signed:
		lane.ExtractHighS(d, r, s)
	default:
		lane.ExtractHighU(d, r, s)
	}
	return d
}

// fixed applies source modifiers, absolute value first.
func (eng *Engine) fixed(r lane.Rows, f program.Fix, i int, s *lane.Sel) lane.Rows {
	d := eng.scratch(tmpSrc + i)
	if f&program.FixNot != 0 {
		lane.Not(d, r, s)
		return d
	}
	if f&program.FixAbs != 0 {
		lane.And(d, r, lane.RowsOf(magnitudeRow, 0), s)
		r = d
	}
	if f&program.FixNeg != 0 {
		lane.Xor(d, r, lane.RowsOf(signRow, 0), s)
	}
	return d
}

// result returns the rows for a kernel's result. store completes the write.
func (eng *Engine) result(u *op) lane.Rows {
	if u.Dst.Mode == program.DstReg {
		return eng.RegisterRows(int(u.Dst.Index))
	}
	return eng.scratch(tmpDst)
}

// store completes the write of a result, if anything is left to do.
func (eng *Engine) store(u *op, d lane.Rows, s *lane.Sel) {
	if u.unfinished {
		eng.finishResult(u, d, s)
	}
}

// finishResult clamps the result of u, moves it to a half register and sets flags, as u requires.
func (eng *Engine) finishResult(u *op, d lane.Rows, s *lane.Sel) {
	if u.Clamp {
		lane.FSat(d, d, s)
	}
	switch u.Dst.Mode {
	case program.DstLow:
		lane.InsertLow(eng.RegisterRows(int(u.Dst.Index)), d, s)
	case program.DstHigh:
		lane.InsertHigh(eng.RegisterRows(int(u.Dst.Index)), d, s)
	}
	if u.flags != nil {
		u.flags(eng, u, d, s)
	}
}
