package x86

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Instructions that the processor does not have are mistakes of the caller.
func TestMistakes(t *testing.T) {
	mem := At(RAX, 0)
	for name, i := range map[string]Ins{
		"width of an operation":       {Op: VPERMD, L: X, RM: V(1)},
		"mask of no such number":      {Op: VPADDD, L: Z, RM: V(1), K: 8},
		"zeroing without a mask":      {Op: VPADDD, L: Z, RM: V(1), Zero: true},
		"zeroing of memory":           {Op: VMOVDQU32Store, L: Z, RM: mem, K: 1, Zero: true},
		"zeroing of stored parts":     {Op: VPMOVDBStore, L: Z, RM: mem, K: 1, Zero: true},
		"zeroing of a mask":           {Op: VPCMPD, L: Z, RM: V(1), K: 1, Zero: true},
		"a register as a store":       {Op: VMOVDQU32Store, L: Z, RM: V(1)},
		"a mask as a vector":          {Op: VPADDD, L: Z, RM: K(1)},
		"a vector as a mask":          {Op: KANDW, RM: V(1)},
		"a general register":          {Op: VPADDD, L: Z, RM: R(RAX)},
		"an immediate":                {Op: VPADDD, L: Z, RM: Imm(1)},
		"no operand":                  {Op: VPADDD, L: Z},
		"mask register 8":             {Op: VPCMPD, L: Z, D: 8, RM: V(1)},
		"broadcast of bytes":          {Op: VPADDB, L: Z, RM: mem.Bcst()},
		"rounding of memory":          {Op: VADDPS, L: Z, RM: mem, Round: RZ},
		"rounding of integers":        {Op: VPADDD, L: Z, RM: V(1), Round: RZ},
		"suppression where it rounds": {Op: VADDPS, L: Z, RM: V(1), Round: SAE},
		"rounding where it does not":  {Op: VMAXPS, L: Z, RM: V(1), Round: RN},
		"a mask on no-mask":           {Op: VPSADBW, L: Z, RM: V(1), K: 1},
		"a gather without a mask":     {Op: VPGATHERDD, L: Z, RM: mem.Gather(1, 4)},
		"a gather from one address":   {Op: VPGATHERDD, L: Z, RM: mem, K: 1},
		"a gather that overlaps":      {Op: VPGATHERDD, L: Z, D: 1, RM: mem.Gather(1, 4), K: 1},
		"lanes of an addition":        {Op: VPADDD, L: Z, RM: mem.Gather(1, 4)},
		"vector 32":                   {Op: VPADDD, L: Z, D: 32, RM: V(1)},
		"vector 16 in VEX alone":      {Op: VPSIGND, L: Y, D: 16, RM: V(1)},
		"512 bits in VEX alone":       {Op: VPSIGND, L: Z, RM: V(1)},
	} {
		require.Panics(t, func() { New(true).V(i) }, name)
	}
	for name, i := range map[string]Ins{
		"AVX-512":                {Op: VPTERNLOGD, L: Y, RM: V(1)},
		"512 bits":               {Op: VPADDD, L: Z, RM: V(1)},
		"vector 16":              {Op: VPADDD, L: Y, S: 16, RM: V(1)},
		"an opmask":              {Op: VPADDD, L: Y, RM: V(1), K: 1},
		"broadcast":              {Op: VPADDD, L: Y, RM: mem.Bcst()},
		"rounding":               {Op: VADDPS, L: Y, RM: V(1), Round: RN},
		"a shift of memory":      {Op: VPSLLDi, L: Y, RM: mem},
		"a gather that overlaps": {Op: VPGATHERDD, L: Y, D: 1, S: 2, RM: mem.Gather(2, 4)},
	} {
		require.Panics(t, func() { New(false).V(i) }, name)
	}
	for name, do := range map[string]func(a *Assembler){
		"RSP as an index":     func(*Assembler) { At(RAX, 0).Index(RSP, 1) },
		"a scale of 3":        func(*Assembler) { At(RAX, 0).Index(RCX, 3) },
		"two indices":         func(*Assembler) { At(RAX, 0).Index(RCX, 1).Index(RDX, 1) },
		"7 bits":              func(a *Assembler) { a.Add(7, R(RAX), R(RCX)) },
		"two memories":        func(a *Assembler) { a.Add(32, mem, mem) },
		"a wide immediate":    func(a *Assembler) { a.Add(64, R(RAX), Imm(1<<31)) },
		"a byte of 256":       func(a *Assembler) { a.Mov(8, R(RAX), Imm(256)) },
		"a vector register":   func(a *Assembler) { a.Add(32, R(RAX), V(1)) },
		"a count in RDX":      func(a *Assembler) { a.Shl(32, R(RAX), R(RDX)) },
		"a count of the size": func(a *Assembler) { a.Shl(64, R(RAX), Imm(64)) },
		"a product of bytes":  func(a *Assembler) { a.Imul(8, RAX, R(RCX)) },
		"a lock on registers": func(a *Assembler) { a.LockXadd(32, R(RAX), RCX) },
		"an address of lanes": func(a *Assembler) { a.Lea(64, RAX, mem.Gather(1, 1)) },
		"BMI of words":        func(a *Assembler) { a.Andn(16, RAX, RCX, R(RDX)) },
		"a label twice":       func(a *Assembler) { l := a.NewLabel(); a.Bind(l); a.Bind(l) },
		"a label nowhere":     func(a *Assembler) { a.Jmp(a.NewLabel()); a.Finish() },
		"an odd alignment":    func(a *Assembler) { a.Const([]byte{1}, 3) },
		"a displacement":      func(*Assembler) { At(RAX, 1<<31-1).Disp(1) },
	} {
		require.Panics(t, func() { do(New(true)) }, name)
	}
}

// An operation from a general register is found by its operand, and one that only VEX encodes is
// VEX-encoded.
func TestChoices(t *testing.T) {
	one := func(evexed bool, i Ins) []byte {
		a := New(evexed)
		a.V(i)
		return a.Finish()
	}
	for _, p := range [][2]Ins{
		{{Op: VPBROADCASTD, L: Z, RM: R(R9)}, {Op: VPBROADCASTDG, L: Z, RM: R(R9)}},
		{{Op: KMOVW, D: 3, RM: R(R9)}, {Op: KMOVWG, D: 3, RM: R(R9)}},
		{{Op: VMOVQ, D: 3, RM: R(R9)}, {Op: VMOVQG, D: 3, RM: R(R9)}},
	} {
		require.Equal(t, one(true, p[1]), one(true, p[0]))
	}
	i := Ins{Op: VMOVMSKPS, L: Y, D: 3, RM: V(15)}
	require.Equal(t, one(false, i), one(true, i))
	require.Equal(t, "VPADDD", VPADDD.String())
	require.Equal(t, "VOp?", VOp(len(rows)).String())
}

// Alignment is made of instructions, and Reset starts anew.
func TestReset(t *testing.T) {
	a := New(false)
	for range 2 {
		a.Ret()
		a.Align(16)
		require.Equal(t, 16, a.Pos())
		l := a.NewLabel()
		require.Equal(t, Label(0), l)
		require.False(t, a.Bound(l))
		a.Bind(l)
		require.True(t, a.Bound(l))
		a.Jmp(l)
		a.Mov(64, R(RAX), a.Const([]byte("eight by"), 8))
		require.Len(t, a.Finish(), 32+8)
		a.Reset()
	}
	require.Equal(t, E, NE.Not())
	require.False(t, a.EVEX())
}

// body is some code as a translator makes it: 8 vector instructions and 4 general ones.
func body(a *Assembler, c Operand) {
	l := a.NewLabel()
	a.Bind(l)
	a.V(Ins{Op: VMOVDQU32, L: Z, D: 17, RM: At(RDI, 1024)})
	a.V(Ins{Op: VPADDD, L: Z, D: 17, S: 17, RM: At(RSI, 64), K: 1})
	a.V(Ins{Op: VPCMPUD, L: Z, D: 2, S: 17, RM: c.Bcst(), Imm: CmpLT})
	a.V(Ins{Op: VFMADD231PS, L: Z, D: 3, S: 17, RM: V(30), K: 2, Zero: true})
	a.V(Ins{Op: VADDPS, L: Z, D: 3, S: 17, RM: V(30), Round: RZ})
	a.V(Ins{Op: KORTESTW, D: 1, RM: K(2)})
	a.V(Ins{Op: VPGATHERDD, L: Z, D: 3, RM: At(R12, 0).Gather(17, 4), K: 2})
	a.V(Ins{Op: VMOVDQU32Store, L: Z, D: 3, RM: At(RDI, 1088), K: 1})
	a.Add(64, R(RDI), Imm(128))
	a.Mov(32, R(RAX), At(RBX, 8).Index(RCX, 4))
	a.Test(32, R(RAX), R(RAX))
	a.Jcc(NE, l)
}

// bodySize is the number of instructions of body.
const bodySize = 12

// Encoding allocates nothing once the slices are large enough.
func TestNoAllocation(t *testing.T) {
	a := New(true)
	run := func() {
		a.Reset()
		c := a.Const([]byte{1, 2, 3, 4}, 4)
		for range 10 {
			body(a, c)
		}
		a.Finish()
	}
	run()
	// The constant's name in the pool is allocated, once for the 120 instructions.
	require.LessOrEqual(t, testing.AllocsPerRun(100, run), 1.0)
}

// BenchmarkAssembler measures one instruction, of a usual mixture.
func BenchmarkAssembler(b *testing.B) {
	a := New(true)
	for range b.N / bodySize {
		if a.Pos() > 1<<16 || a.Pos() == 0 {
			a.Reset()
		}
		body(a, Operand{kind: memory, flags: toPool})
	}
}
