package translate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"jacquard/simt/engine/translate/host"
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// Accesses whose patterns stay for a while, alternate, or come once, from any base, do what the
// interpreter does at the costs of package mem.
func TestPatterns(t *testing.T) {
	for _, simd := range []string{host.AVX2, host.AVX512} {
		if _, err := host.Find(simd); err != nil {
			t.Log(err)
			continue
		}
		for _, text := range accessForms {
			t.Run(simd+"/"+text, func(t *testing.T) { testPatterns(t, simd, text) })
		}
	}
}

func testPatterns(t *testing.T, simd, text string) {
	p := accessProgram(t, simd, text)
	what, a, b := accessSides(t, p)
	r := rand.New(rand.NewPCG(6, 7))
	list := patterns(what.size, what.limit, r)
	x, stay := 0, 1
	for n := range 1500 {
		if n%200 == 0 { // how long patterns stay
			stay = 1 + n/200%4*3
		}
		if r.IntN(stay) == 0 {
			x = r.IntN(len(list))
		}
		at, base, away := list[x].at, uint32(0), what.size*r.Uint32N(200)
		if r.IntN(4) == 0 { // to the end of the memory
			away = what.limit - what.size - slices.Max(at[:])
		}
		if what.space == program.SpaceGlobal {
			base = a.bases[0]
		}
		for i := range at {
			at[i] += base + away
		}
		m := lane.Mask(lane.All)
		if r.IntN(8) == 0 {
			m = lane.Mask(r.Uint32() | 1)
		}
		compareAccesses(t, 1, &what, a, b, at, base, m, m, fmt.Sprintf("%d: %s, %s, %d bytes on, lanes %08x", n, text, list[x].name, away, m))
	}
}
