package report

import (
	"bytes"
	"errors"
	"html/template"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/stats"
	"jacquard/tesla"
)

func TestRead(t *testing.T) {
	r := read(t, mesa(t, "vecadd", "reduce", "vecadd", "nested"))
	require.Len(t, r.Launches, 4)
	require.Len(t, r.Kernels, 3)
	require.Equal(t, "nested", r.Kernels[0].Name, "that with the most issues is first")
	var issues, threads uint64
	for i, k := range r.Kernels {
		require.Equal(t, i+1, k.Rank)
		issues += k.Sum.WarpInstructions
		threads += k.Sum.ThreadInstructions
		var ofIssues, ofThreads, active uint64
		for i := range k.Sum.ByInstruction {
			require.Equal(t, k.PCs[i], k.Sum.ByInstruction[i].PC)
			ofIssues += k.Sum.ByInstruction[i].Issues
			ofThreads += k.Sum.ByInstruction[i].Threads
		}
		for _, n := range k.Sum.Active {
			active += n
		}
		require.Equal(t, k.Sum.WarpInstructions, ofIssues)
		require.Equal(t, k.Sum.WarpInstructions, active)
		require.Equal(t, k.Sum.ThreadInstructions, ofThreads)
		all := total(exactness(k))
		require.Equal(t, k.Sum.WarpInstructions, all.Issues)
		require.Equal(t, k.Sum.ThreadInstructions, all.Threads)
	}
	require.Equal(t, r.Total.WarpInstructions, issues)
	require.Equal(t, r.Total.ThreadInstructions, threads)
	last := r.Kernels[2]
	require.Equal(t, "vecadd", last.Name)
	require.Equal(t, 2, last.Launches)
	require.Equal(t, r.Launches[0].Issues+r.Launches[2].Issues, last.Sum.WarpInstructions)
	require.Same(t, r.Launches[0].Kernel, r.Launches[2].Kernel)
}

// Kernels of one name are distinguished.
func TestTwins(t *testing.T) {
	r := read(t, bytes.ReplaceAll(mesa(t, "vecadd", "reduce", "scan"), []byte(`"name":"scan"`), []byte(`"name":"reduce"`)))
	require.Len(t, r.Kernels, 3)
	apart := map[string]int{}
	for _, k := range r.Kernels {
		apart[k.Name+" "+k.Apart()]++
	}
	require.Len(t, apart, 3)
	require.Equal(t, 1, apart["vecadd "])
	require.Contains(t, string(written(t, r)), "sm_13 "+r.Kernels[0].Hash)
}

func TestForeign(t *testing.T) {
	_, err := Read(strings.NewReader("hello"), "")
	var bad *stats.FormatError
	require.True(t, errors.As(err, &bad), err)
}

func TestFormats(t *testing.T) {
	for n, want := range map[uint64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		require.Equal(t, want, count(n))
	}
	for _, c := range []struct {
		part, whole uint64
		want        string
	}{{0, 0, ""}, {0, 9, "0 %"}, {1, 1 << 20, "< 0.1 %"}, {1, 3, "33.3 %"}, {9999, 10000, "> 99.9 %"}, {7, 7, "100 %"}} {
		require.Equal(t, c.want, percent(c.part, c.whole))
	}
	require.Equal(t, "4×2×1", shape(4, 2, 1))
}

func TestRamps(t *testing.T) {
	for name, ramp := range map[string]struct {
		colours [levels]string
		up      bool
	}{"light": {lightRamp, false}, "dark": {darkRamp, true}} {
		for i, c := range ramp.colours {
			s := inked(c)
			require.GreaterOrEqual(t, contrast(s.ground, s.ink), 4.5, "%s %d", name, i)
			if i > 0 {
				require.Equal(t, ramp.up, luminance(c) > luminance(ramp.colours[i-1]), "%s %d", name, i)
			}
		}
	}
	require.InDelta(t, 21, contrast("#ffffff", "#000000"), 0.01)
	require.Equal(t, -1, level(0, 10))
	require.Equal(t, 0, level(0.1, 10))
	require.Equal(t, levels-1, level(10, 10))
	require.Equal(t, levels-1, level(11, 10))
}

func TestOnly(t *testing.T) {
	data := mesa(t, "vecadd", "reduce", "vecadd", "nested")
	r, err := Read(bytes.NewReader(data), "", "vecadd", "reduce")
	require.NoError(t, err)
	require.Len(t, r.Launches, 3)
	require.Len(t, r.Kernels, 2)
	require.Equal(t, r.Total.WarpInstructions, r.Kernels[0].Sum.WarpInstructions+r.Kernels[1].Sum.WarpInstructions)

	_, err = Read(bytes.NewReader(data), "", "scan")
	var none *KernelError
	require.ErrorAs(t, err, &none)
	require.EqualError(t, err, `the run has no kernel "scan": it has vecadd, reduce, nested`)
}

func TestLimits(t *testing.T) {
	r := &Report{Kernels: make([]*Kernel, 3)}
	for i := range r.Kernels {
		r.Kernels[i] = &Kernel{Kernel: &stats.Kernel{Code: make([]tesla.Instruction, mostLines/2)}}
	}
	require.Equal(t, 2, r.coded())
	r.Kernels[0].Code = make([]tesla.Instruction, mostLines+1)
	require.Equal(t, 0, r.coded())
	for i := range 3*mostLaunches + 500 {
		l := &stats.Launch{Number: i}
		l.Stats.WarpInstructions = uint64(i % 1500)
		r.add(r.Kernels[0], l)
		require.LessOrEqual(t, len(r.Launches), 2*mostLaunches)
	}
	r.keep()
	require.Equal(t, 3*mostLaunches+500, r.Count)
	require.Len(t, r.Launches, mostLaunches)
	for i, l := range r.Launches {
		if i < mostLaunches/2 {
			require.Equal(t, i, l.Number)
			continue
		}
		require.Greater(t, l.Number, r.Launches[i-1].Number)
		require.GreaterOrEqual(t, l.Issues, uint64(1100), "those left out have fewer")
	}
}

// Text has enough contrast on every ground, light or dark.
func TestContrast(t *testing.T) {
	var colours [2]map[string]string
	for i := range colours {
		colours[i] = map[string]string{}
	}
	for _, m := range regexp.MustCompile(`--([a-z]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)`).FindAllStringSubmatch(asset("page.css"), -1) {
		colours[0][m[1]], colours[1][m[1]] = m[2], m[3]
	}
	for i, theme := range [...]string{"light", "dark"} {
		for _, ink := range []string{"ink", "soft", "accent", "warps", "lanes", "poor"} {
			for _, ground := range []string{"ground", "panel", "raised", "select"} {
				require.Contains(t, colours[i], ink)
				require.Contains(t, colours[i], ground)
				require.GreaterOrEqual(t, contrast(colours[i][ink], colours[i][ground]), 4.5, "%s on %s, %s", ink, ground, theme)
			}
		}
		for _, dot := range []string{"good", "fair", "flow"} { // not text
			require.GreaterOrEqual(t, contrast(colours[i][dot], colours[i]["panel"]), 3.0, "%s, %s", dot, theme)
		}
	}
}

// An instruction has an attribute for every level, but none for no colour.
func TestLevels(t *testing.T) {
	require.Equal(t, template.HTMLAttr(`data-i="0" data-m="8" `), (&line{Heat: [3]int{0, -1, levels - 1}}).Levels())
}
