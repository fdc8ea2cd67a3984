package code

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

// Sets of registers are lists of yes and no.
func TestPlaces(t *testing.T) {
	list := func(p places) (l [128]bool) {
		for r := range l {
			l[r] = p.has(r)
		}
		return l
	}
	for n := range 129 {
		p := below(n)
		var want [128]bool
		for r := range n {
			want[r] = true
		}
		require.Equal(t, want, list(p), n)
		require.Equal(t, n, p.first(), "the lowest that is not in it")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		p, o := places{r.Uint64(), r.Uint64()}, places{r.Uint64(), r.Uint64()}
		was, other, both := list(p), list(o), p
		both.add(o)
		for i, is := range list(both) {
			require.Equal(t, was[i] || other[i], is)
		}
		for k := range 4 {
			for i, is := range list(p.down(k)) {
				require.Equal(t, i+k < 128 && was[i+k], is, "%d down by %d", i, k)
			}
		}
	}
	for align, no := range odd {
		for i := range 64 {
			require.Equal(t, (align == 2 || align == 4) && i%align != 0, no>>i&1 != 0, "%d at %d", align, i)
		}
	}
}

// What an occupancy collects between two points is what was taken at any of them.
func TestOccupancy(t *testing.T) {
	const points = 200
	r := rand.New(rand.NewPCG(1, 3))
	o := newOccupancy(points)
	for range 300 {
		o.clear()
		var at [points]places
		for range 1 + r.IntN(6) {
			from := r.Int32N(points)
			to := from + r.Int32N(points-from+1)
			if r.IntN(2) == 0 {
				from, to = from/span*span, to/span*span
			}
			one := places{1 << r.IntN(64), 1 << r.IntN(64)}
			o.take(from, to, one)
			for p := from; p < to; p++ {
				at[p].add(one)
			}
		}
		for range 20 {
			from := r.Int32N(points)
			to := from + r.Int32N(points-from+1)
			if r.IntN(2) == 0 {
				from, to = from/span*span, to/span*span
			}
			var want, got places
			for p := from; p < to; p++ {
				want.add(at[p])
			}
			o.collect(&got, from, to)
			require.Equal(t, want, got, "%d to %d", from, to)
		}
	}
}

// The tree of a pressure says of each stretch of points what a list of numbers says.
func TestPressure(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	for range 200 {
		list := make([]int32, 1+r.IntN(40))
		for i := range list {
			list[i] = r.Int32N(9) - 4
		}
		p := newPressure(list)
		for range 30 {
			from := r.Int32N(int32(len(list)))
			to := from + r.Int32N(int32(len(list))-from+1)
			if n := r.Int32N(5) - 2; r.IntN(2) == 0 {
				p.add(from, to, n)
				for i := from; i < to; i++ {
					list[i] += n
				}
			}
			limit, over := r.Int32N(7)-3, false
			for _, n := range list[from:to] {
				over = over || n > limit
			}
			require.Equal(t, over, p.over(from, to, limit), "%v from %d to %d", list, from, to)
		}
	}
}

// Copies at the same time between homes in memory leave what each read before.
func TestMemoryCopies(t *testing.T) {
	const slots, regs = 5, 3
	r := rand.New(rand.NewPCG(1, 5))
	for range 2000 {
		f := &Func{Regs: make([]RegInfo, 1+regs)}
		w := &rewriter{f: f}
		homes, want := make([]*home, slots), map[int]uint32{}
		for k := range homes {
			homes[k], want[4*k] = &home{slot: 4 * k}, uint32(100+k)
		}
		constant := &home{made: &Instr{In: tesla.Instruction{Op: tesla.OpMov, Src: [3]tesla.Operand{{Kind: tesla.Imm, Value: 7}}}}}
		var list []memoryCopy
		loads := 0
		for _, k := range r.Perm(slots)[:1+r.IntN(slots)] {
			c := memoryCopy{to: homes[k]}
			switch from := r.IntN(slots); r.IntN(6) {
			case 0:
				c.reg = Reg(1 + r.IntN(regs))
				want[4*k] = uint32(c.reg)
			case 1:
				c.from, want[4*k] = constant, 7
			default:
				if from == k {
					continue // copies to themselves are left out before
				}
				c.from, want[4*k] = homes[from], uint32(100+from)
				loads++
			}
			list = append(list, c)
		}
		w.memoryCopies(list)
		memory, words := map[int]uint32{}, map[Reg]uint32{1: 1, 2: 2, 3: 3}
		for k := range homes {
			memory[4*k] = uint32(100 + k)
		}
		for _, in := range w.out {
			switch o := in.In.Src[0]; in.In.Op {
			case tesla.OpMov:
				words[in.Dst.Regs[0]] = o.Value
			case tesla.OpLdLocal:
				words[in.Dst.Regs[0]] = memory[int(o.Value)]
			case tesla.OpStLocal:
				memory[int(o.Value)] = words[in.Src[1].Regs[0]]
			}
		}
		require.Equal(t, want, memory)
		require.Equal(t, len(list), f.spills.Stores)
		require.Equal(t, loads, f.spills.Loads, "each home is loaded once for each copy, cycle or not")
	}
}
