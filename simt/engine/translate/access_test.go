package translate

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/engine"
	"jacquard/simt/engine/interp"
	"jacquard/simt/engine/translate/host"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// accessForms are accesses at the addresses in $r1 or $a1.
var accessForms = []string{
	"ld u8 $r4 g14[$r1]", "ld s8 $r4 g14[$r1]", "ld u16 $r4 g14[$r1]", "ld s16 $r4 g14[$r1]",
	"ld b32 $r4 g14[$r1]", "ld b64 $r4d g14[$r1]", "ld b128 $r4q g14[$r1]", "ld b32 $r1 g14[$r1]",
	"st u8 g14[$r1] $r4", "st s16 g14[$r1] $r4", "st b32 g14[$r1] $r4", "st b64 g14[$r1] $r4d",
	"st b128 g14[$r1] $r4q", "st b32 g14[$r1] $r1",

	"ld u8 $r4 g15[$r1]", "ld b32 $r4 g15[$r1]", "ld b64 $r4d g15[$r1]",

	"ld u8 $r4 l[$a1]", "ld s8 $r4 l[$a1+0x5]", "ld u16 $r4 l[$a1]", "ld s16 $r4 l[$a1+0x20]",
	"ld b32 $r4 l[$a1]", "ld b64 $r4d l[$a1+0x8]", "ld b128 $r4q l[$a1]",
	"st u8 l[$a1] $r4", "st s16 l[$a1+0x2] $r4", "st b32 l[$a1] $r4", "st b64 l[$a1] $r4d", "st b128 l[$a1+0x10] $r4q",

	"ld $r4 u8 s[$a1]", "ld $r4 u16 s[$a1]", "ld $r4 s16 s[$a1+0x24]", "ld $r4 b32 s[$a1]", "ld $r8h u8 s[$a1]",
	"st b8 s[$a1] $r8l", "st b16 s[$a1] $r8l", "st b16 s[$a1+0x12] $r8h", "st b32 s[$a1] $r4",

	"ld $r4 u8 c1[$a1]", "ld $r4 u16 c1[$a1]", "ld $r4 s16 c2[$a1+0x24]", "ld $r4 b32 c1[$a1]", "ld $r8l s16 c2[$a1]",

	"add b32 $r4 b32 s[$a1+0x24] $r4", "add b32 $r4 u8 s[$a1] $r5", "add b32 $r4 s16 s[$a1] $r6",
	"max f32 $r4 $r5 c1[$a1+0x4]", "sub b16 $r8h $r8h c2[$a1+0x4]",
}

// access is the instruction of an access.
type access struct {
	p      *program.Program
	space  program.Space
	size   uint32
	offset uint32
	limit  uint32
}

func accessOf(p *program.Program, s *accessSide) access {
	u := &p.Code[0]
	a := access{p: p, space: u.Space, offset: u.Addr.Offset}
	bank, typ := u.Ins.Src[0].Index, u.Ins.Type
	for i := range u.Src {
		switch x := &u.Src[i]; x.Mode {
		case program.SrcSharedAt:
			a.space, a.offset, typ = program.SpaceShared, x.At.Offset, x.Type
		case program.SrcConstAt:
			a.space, a.offset, typ, bank = program.SpaceConst, x.At.Offset, x.Type, x.Bank
		}
	}
	a.size = uint32(mem.Size(typ))
	switch a.space {
	case program.SpaceGlobal:
		a.limit = allocationBytes
	case program.SpaceFence:
		a.limit = uint32(len(mem.FencePage{}.Window()))
	case program.SpaceShared:
		a.limit = sharedBytes
	case program.SpaceLocal:
		a.limit = uint32(4 * mem.LocalRows(localBytes))
	case program.SpaceConst:
		a.limit = uint32(len(s.st.Const[bank]))
	}
	return a
}

// cost returns the cost by the rules of package mem.
func (a *access) cost(at *lane.Row, m lane.Mask) (c mem.Cost) {
	switch a.space {
	case program.SpaceGlobal, program.SpaceFence:
		c.Device.Count(at, m, a.size)
	case program.SpaceLocal:
		c.Device.CountLocal(at, m, a.size)
	case program.SpaceShared:
		c.Shared.CountShared(at, m, a.size)
	case program.SpaceConst:
		c.Const.CountConst(at, m)
	}
	return c
}

// fits reports whether all accesses are aligned and in the words that offsets from base reach.
func (a *access) fits(at *lane.Row, m lane.Mask, base uint32) bool {
	for ; m != 0; m &= m - 1 {
		off := at[bits.TrailingZeros32(uint32(m))] - base
		if off%a.size != 0 || uint64(off)+uint64(a.size) > uint64(a.limit&^3) {
			return false
		}
	}
	return true
}

// Accesses in translated code do what the interpreter does, at the costs that package mem tells.
func TestAccess(t *testing.T) {
	for _, simd := range []string{"avx512", "avx2"} {
		for _, text := range accessForms {
			t.Run(simd+" "+text, func(t *testing.T) {
				if _, err := host.Find(simd); err != nil {
					t.Skip(err)
				}
				testAccess(t, accessProgram(t, simd, text), false)
				testAccess(t, accessProgram(t, simd, "(c $c0) "+text), true)
			})
		}
	}
}

// accessSides returns the access of a program by the interpreter and by translated code.
func accessSides(t *testing.T, p *program.Program) (what access, interpreted, translated *accessSide) {
	want, err := interp.Compile(p)
	require.NoError(t, err)
	got, err := CompileHot(p)
	require.NoError(t, err)
	interpreted, translated = newAccessSide(t, p, want), newAccessSide(t, p, got)
	return accessOf(p, interpreted), interpreted, translated
}

func testAccess(t *testing.T, p *program.Program, guarded bool) {
	what, a, b := accessSides(t, p)
	r := rand.New(rand.NewPCG(4, 5))
	for n, x := range patterns(what.size, what.limit, r) {
		for _, m := range masks(r) {
			if m == 0 && !guarded {
				continue
			}
			at, base := x.at, uint32(0)
			switch {
			case what.space != program.SpaceGlobal:
				for i := range at {
					at[i] &= 0xffff
				}
			case n%7 == 3: // lanes in both allocations
				for i := range at {
					at[i] += a.bases[r.IntN(2)]
				}
				base = a.bases[0]
			default:
				base = a.bases[n%2]
				for i := range at {
					at[i] += base
				}
			}
			for i := range at {
				if m>>i&1 == 0 && r.IntN(2) == 0 {
					at[i] = r.Uint32()
				}
			}
			lanes := m
			if guarded {
				lanes |= lane.Mask(-uint32(r.IntN(2)) | r.Uint32())
			}
			describe := fmt.Sprintf("%s, %s, lanes %08x of %08x", p.Kernel.Name, x.name, m, lanes)
			compareAccess(t, &what, a, b, at, base, m, lanes, describe)
			if lanes != lane.All {
				continue
			}
			for _, away := range []uint32{segment, 2 * segment, 4 * r.Uint32N(100)} {
				// The same pattern elsewhere.
				moved := at
				for i := range moved {
					moved[i] += away
				}
				for i := range b.eng.(*Engine).patterns { // do not wait: see TestPatterns
					b.eng.(*Engine).patterns[i].wait = 0
				}
				compareAccess(t, &what, a, b, moved, base, m, lanes, fmt.Sprintf("%s, %d bytes on", describe, away))
			}
		}
	}
	require.Equal(t, a.st.Counts.Off, b.st.Counts.Off)
}

// compareAccess makes both sides access twice; the second access has the window of the first.
func compareAccess(t *testing.T, what *access, a, b *accessSide, at lane.Row, base uint32, m, lanes lane.Mask, describe string) {
	compareAccesses(t, 2, what, a, b, at, base, m, lanes, describe)
}

// compareAccesses is compareAccess for a number of times.
func compareAccesses(t *testing.T, times uint64, what *access, a, b *accessSide, at lane.Row, base uint32, m, lanes lane.Mask, describe string) {
	p, regs := what.p, at
	if what.space != program.SpaceGlobal {
		for i := range regs {
			regs[i] -= what.offset
			at[i] &= 0xffff
		}
	}
	for seed := range times {
		a.set(p, seed, &regs, m)
		b.set(p, seed, &regs, m)
		b.slow = 0
		s := lane.Sel{Full: true}
		s.Add(1, lanes)
		a.eng.Run(&s, 0, 1)
		b.eng.(engine.Runner).RunOn(&engine.Turn{Warp: 1, Lanes: lanes, Stop: -1, Tells: program.Tells(p, 1<<branch.Branch, nil), Room: 100})
		fault, other := a.st.Caught(), b.st.Caught()
		require.Equal(t, fault, other, describe)
		if cost := total(a.st, 0); cost != total(b.st, 0) || fault == nil && cost != what.cost(&at, m) {
			require.Equal(t, what.cost(&at, m), cost, "package mem: "+describe)
			require.Equal(t, cost, total(b.st, 0), describe)
		}
		aimed := what.space != program.SpaceGlobal || m&(lanes&-lanes) != 0 // the lowest lane aims
		if fault == nil && seed > 0 && aimed && what.fits(&at, m, base) {
			require.Zero(t, b.slow, describe)
		}
		for n := range a.st.Step {
			if x, y := a.st.RegisterRow(n, 1), b.st.RegisterRow(n, 1); *x != *y {
				require.Equal(t, *x, *y, "register %d: %s", n, describe)
			}
		}
		require.True(t, slices.EqualFunc(a.memory(), b.memory(), bytes.Equal), describe)
		require.True(t, slices.Equal(a.st.Local, b.st.Local), describe)
	}
}
