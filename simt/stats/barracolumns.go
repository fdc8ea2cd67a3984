package stats

import (
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// The columns of Barra's files, as revision be530bf30 of 2009-11-23 fills them: what kind an
// instruction is by its operation, its operands by the bits of the encoding, whether the operation
// uses them or not.

// barraKind is a column that says what an instruction is.
type barraKind uint8

const (
	barraNone    barraKind = iota
	barraInteger           // conversions of integers, too
	barraFloat             // of both widths
	barraFlow
	barraMov // loads and stores of s[] and loads of c[], too
	barraMemory
)

// barraSlots are the operands that Barra looks for.
type barraSlots uint8

const (
	slotDest barraSlots = 1 << iota
	slot1
	slot2
	slot3
)

// barraShape is what Barra knows of an operation.
type barraShape struct {
	kind  barraKind
	long  barraSlots // of long instructions without an immediate
	short barraSlots // of short ones, and of those with an immediate
}

// barraShapes has the operations that Barra knows. Others have operands as they are decoded.
var barraShapes = map[tesla.Op]barraShape{
	tesla.OpIAdd:  {barraInteger, slotDest | slot1 | slot3, slotDest | slot1 | slot2},
	tesla.OpIMad:  {barraInteger, slotDest | slot1 | slot2 | slot3, slotDest | slot1 | slot2},
	tesla.OpIMul:  {barraInteger, slotDest | slot1 | slot2, slotDest | slot1 | slot2},
	tesla.OpISet:  {barraInteger, slotDest | slot1 | slot2, slotDest | slot1 | slot2},
	tesla.OpIMin:  {barraInteger, slotDest | slot1 | slot2, slotDest | slot1 | slot2},
	tesla.OpIMax:  {barraInteger, slotDest | slot1 | slot2, slotDest | slot1 | slot2},
	tesla.OpLogic: {barraInteger, slotDest | slot1 | slot2, slotDest | slot1 | slot2},
	tesla.OpShl:   {barraInteger, slotDest | slot1 | slot2, slotDest | slot1 | slot2},
	tesla.OpShr:   {barraInteger, slotDest | slot1 | slot2, slotDest | slot1 | slot2},
	tesla.OpCvt:   {barraInteger, slotDest | slot1, slotDest | slot1},

	tesla.OpFAdd:   {barraFloat, slotDest | slot1 | slot3, slotDest | slot1 | slot2},
	tesla.OpFMad:   {barraFloat, slotDest | slot1 | slot2 | slot3, slotDest | slot1 | slot2},
	tesla.OpFMul:   {barraFloat, slotDest | slot1 | slot2, slotDest | slot1 | slot2},
	tesla.OpFSet:   {barraFloat, slotDest | slot1 | slot2, slotDest | slot1 | slot2},
	tesla.OpFMin:   {barraFloat, slotDest | slot1 | slot2, slotDest | slot1 | slot2},
	tesla.OpFMax:   {barraFloat, slotDest | slot1 | slot2, slotDest | slot1 | slot2},
	tesla.OpRcp:    {barraFloat, slotDest | slot1, slotDest | slot1},
	tesla.OpRsqrt:  {barraFloat, slotDest | slot1, slotDest | slot1},
	tesla.OpLg2:    {barraFloat, slotDest | slot1, slotDest | slot1},
	tesla.OpEx2:    {barraFloat, slotDest | slot1, slotDest | slot1},
	tesla.OpSin:    {barraFloat, slotDest | slot1, slotDest | slot1},
	tesla.OpCos:    {barraFloat, slotDest | slot1, slotDest | slot1},
	tesla.OpPreSin: {barraFloat, slotDest | slot1, slotDest | slot1},
	tesla.OpPreEx2: {barraFloat, slotDest | slot1, slotDest | slot1},
	tesla.OpDAdd:   {barraFloat, slotDest | slot1 | slot3, 0},
	tesla.OpDFma:   {barraFloat, slotDest | slot1 | slot2 | slot3, 0},
	tesla.OpDMul:   {barraFloat, slotDest | slot1 | slot2, 0},
	tesla.OpDMax:   {barraFloat, slotDest | slot1 | slot2, 0},
	tesla.OpDSet:   {barraFloat, slotDest | slot1 | slot2, 0},

	tesla.OpMov:         {barraMov, slotDest | slot1, slotDest | slot1},
	tesla.OpLdShared:    {barraMov, slotDest | slot1, 0},
	tesla.OpLdConst:     {barraMov, slotDest | slot2, 0},
	tesla.OpStShared:    {barraMov, slotDest | slot3, 0},
	tesla.OpShlToAddr:   {barraMov, slotDest | slot1, 0},
	tesla.OpAddAddr:     {barraMov, slotDest | slot1, 0},
	tesla.OpMovFromAddr: {barraMov, slotDest, 0},
	tesla.OpMovFromCond: {barraMov, slotDest, 0},
	tesla.OpMovToCond:   {barraMov, slot1, 0},

	tesla.OpLdGlobal: {barraMemory, slotDest | slot1, 0},
	tesla.OpStGlobal: {barraMemory, slotDest | slot1, 0},
	tesla.OpLdLocal:  {barraMemory, slotDest | slot1, 0},
	tesla.OpStLocal:  {barraMemory, slotDest | slot1, 0},
	tesla.OpTexFetch: {barraNone, slotDest, slotDest},

	tesla.OpBra:       {kind: barraFlow},
	tesla.OpCall:      {kind: barraFlow},
	tesla.OpRet:       {kind: barraFlow},
	tesla.OpBreak:     {kind: barraFlow},
	tesla.OpBreakAddr: {kind: barraFlow},
	tesla.OpJoinAt:    {kind: barraFlow},
	tesla.OpBar:       {kind: barraFlow},
	tesla.OpNop:       {},
	tesla.OpPmEvent:   {},
}

// encoded is how an instruction is encoded, as far as Barra's columns go.
type encoded struct {
	w0, w1 uint32
	short  bool // 4 bytes
	imm    bool // 8 bytes, with an immediate
}

func encodedAs(in *tesla.Instruction) encoded {
	e := encoded{w0: in.Raw[0], w1: in.Raw[1], short: in.Size == 4}
	e.imm = !e.short && e.w1&3 == 3
	return e
}

// bits returns n bits of a word from a place on.
func bits(w uint32, at, n uint) int { return int(w >> at & (1<<n - 1)) }

// barraOf returns what an instruction is, and which operands Barra looks for.
func barraOf(in *tesla.Instruction) (kind barraKind, slots barraSlots, known bool) {
	shape, known := barraShapes[in.Op]
	e := encodedAs(in)
	kind, slots = shape.kind, shape.long
	if e.short || e.imm {
		slots = shape.short
	}
	switch {
	case in.Op == tesla.OpIAdd && in.Arith == tesla.AddC && (e.short || e.imm):
		kind = barraNone // forgotten in its classes
	case in.Op == tesla.OpCvt && bits(e.w1, 29, 3) == 1: // integers, negated: forgotten, too
		kind = barraNone
	case in.Op == tesla.OpCvt && bits(e.w1, 29, 3) >= 4: // of floats
		kind = barraFloat
	case in.Op == tesla.OpLogic && in.Logic == tesla.Pass && !e.imm:
		slots &^= slot1
	case (in.Op == tesla.OpShl || in.Op == tesla.OpShr) && bits(e.w1, 20, 1) == 1: // by a number
		slots &^= slot2
	case in.Op == tesla.OpMov && e.imm:
		slots &^= slot1
	}
	return kind, slots, known
}

// barraOperands are the columns of an instruction's operands.
type barraOperands struct {
	shared, constant bool
	from, to         int // registers
}

// operandsOf counts operands as Barra does. It takes registers for the same only where the second
// is the first, or the third is the second.
func operandsOf(in *tesla.Instruction) (o barraOperands) {
	_, slots, known := barraOf(in)
	if !known {
		o.from, o.to = registers(in)
		o.shared, o.constant = reads(in, tesla.Shared), reads(in, tesla.Const)
		return o
	}
	e := encodedAs(in)
	full := !e.short && !e.imm
	half := 0 // of registers with 16 bits the number counts halves
	if in.Src[0].Kind == tesla.Half || in.Src[1].Kind == tesla.Half {
		half = 1
	}
	const none = -1
	first, second := none, none
	if slots&slotDest != 0 && !(full && bits(e.w1, 3, 1) == 1) {
		o.to = 1
	}
	if slots&slot1 != 0 {
		switch {
		case full && bits(e.w1, 21, 1) == 0:
			first = bits(e.w0, 9, 7) >> half
		case full:
			o.shared = bits(e.w1, 25, 1) == 0
		case bits(e.w0, 24, 1) == 0:
			first = bits(e.w0, 9, 6) >> half
		default:
			o.shared = true
		}
	}
	if slots&slot2 != 0 && !e.imm {
		switch {
		case bits(e.w0, 23, 1) == 1:
			o.constant = true
		case full:
			second = bits(e.w0, 16, 7) >> half
		default:
			second = bits(e.w0, 16, 6) >> half
		}
	}
	if first != none {
		o.from++
	}
	if second != none && second != first {
		o.from++
	}
	if slots&slot3 != 0 && full {
		if in.Op == tesla.OpIMad {
			half = 0
		}
		switch {
		case bits(e.w0, 24, 1) == 1:
			o.constant = true
		case bits(e.w1, 25, 1) == 0 && bits(e.w1, 14, 7)>>half != second:
			o.from++
		}
	}
	return o
}

// scalarOf returns the lanes that Barra counts: those that pass the guard, of a branch those that
// take it. Instructions without a guard have the bits of one all the same, and compilers put
// "never" there for joinat, breakaddr and barriers. A join that lets the warp go on forgets the
// guard.
func scalarOf(in *tesla.Instruction, s *simt.InstructionStats) uint64 {
	e := encodedAs(in)
	never := !e.short && !e.imm && bits(e.w1, 7, 5) == 0
	switch {
	case in.Marker == tesla.MarkerJoin:
		return s.Threads + s.Off
	case in.Op == tesla.OpBra || in.Op == tesla.OpBreak || in.Op == tesla.OpRet:
		return s.Branch.Threads
	case never:
		return 0
	}
	return s.Threads
}

// jumpsOf returns how often Barra changed the pc. calls says that the kernel has functions: else a
// return ends threads.
func jumpsOf(in *tesla.Instruction, s *simt.InstructionStats, calls bool) uint64 {
	jumps := s.Vetoed // back to lanes that wait
	switch in.Op {
	case tesla.OpBra:
		jumps += s.Branch.Taken + s.Branch.Divergent
	case tesla.OpBreak: // lanes that leave others behind only wait
		jumps += s.Branch.Taken
	case tesla.OpRet:
		if calls {
			jumps += s.Branch.Taken + s.Branch.Divergent
		}
	case tesla.OpCall:
		jumps += s.Issues - s.Vetoed
	}
	return jumps
}

// barraRow returns the columns behind the name.
func barraRow(in *tesla.Instruction, s *simt.InstructionStats, calls bool) []uint64 {
	kind, _, known := barraOf(in)
	if !known {
		kind = kindOf(in.Op)
	}
	o := operandsOf(in)
	row := []uint64{s.Issues, scalarOf(in, s)}
	for _, k := range []barraKind{barraInteger, barraFloat, barraFlow, barraMov, barraMemory} {
		row = append(row, flag(kind == k))
	}
	row = append(row, flag(o.shared), flag(o.constant), uint64(o.from), uint64(o.to))
	taken := s.Branch
	if in.Op == tesla.OpBreak { // it did not look
		taken = simt.Outcomes{}
	}
	row = append(row, taken.Taken, taken.NotTaken, taken.Divergent, jumpsOf(in, s, calls))
	for _, ops := range [...][2]tesla.Op{{tesla.OpLdGlobal, tesla.OpStGlobal}, {tesla.OpLdLocal, tesla.OpStLocal}} {
		for _, op := range ops {
			var scattered, coalesced uint64
			if in.Op == op {
				scattered, coalesced = coalescing(uint64(mem.Size(in.Type)), s)
			}
			row = append(row, scattered, coalesced)
		}
	}
	return row
}

// kindOf returns the kind of an operation that Barra does not know.
func kindOf(op tesla.Op) barraKind {
	switch op.Class() {
	case tesla.ClassInteger:
		return barraInteger
	case tesla.ClassFloat, tesla.ClassDouble, tesla.ClassSpecial:
		return barraFloat
	case tesla.ClassControl, tesla.ClassBarrier:
		return barraFlow
	case tesla.ClassMove:
		return barraMov
	case tesla.ClassGlobal, tesla.ClassLocal, tesla.ClassShared, tesla.ClassConstant, tesla.ClassAtomic:
		return barraMemory
	}
	return barraNone
}

// coalescing returns the bytes that Barra counts for accesses: an element's size for each issue.
// Issues whose half-warps differ are shared out between the two; those without a lane coalesce.
func coalescing(size uint64, s *simt.InstructionStats) (scattered, coalesced uint64) {
	t := &s.Memory.Device
	if t.Accesses == 0 {
		return 0, size * s.Issues
	}
	bytes := size * (s.Issues - s.Vetoed)
	whole := t.G80.By64 + t.G80.By128/max(size/8, 1) // half-warps that coalesce
	scattered = bytes - bytes*whole/t.Accesses
	return scattered, size*s.Issues - scattered
}
