package lane

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/engine/reference/alu"
	"jacquard/tesla"
)

// lane0 is one lane's input of a kernel: the old destination, three operands and its flags.
type lane0 struct {
	d, a, b, c uint32
	flags      uint8
}

// kernel is a kernel under test and its reference: the new destination and flags of a
// lane.
type kernel struct {
	name string
	prep func(uint32) uint32 // how an engine extends operands; nil for words
	run  func(d, a, b, c Rows, f []Flags, s *Sel)
	ref  func(x lane0) (uint32, uint8)
}

func unary(name string, run func(d, a Rows, s *Sel), ref func(a uint32) uint32) kernel {
	return kernel{name: name,
		run: func(d, a, _, _ Rows, _ []Flags, s *Sel) { run(d, a, s) },
		ref: func(x lane0) (uint32, uint8) { return ref(x.a), x.flags },
	}
}

func insert(name string, run func(d, a Rows, s *Sel), ref func(d, a uint32) uint32) kernel {
	return kernel{name: name,
		run: func(d, a, _, _ Rows, _ []Flags, s *Sel) { run(d, a, s) },
		ref: func(x lane0) (uint32, uint8) { return ref(x.d, x.a), x.flags },
	}
}

func binary(name string, run func(d, a, b Rows, s *Sel), ref func(a, b uint32) (uint32, uint8)) kernel {
	return kernel{name: name,
		run: func(d, a, b, _ Rows, _ []Flags, s *Sel) { run(d, a, b, s) },
		ref: func(x lane0) (uint32, uint8) {
			r, _ := ref(x.a, x.b)
			return r, x.flags
		},
	}
}

func flagging(name string, prep func(uint32) uint32, run func(a, b Rows, f []Flags, s *Sel), ref func(a, b uint32, carry bool) (uint32, uint8)) kernel {
	return kernel{name: name, prep: prep,
		run: func(_, a, b, _ Rows, f []Flags, s *Sel) { run(a, b, f, s) },
		ref: func(x lane0) (uint32, uint8) {
			_, flags := ref(x.a, x.b, x.flags&alu.C != 0)
			return x.d, flags
		},
	}
}

func extended(width int, signed bool) func(uint32) uint32 {
	return func(x uint32) uint32 { return alu.Extend(x, width, signed) }
}

func word(r uint32) (uint32, uint8) { return alu.Result(r, 32, 0) }

// kernels lists the integer kernels.
func kernels() []kernel {
	list := []kernel{
		unary("Move", Move, func(a uint32) uint32 { return a }),
		unary("Not", Not, func(a uint32) uint32 { return ^a }),
		unary("ExtractLowU", ExtractLowU, extended(16, false)),
		unary("ExtractLowS", ExtractLowS, extended(16, true)),
		unary("ExtractHighU", ExtractHighU, func(a uint32) uint32 { return alu.Extend(a>>16, 16, false) }),
		unary("ExtractHighS", ExtractHighS, func(a uint32) uint32 { return alu.Extend(a>>16, 16, true) }),
		unary("ExtractByteU", ExtractByteU, extended(8, false)),
		unary("ExtractByteS", ExtractByteS, extended(8, true)),
		insert("InsertLow", InsertLow, func(d, a uint32) uint32 { return d&0xffff0000 | a&0xffff }),
		insert("InsertHigh", InsertHigh, func(d, a uint32) uint32 { return d&0xffff | a<<16 }),
		binary("And", And, func(a, b uint32) (uint32, uint8) { return word(a & b) }),
		binary("AndNot", AndNot, func(a, b uint32) (uint32, uint8) { return word(a & ^b) }),
		binary("Or", Or, func(a, b uint32) (uint32, uint8) { return word(a | b) }),
		binary("OrNot", OrNot, func(a, b uint32) (uint32, uint8) { return word(a | ^b) }),
		binary("Xor", Xor, func(a, b uint32) (uint32, uint8) { return word(a ^ b) }),
		binary("Add", Add, func(a, b uint32) (uint32, uint8) { return alu.Add(tesla.Add, a, b, 32, false, false) }),
		binary("Sub", Sub, func(a, b uint32) (uint32, uint8) { return alu.Add(tesla.Sub, a, b, 32, false, false) }),
		binary("Mul", Mul, func(a, b uint32) (uint32, uint8) { return word(a * b) }),
		binary("Mul24LoU", Mul24LoU, func(a, b uint32) (uint32, uint8) { return alu.Mul(tesla.U24, false, a, b) }),
		binary("Mul24LoS", Mul24LoS, func(a, b uint32) (uint32, uint8) { return alu.Mul(tesla.S24, false, a, b) }),
		binary("Mul24HiU", Mul24HiU, func(a, b uint32) (uint32, uint8) { return alu.Mul(tesla.U24, true, a, b) }),
		binary("Mul24HiS", Mul24HiS, func(a, b uint32) (uint32, uint8) { return alu.Mul(tesla.S24, true, a, b) }),
		binary("AbsDiffU", AbsDiffU, func(a, b uint32) (uint32, uint8) { return alu.Sad(a, b, 0, 32, false) }),
		binary("AbsDiffS", AbsDiffS, func(a, b uint32) (uint32, uint8) { return alu.Sad(a, b, 0, 32, true) }),
		binary("MinU", MinU, func(a, b uint32) (uint32, uint8) { return alu.Min(a, b, 32, false) }),
		binary("MinS", MinS, func(a, b uint32) (uint32, uint8) { return alu.Min(a, b, 32, true) }),
		binary("MaxU", MaxU, func(a, b uint32) (uint32, uint8) { return alu.Max(a, b, 32, false) }),
		binary("MaxS", MaxS, func(a, b uint32) (uint32, uint8) { return alu.Max(a, b, 32, true) }),
		binary("Shl", Shl, func(a, b uint32) (uint32, uint8) { return alu.Shl(a, b, 32) }),
		binary("ShrU", ShrU, func(a, b uint32) (uint32, uint8) { return alu.Shr(a, b, 32, false) }),
		binary("ShrS", ShrS, func(a, b uint32) (uint32, uint8) { return alu.Shr(a, b, 32, true) }),
		{name: "MulAdd",
			run: func(d, a, b, c Rows, _ []Flags, s *Sel) { MulAdd(d, a, b, c, s) },
			ref: func(x lane0) (uint32, uint8) { return x.a*x.b + x.c, x.flags }},
		{name: "AddCarry",
			run: func(d, a, b, _ Rows, f []Flags, s *Sel) { AddCarry(d, a, b, f, s) },
			ref: func(x lane0) (uint32, uint8) {
				r, _ := alu.Add(tesla.AddC, x.a, x.b, 32, x.flags&alu.C != 0, false)
				return r, x.flags
			}},
		{name: "FlagsToRow",
			run: func(d, _, _, _ Rows, f []Flags, s *Sel) { FlagsToRow(d, f, s) },
			ref: func(x lane0) (uint32, uint8) { return uint32(x.flags), x.flags }},
		{name: "FlagsFromRow",
			run: func(_, a, _, _ Rows, f []Flags, s *Sel) { FlagsFromRow(f, a, s) },
			ref: func(x lane0) (uint32, uint8) { return x.d, uint8(x.a & 15) }},
	}
	for _, width := range []int{16, 32} {
		list = append(list, sums(width)...)
		list = append(list, shifts(width)...)
	}
	for cmp := range uint8(8) {
		list = append(list,
			comparing(fmt.Sprintf("CompareU%d", cmp), CompareU, cmp, false),
			comparing(fmt.Sprintf("CompareS%d", cmp), CompareS, cmp, true))
	}
	return list
}

// sums lists the kernels of the adder that take a width.
func sums(width int) []kernel {
	var list []kernel
	saturating := func(name string, variant tesla.Arith, run func(d, a, b Rows, f []Flags, s *Sel)) {
		list = append(list, kernel{
			name: fmt.Sprintf("%s/%d", name, width),
			run:  func(d, a, b, _ Rows, f []Flags, s *Sel) { run(d, a, b, f, s) },
			ref: func(x lane0) (uint32, uint8) {
				r, _ := alu.Add(variant, x.a, x.b, width, x.flags&alu.C != 0, true)
				return r, x.flags
			}})
	}
	saturating("AddSat", tesla.Add, func(d, a, b Rows, _ []Flags, s *Sel) { AddSat(d, a, b, width, s) })
	saturating("SubSat", tesla.Sub, func(d, a, b Rows, _ []Flags, s *Sel) { SubSat(d, a, b, width, s) })
	saturating("AddCarrySat", tesla.AddC, func(d, a, b Rows, f []Flags, s *Sel) { AddCarrySat(d, a, b, f, width, s) })
	for _, sat := range []bool{false, true} {
		flags := func(name string, variant tesla.Arith, run func(a, b Rows, f []Flags, s *Sel)) {
			list = append(list, flagging(fmt.Sprintf("%s/%d/%v", name, width, sat), nil, run,
				func(a, b uint32, carry bool) (uint32, uint8) { return alu.Add(variant, a, b, width, carry, sat) }))
		}
		flags("AddFlags", tesla.Add, func(a, b Rows, f []Flags, s *Sel) { AddFlags(f, a, b, width, sat, s) })
		flags("SubFlags", tesla.Sub, func(a, b Rows, f []Flags, s *Sel) { SubFlags(f, a, b, width, sat, s) })
		flags("SubRFlags", tesla.SubR, func(a, b Rows, f []Flags, s *Sel) { SubFlags(f, b, a, width, sat, s) })
		flags("AddCarryFlags", tesla.AddC, func(a, b Rows, f []Flags, s *Sel) { AddCarryFlags(f, a, b, f, width, sat, s) })
	}
	return append(list, flagging(fmt.Sprintf("ResultFlags/%d", width), nil,
		func(a, _ Rows, f []Flags, s *Sel) { ResultFlags(f, a, width, s) },
		func(a, _ uint32, _ bool) (uint32, uint8) { return alu.Result(a, width, 0) }))
}

func shifts(width int) []kernel {
	return []kernel{
		flagging(fmt.Sprintf("ShlFlags/%d", width), extended(width, false),
			func(a, b Rows, f []Flags, s *Sel) { ShlFlags(f, a, b, width, s) },
			func(a, b uint32, _ bool) (uint32, uint8) { return alu.Shl(a, b, width) }),
		flagging(fmt.Sprintf("ShrUFlags/%d", width), extended(width, false),
			func(a, b Rows, f []Flags, s *Sel) { ShrUFlags(f, a, b, width, s) },
			func(a, b uint32, _ bool) (uint32, uint8) { return alu.Shr(a, b, width, false) }),
		flagging(fmt.Sprintf("ShrSFlags/%d", width), extended(width, true),
			func(a, b Rows, f []Flags, s *Sel) { ShrSFlags(f, a, b, width, s) },
			// The reference takes the whole extended count, as the kernel does.
			func(a, b uint32, _ bool) (uint32, uint8) { return alu.Shr(a, b, width, true) }),
	}
}

// comparing tests compare, Expand and MaskFlags together, as in compare-and-set.
func comparing(name string, compare func(*[MaxWarps]Mask, Rows, Rows, uint8, *Sel), cmp uint8, signed bool) kernel {
	m := new([MaxWarps]Mask)
	return kernel{name: name,
		run: func(d, a, b, _ Rows, f []Flags, s *Sel) {
			compare(m, a, b, cmp, s)
			Expand(d, m, s)
			MaskFlags(f, m, s)
		},
		ref: func(x lane0) (uint32, uint8) { return alu.Set(x.a, x.b, cmp, 32, signed) }}
}

// file is a register file of five registers, the last one shared by all warps, and one flag
// register.
type file struct {
	rows  [5 * MaxWarps]Row
	flags [MaxWarps]Flags
}

func (f *file) register(r int) Rows {
	if r == 4 {
		return RowsOf(&f.rows[4*MaxWarps], 0)
	}
	return RowsOf(&f.rows[r*MaxWarps], 1)
}

func (f *file) lane(w, i int, regs [4]int) lane0 {
	at := func(r int) uint32 { return f.register(r).At(w)[i] }
	v := &f.flags[w]
	return lane0{at(regs[0]), at(regs[1]), at(regs[2]), at(regs[3]),
		uint8(v.Z>>i&1 | v.S>>i&1<<1 | v.C>>i&1<<2 | v.O>>i&1<<3)}
}

func (f *file) setFlags(w, i int, flags uint8) {
	bit := func(m *Mask, b uint8) {
		*m &^= 1 << i
		if flags&b != 0 {
			*m |= 1 << i
		}
	}
	bit(&f.flags[w].Z, alu.Z)
	bit(&f.flags[w].S, alu.S)
	bit(&f.flags[w].C, alu.C)
	bit(&f.flags[w].O, alu.O)
}

// special are the words at which integer rules change.
var special = []uint32{
	0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x8001, 0xffff, 0x10000,
	0x7fffff, 0x800000, 0xffffff, 0x1000000, 0x7fff8000, 0x7fffffff, 0x80000000, 0x80000001, 0xffff8000, 0xfffffffe, ones,
}

func (f *file) fill(rnd *rand.Rand, prep func(uint32) uint32) {
	for i := range f.rows {
		for j := range f.rows[i] {
			x := rnd.Uint32()
			if rnd.IntN(2) == 0 {
				x = special[rnd.IntN(len(special))]
			}
			if prep != nil {
				x = prep(x)
			}
			f.rows[i][j] = x
		}
	}
	for i := range f.flags {
		f.flags[i] = Flags{Mask(rnd.Uint32()), Mask(rnd.Uint32()), Mask(rnd.Uint32()), Mask(rnd.Uint32())}
	}
}

func randomSel(rnd *rand.Rand) *Sel {
	if rnd.IntN(4) == 0 { // full warps without a gap, as in most code
		s := &Sel{Full: true}
		lo := rnd.IntN(MaxWarps)
		for w := range 1 + rnd.IntN(MaxWarps-lo) {
			s.Add(lo+w, All)
		}
		return s
	}
	s := &Sel{Full: rnd.IntN(3) == 0}
	for w := range MaxWarps {
		m := Mask(rnd.Uint32())
		if s.Full || rnd.IntN(4) == 0 {
			m = All
		}
		if rnd.IntN(2) == 0 || m == 0 {
			continue
		}
		s.Warp[s.N], s.Mask[s.N] = uint8(w), m
		s.N++
	}
	return s
}

// check runs k on registers d, a, b, c of f and compares the whole file with the reference's
// results lane by lane.
func (k kernel) check(t *testing.T, f *file, regs [4]int, s *Sel) {
	t.Helper()
	want := *f
	for i := range s.N {
		w := int(s.Warp[i])
		for j := range Width {
			if s.Mask[i]>>j&1 == 0 {
				continue
			}
			r, flags := k.ref(f.lane(w, j, regs))
			want.register(regs[0]).At(w)[j] = r
			want.setFlags(w, j, flags)
		}
	}
	was := *f
	k.run(f.register(regs[0]), f.register(regs[1]), f.register(regs[2]), f.register(regs[3]), f.flags[:], s)
	for w := range MaxWarps {
		for j := range Width {
			got, want := f.lane(w, j, regs), want.lane(w, j, regs)
			if got != want {
				require.Failf(t, "wrong lane", "%s on registers %v, warp %d lane %d, selection %+v\nhad  %08x\nwant %08x\ngot  %08x",
					k.name, regs, w, j, *s, was.lane(w, j, regs), want, got)
			}
		}
	}
	require.True(t, want == *f, "%s wrote a register that is not its own", k.name)
}

// aliases are choices of the registers d, a, b, c that kernels must support; 4 is the shared row.
var aliases = [][4]int{{0, 1, 2, 3}, {0, 0, 1, 2}, {0, 1, 0, 2}, {0, 1, 2, 0}, {0, 0, 0, 0}, {0, 1, 4, 2}, {0, 4, 1, 4}, {0, 0, 4, 1}}

func TestKernels(t *testing.T) {
	for _, k := range kernels() {
		t.Run(k.name, func(t *testing.T) { tryAliases(t, k, 8) })
	}
}

func FuzzKernels(f *testing.F) {
	list := kernels()
	for i := range list {
		f.Add(uint16(i), uint64(i), uint32(0x7fffffff), uint32(1), uint32(16))
	}
	f.Fuzz(func(t *testing.T, index uint16, seed uint64, a, b, c uint32) {
		k := list[int(index)%len(list)]
		rnd := rand.New(rand.NewPCG(seed, 0))
		var f file
		f.fill(rnd, k.prep)
		for i, x := range []uint32{a, b, c} {
			if k.prep != nil {
				x = k.prep(x)
			}
			for w := range MaxWarps {
				f.rows[(i+1)*MaxWarps+w][rnd.IntN(Width)] = x
			}
		}
		k.check(t, &f, aliases[rnd.IntN(len(aliases))], randomSel(rnd))
	})
}

// A kernel must not allocate, for any masks. AllocsPerRun rounds the average down, so with several
// runs one background allocation of the runtime does not count.
func TestNoAllocation(t *testing.T) {
	var f file
	rnd := rand.New(rand.NewPCG(3, 4))
	whole := &Sel{N: 2, Full: true, Warp: [MaxWarps]uint8{0, 3}, Mask: [MaxWarps]Mask{All, All}}
	parts := &Sel{N: 2, Warp: [MaxWarps]uint8{0, 3}, Mask: [MaxWarps]Mask{All, 0x5a5a}}
	for _, k := range kernels() {
		f.fill(rnd, k.prep)
		for _, s := range []*Sel{whole, parts} {
			n := testing.AllocsPerRun(20, func() {
				k.run(f.register(0), f.register(1), f.register(2), f.register(3), f.flags[:], s)
			})
			require.Zero(t, n, k.name)
		}
	}
}
