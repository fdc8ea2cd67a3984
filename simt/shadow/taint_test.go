package shadow

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt/engine/reference"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// computing are the classes of operations that compute a value.
var computing = map[tesla.Class]bool{
	tesla.ClassMove: true, tesla.ClassInteger: true, tesla.ClassFloat: true,
	tesla.ClassDouble: true, tesla.ClassSpecial: true, tesla.ClassConvert: true,
}

// instructions returns random instructions that compute, the same number of each operation.
func instructions(r *rand.Rand, each int) (list []tesla.Instruction) {
	count := map[tesla.Op]int{}
	for range 3_000_000 {
		in := decoder.Decode(tesla.SM13, r.Uint32()|1, r.Uint32())
		if in.Bad != tesla.OK || !computing[in.Op.Class()] || count[in.Op] == each || in.Op == tesla.OpMovFromSpecial {
			continue
		}
		p, err := program.Lower(program.Kernel{Arch: tesla.SM13, Registers: 128, Code: []tesla.Instruction{in}})
		if err != nil || p.Code[0].Refusal != nil {
			continue
		}
		count[in.Op]++
		list = append(list, in)
	}
	return list
}

// randomWord returns a word of width bits, often a small one.
func randomWord(r *rand.Rand, width int) uint64 {
	v := r.Uint64()
	switch r.IntN(4) {
	case 0:
		v >>= r.IntN(64)
	case 1:
		v = -(v >> r.IntN(64))
	case 2:
		v = uint64(r.IntN(4))
	}
	return v & ones(width)
}

// few returns at most four set bits, or a run of them.
func few(r *rand.Rand, width int) (m uint64) {
	switch r.IntN(3) {
	case 0:
		return 0
	case 1:
		for range r.IntN(4) {
			m |= 1 << r.IntN(width)
		}
		return m
	}
	return ones(1+r.IntN(4)) << r.IntN(width) & ones(width)
}

// subsets calls do for each subset of the bits of m.
func subsets(m uint64, do func(uint64)) {
	for s := m; ; s = (s - 1) & m {
		do(s)
		if s == 0 {
			return
		}
	}
}

// changes returns all bits of the result and the flags that change if free bits do.
func changes(o *operation, kernel *program.Kernel) (sum outcome) {
	compute := func(x, y, z, carry uint64) reference.Result {
		c := reference.Operation{In: o.in, Kernel: kernel, Flags: uint8(carry)}
		c.A, c.B, c.C = x, y, z
		return c.Compute()
	}
	flip := func(x value, s uint64) uint64 { return x.v ^ s }
	first := compute(o.src[0].v, o.src[1].v, o.src[2].v, o.carry.v)
	subsets(o.src[0].free, func(a uint64) {
		subsets(o.src[1].free, func(b uint64) {
			subsets(o.src[2].free, func(c uint64) {
				subsets(o.carry.free, func(f uint64) {
					r := compute(flip(o.src[0], a), flip(o.src[1], b), flip(o.src[2], c), o.carry.v^f)
					sum.free |= r.Value ^ first.Value
					sum.flags |= r.Flags ^ first.Flags
				})
			})
		})
	})
	return sum
}

// Bits that are told to be defined stay whatever the free bits are. Each operation is compared with
// the reference engine, which computes with all values of the free bits.
func TestFreeCoversChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	kernel := &program.Kernel{Arch: tesla.SM13}
	tested := map[tesla.Op]int{}
	exact, told := map[tesla.Op]int{}, map[tesla.Op]int{}
	for _, in := range instructions(r, 60) {
		for range 100 {
			o := operation{in: &in}
			for i := range in.Src {
				if in.Src[i].Kind == tesla.None {
					continue
				}
				n := widthOf(&in, i)
				o.src[i] = value{randomWord(r, n), few(r, n)}
			}
			if in.Op == tesla.OpShlToAddr || in.Src[1].Kind == tesla.Imm {
				o.src[1] = value{uint64(in.Src[1].Value), 0}
			}
			if in.CarryIn != tesla.NoCond {
				o.carry = value{uint64(r.IntN(16)), uint64(r.IntN(16))}
			}
			got, want := o.free(), changes(&o, kernel)
			if in.Dst.Kind == tesla.Half || in.Dst.Kind == tesla.AddrReg {
				want.free &= 0xffff
			}
			require.Zero(t, want.free&^got.free, "%s: %#x: bits %#x, told %#x", in.String(), o.src, want.free, got.free)
			if in.CDst != tesla.NoCond {
				require.Zero(t, want.flags&^got.flags, "%s: %#x: flags %#x, told %#x", in.String(), o.src, want.flags, got.flags)
			}
			tested[in.Op]++
			told[in.Op] += bits.OnesCount32(uint32(got.free))
			exact[in.Op] += bits.OnesCount32(uint32(want.free))
		}
	}
	for op := range tesla.Op(tesla.Ops) {
		if computing[op.Class()] && op != tesla.OpMovFromSpecial {
			require.NotZero(t, tested[op], op)
			t.Logf("%-14v %6d tested; %7d bits told, %7d change", op, tested[op], told[op], exact[op])
		}
	}
	for _, op := range []tesla.Op{tesla.OpLogic, tesla.OpMov, tesla.OpMovToCond, tesla.OpMovFromAddr} {
		require.Equal(t, exact[op], told[op], op)
	}
}
