package player

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/chromium"
	"jacquard/observe/findings"
	"jacquard/observe/trace"
	"jacquard/simt/check"
)

// places makes a report of a finding with two places, which are the first and the last step of a trace
// with an address, and what Visit has to return for them.
func places(t *testing.T, f *trace.File) (r *findings.Report, want [2]string) {
	t.Helper()
	l := f.Launches[0]
	x := check.Finding{Kind: check.KindRace, What: "write-write", Level: check.Error, Kernel: l.Kernel.Name, Launch: l.Number, Count: 1, With: make([]check.Site, 1)}
	for s, err := range f.Steps(&trace.Filter{}) {
		require.NoError(t, err)
		for k := range s.N {
			for _, v := range s.Values {
				if v.Kind != trace.Address || v.Warp != int(s.Warp[k]) || v.Lanes == 0 {
					continue
				}
				first := bits.TrailingZeros32(uint32(v.Lanes))
				addr := v.Row[first]
				site := check.Site{Role: "write", Addr: &addr, Device: &check.Point{PC: l.Kernel.PCs[s.Index]},
					Where: []check.Thread{{Block: [2]int{s.Block % l.Grid[0], s.Block / l.Grid[0]}, Warp: v.Warp, Lanes: 1 << first}}}
				at := fmt.Sprint(0, s.Block, v.Warp, s.Time)
				if want[0] == "" {
					x.At, want[0] = site, at
				}
				x.With[0], want[1] = site, at
			}
		}
	}
	require.NotEqual(t, want[0], want[1])
	return &findings.Report{Complete: true, Findings: []check.Finding{x}}, want
}

// A place is found at the step that has its address, or else at the first of its instruction.
func TestOfFindings(t *testing.T) {
	f := recorded(t, "nested", "nvidia", ":values=all,block=0")
	r, want := places(t, f)
	p, err := OfFindings(f, r)
	require.NoError(t, err)
	x := &r.Findings[0]
	require.Equal(t, want[0], p.Visit(x, &x.At))
	require.Equal(t, want[1], p.Visit(x, &x.With[0]))
	require.Empty(t, p.Visit(x, &check.Site{Role: "copy"}))

	none := *r
	none.Findings = []check.Finding{*x}
	none.Findings[0].Launch = 7
	p, err = OfFindings(f, &none)
	require.NoError(t, err)
	require.Nil(t, p)
}

// TestBrowserFindings follows the buttons of a page of findings.
func TestBrowserFindings(t *testing.T) {
	b := browser{chromium.Start(t, "../../build/player")}
	f := recorded(t, "nested", "nvidia", ":values=all,block=0")
	r, _ := places(t, f)
	p, err := OfFindings(f, r)
	require.NoError(t, err)
	var page strings.Builder
	require.NoError(t, r.HTML(&page, &findings.Sources{}, p))
	for _, width := range []int{1280, 390} {
		b.Look(width, 844, "light")
		b.Open([]byte(page.String()))
		b.settle()
		require.Equal(t, float64(2), b.Eval(`[...document.querySelectorAll("[data-visit]")].filter(e => e.checkVisibility()).length`))
		for i, s := range []*check.Site{&r.Findings[0].At, &r.Findings[0].With[0]} {
			b.Eval(fmt.Sprintf(`document.querySelectorAll("[data-visit]")[%d].click()`, i))
			b.settle()
			require.Equal(t, fmt.Sprint(s.Where[0].Warp), b.Eval(`document.querySelector("[name=warp]").value`))
			require.Equal(t, fmt.Sprintf("%04x", s.Device.PC), b.Eval(`document.querySelector(".player .here span").textContent`))
		}
		require.Equal(t, true, b.Eval(`document.documentElement.scrollWidth <= innerWidth`))
		b.Shot(fmt.Sprintf("findings-%d", width))
		require.Empty(t, b.Faults())
		require.Empty(t, b.Complaints())
	}
}
