package findings

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/chromium"
	"jacquard/simt/check"
)

// withCode adds the code around the instructions of a sample's race.
func withCode(r *Report) *Report {
	for _, s := range []*check.Site{&r.Findings[1].At, &r.Findings[1].With[0]} {
		s.Device.Around = []check.Point{{PC: 0x48, Text: "st b32 s[$ofs1+0x10] $r1"}, {PC: 0x50, Text: "bar <none>"}, {PC: 0x60, Text: "mov b32 $r1 s[$ofs1+0x10]"}}
	}
	return r
}

func pageOf(t *testing.T, r *Report) string {
	t.Helper()
	var b strings.Builder
	s := sources()
	require.NoError(t, r.HTML(&b, &s, nil))
	return b.String()
}

// A page has each finding, each place with the lines around it, and the place marked.
func TestPage(t *testing.T) {
	p := pageOf(t, withCode(sample()))
	require.Equal(t, 7, strings.Count(p, "<section "))
	require.Contains(t, p, "<h1>Mistakes of ./known 1</h1>")
	require.Contains(t, p, `<a href="#finding-2"><b>race read-write shared</b> known.cu:3, known.cu:4</a>`)
	require.Contains(t, p, `race read-write shared <small>128 times</small>`)
	require.Contains(t, p, "<summary>1 note: ")
	require.Regexp(t, `<mark><i>3</i>\ts\[threadIdx\.x`, p)
	require.Contains(t, p, "<mark><i>0x60</i>mov b32 $r1 s[$ofs1&#43;0x10]</mark>")
	require.Contains(t, p, "<span><i>0x50</i>bar &lt;none&gt;</span>")
	require.Contains(t, p, "<p class=\"who\">by block (0,0), thread (15,1,0) (warp 0, lane 31)</p>")
	require.NotRegexp(t, regexp.MustCompile(`<script|src=|https?:`), p, "the page needs nothing else")
	require.Equal(t, p, pageOf(t, withCode(sample())))

	many := sample()
	for range mostOnPage {
		many.Findings = append(many.Findings, many.Findings[0])
	}
	require.Contains(t, pageOf(t, many), "<p>6 more are in the text of the report.</p>")
	p = pageOf(t, &Report{Checks: check.All, Complete: true})
	require.Contains(t, p, "no mistakes found; checked: memory")
	require.NotContains(t, p, "<nav")
}

// The JSON of a report has no code around instructions: the page alone shows it.
func TestAround(t *testing.T) {
	var with, without strings.Builder
	require.NoError(t, withCode(sample()).JSON(&with))
	require.NoError(t, sample().JSON(&without))
	require.Equal(t, without.String(), with.String())
}

// TestBrowserPage shows the page on large and small screens.
func TestBrowserPage(t *testing.T) {
	b := chromium.Start(t, "../../build/findings")
	for _, c := range []struct {
		name, scheme  string
		width, height int
		beside        bool
	}{{"large", "light", 1280, 900, true}, {"small", "dark", 390, 844, false}} {
		b.Look(c.width, c.height, c.scheme)
		b.Open([]byte(pageOf(t, withCode(sample()))))
		require.Equal(t, true, b.Eval(`document.documentElement.scrollWidth <= innerWidth`), c.name)
		require.Equal(t, c.beside, b.Eval(`{ const [x, y] = document.querySelectorAll("#finding-2 article"); x.getBoundingClientRect().top === y.getBoundingClientRect().top }`))
		b.Eval(`document.querySelectorAll("nav a")[1].click()`)
		require.Equal(t, "finding-2", b.Eval(`document.querySelector("section:target").id`))
		b.Shot(c.name)
		require.Empty(t, b.Faults())
		require.Empty(t, b.Complaints())
	}
}
