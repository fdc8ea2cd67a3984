package lane

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/fpu"
	"jacquard/tesla"
)

// pairKernel is a kernel on pairs and its reference for one lane: the new destination and flags.
type pairKernel struct {
	name string
	run  func(d, a, b, c Rows64, f []Flags, s *Sel)
	ref  func(d, a, b, c uint64) (uint64, fpu.Flags)
}

// doubleKernels lists the f64 kernels, each with the flags of its results.
func doubleKernels(t *testing.T) []pairKernel {
	t.Helper()
	list := []pairKernel{
		{"DMin", func(d, a, b, _ Rows64, f []Flags, s *Sel) { DMin(d, a, b, s); DFlags(f, d, s) },
			func(_, a, b, _ uint64) (uint64, fpu.Flags) { return flagged(fpu.Min64(a, b)) }},
		{"DMax", func(d, a, b, _ Rows64, f []Flags, s *Sel) { DMax(d, a, b, s); DFlags(f, d, s) },
			func(_, a, b, _ uint64) (uint64, fpu.Flags) { return flagged(fpu.Max64(a, b)) }},
		{"DModify", func(d, a, _, _ Rows64, f []Flags, s *Sel) { DModify(d, a, true, true, s); DFlags(f, d, s) },
			func(_, a, _, _ uint64) (uint64, fpu.Flags) { return flagged(fpu.Modify64(a, true, true)) }},
	}
	for r := range tesla.RZ + 1 {
		list = append(list,
			pairKernel{fmt.Sprintf("DAdd %d", r),
				func(d, a, b, _ Rows64, f []Flags, s *Sel) { DAdd(d, a, b, r, s); DFlags(f, d, s) },
				func(_, a, b, _ uint64) (uint64, fpu.Flags) { return flagged(fpu.Add64(a, b, fpu.Round(r))) }},
			pairKernel{fmt.Sprintf("DMul %d", r),
				func(d, a, b, _ Rows64, f []Flags, s *Sel) { DMul(d, a, b, r, s); DFlags(f, d, s) },
				func(_, a, b, _ uint64) (uint64, fpu.Flags) { return flagged(fpu.Mul64(a, b, fpu.Round(r))) }},
			pairKernel{fmt.Sprintf("DFma %d", r),
				func(d, a, b, c Rows64, f []Flags, s *Sel) { DFma(d, a, b, c, r, s); DFlags(f, d, s) },
				func(_, a, b, c uint64) (uint64, fpu.Flags) { return flagged(fpu.Fma64(a, b, c, fpu.Round(r))) }},
		)
	}
	for cmp := range uint8(16) {
		m := new([MaxWarps]Mask)
		list = append(list, pairKernel{fmt.Sprintf("DCompare %d", cmp),
			func(d, a, b, _ Rows64, f []Flags, s *Sel) {
				DCompare(m, a, b, cmp, s)
				Expand(d.Lo, m, s)
				MaskFlags(f, m, s)
			},
			func(d, a, b, _ uint64) (uint64, fpu.Flags) {
				if uint8(fpu.Compare64(a, b))&cmp != 0 {
					return d | low, fpu.Sign
				}
				return d &^ low, fpu.Zero
			}})
	}
	types := []tesla.Type{tesla.U32, tesla.S32, tesla.U64, tesla.S64, tesla.F32, tesla.F64}
	for _, to := range types {
		for _, from := range types {
			run, ok := CvtKernel64(to, from, tesla.RP, true, true, true, true)
			if !ok {
				continue
			}
			c, ok := Conversion(to, from, tesla.RP, true, true, true, true)
			require.True(t, ok)
			list = append(list, pairKernel{c.String(),
				func(d, a, _, _ Rows64, f []Flags, s *Sel) { run(d, a, f, s) },
				func(d, a, _, _ uint64) (uint64, fpu.Flags) {
					r, f := c.Do(a)
					if !is64(to) {
						r |= d &^ low
					}
					return r, f
				}})
			// Plain ones that leave no flags have kernels of their own.
			for r := range tesla.RZ + 1 {
				run, _ := CvtKernel64(to, from, r, false, false, false, false)
				c, _ := Conversion(to, from, r, false, false, false, false)
				list = append(list, pairKernel{c.String() + " without flags",
					func(d, a, _, _ Rows64, _ []Flags, s *Sel) { run(d, a, nil, s) },
					func(d, a, _, _ uint64) (uint64, fpu.Flags) {
						r, _ := c.Do(a)
						if !is64(to) {
							r |= d &^ low
						}
						return r, 0
					}})
			}
		}
	}
	return list
}

// low are the bits of a pair that a result of 32 bits fills.
const low = 1<<32 - 1

func flagged(r uint64) (uint64, fpu.Flags) { return r, fpu.Flags64(r) }

// doubleWord draws an f64 of an interesting kind; random halves would rarely make one.
func doubleWord(rnd *rand.Rand) uint64 {
	x := rnd.Uint64()
	switch rnd.IntN(4) {
	case 0:
		corners := []uint64{0, 1, 1 << 52, 0x3ff << 52, 0x7fe<<52 + 1, 0x7ff << 52, 0x7ff<<52 + 1, 0x7ff8 << 48}
		return corners[rnd.IntN(len(corners))] | x&(1<<63)
	case 1:
		return x
	}
	return x&^(0x7ff<<52) | (1015+x>>3%16)<<52
}

// TestPairs runs each kernel on pairs of six registers; pairs may overlap by a half.
func TestPairs(t *testing.T) {
	const registers = 6
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, k := range doubleKernels(t) {
		for range 8 {
			for _, regs := range [][4]int{{0, 2, 4, 2}, {0, 0, 2, 4}, {2, 0, 2, 2}, {1, 0, 2, 3}, {2, 3, 1, 0}, {3, 3, 3, 2}} {
				var before [registers * MaxWarps]Row
				for w := range MaxWarps {
					for i := range Width {
						for r := 0; r < registers; r += 2 {
							x := doubleWord(rnd)
							before[r*MaxWarps+w][i], before[(r+1)*MaxWarps+w][i] = uint32(x), uint32(x>>32)
						}
					}
				}
				checkPairs(t, k, &before, regs, randomSel(rnd))
			}
		}
	}
}

// FuzzPairs is TestPairs on words of the fuzzer's choice and their neighbours.
func FuzzPairs(f *testing.F) {
	f.Add(uint64(1), uint64(0x0010000000000000), uint64(0x3fefffffffffffff), uint64(1))
	f.Add(uint64(2), uint64(0x7fefffffffffffff), uint64(0xffefffffffffffff), uint64(0x7ff0000000000001))
	f.Add(uint64(3), uint64(0x41dfffffffe00000), uint64(0x36a0000000000000), uint64(0x380fffffffffffff))
	var kernels []pairKernel
	f.Fuzz(func(t *testing.T, seed, a, b, c uint64) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var regs [6 * MaxWarps]Row
		for w := range MaxWarps {
			for i := range Width {
				for r, x := range []uint64{a, b, c} {
					x += rnd.Uint64N(9) - 4
					regs[2*r*MaxWarps+w][i], regs[(2*r+1)*MaxWarps+w][i] = uint32(x), uint32(x>>32)
				}
			}
		}
		s := randomSel(rnd)
		if kernels == nil {
			kernels = doubleKernels(t)
		}
		for _, k := range kernels {
			checkPairs(t, k, &regs, [4]int{0, 0, 2, 4}, s)
		}
	})
}

func checkPairs(t *testing.T, k pairKernel, before *[6 * MaxWarps]Row, regs [4]int, s *Sel) {
	t.Helper()
	word := func(f *[6 * MaxWarps]Row, r, w, i int) uint64 {
		return uint64(f[(r+1)*MaxWarps+w][i])<<32 | uint64(f[r*MaxWarps+w][i])
	}
	after, want := *before, *before
	var flags, wantFlags [MaxWarps]Flags
	for n := range s.N {
		w := int(s.Warp[n])
		for i := range Width {
			if s.Mask[n]>>i&1 == 0 {
				continue
			}
			r, f := k.ref(word(before, regs[0], w, i), word(before, regs[1], w, i), word(before, regs[2], w, i), word(before, regs[3], w, i))
			want[regs[0]*MaxWarps+w][i], want[(regs[0]+1)*MaxWarps+w][i] = uint32(r), uint32(r>>32)
			wantFlags[w].set(i, f)
		}
	}
	pair := func(r int) Rows64 {
		return Rows64{RowsOf(&after[r*MaxWarps], 1), RowsOf(&after[(r+1)*MaxWarps], 1)}
	}
	k.run(pair(regs[0]), pair(regs[1]), pair(regs[2]), pair(regs[3]), flags[:], s)
	require.Equal(t, wantFlags, flags, "%s on %v", k.name, regs)
	for r := range want {
		for i := range want[r] {
			if want[r][i] != after[r][i] {
				require.Equal(t, want[r][i], after[r][i], "%s on %v, register %d, warp %d, lane %d",
					k.name, regs, r/MaxWarps, r%MaxWarps, i)
			}
		}
	}
}

func TestPairKernelsDoNotAllocate(t *testing.T) {
	var regs [6 * MaxWarps]Row
	var flags [MaxWarps]Flags
	s := &Sel{N: 2, Warp: [MaxWarps]uint8{0, 3}, Mask: [MaxWarps]Mask{All, 0x5a5a}}
	pair := func(r int) Rows64 {
		return Rows64{RowsOf(&regs[r*MaxWarps], 1), RowsOf(&regs[(r+1)*MaxWarps], 1)}
	}
	for _, k := range doubleKernels(t) {
		n := testing.AllocsPerRun(20, func() { k.run(pair(0), pair(2), pair(4), pair(2), flags[:], s) })
		require.Zero(t, n, "%s", k.name)
	}
}
