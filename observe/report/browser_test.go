package report

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/chromium"
	"jacquard/tesla"
)

// shown are the kernels of the test page, most issues first.
var shown = []string{"matmul", "reduce", "collatz", "calls", "mandelbrot", "scan", "vecadd", "matmul", "nested", "histogram", "sfumix"}

// TestBrowser uses pages as a reader would. Its screenshots are kept in build/report.
func TestBrowser(t *testing.T) {
	b := browse(t)
	statistics, trace := traced(t, shown...)
	r := read(t, statistics)
	require.NoError(t, r.AddTrace(trace))
	page := written(t, r)
	for _, c := range []struct {
		name  string
		check func(*browser)
	}{
		{"views", checkViews}, {"instructions", checkInstructions}, {"heat", checkHeat}, {"graph", checkGraph}, {"colours", checkColours},
		{"help", checkHelp}, {"sorting", checkSorting}, {"names", checkNames}, {"focus", checkFocus}, {"screens", checkScreens}, {"faults", checkFaults}, {"packed", checkPacked}, {"timeline", checkTimeline}, {"player", checkPlayer}, {"printing", checkPrinting},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.T = t
			b.Look(1440, 900, "light")
			b.Open(page)
			c.check(b)
			require.Empty(t, b.Complaints())
		})
	}
	b.T = t
}

// browser shows the report's pages.
type browser struct{ *chromium.Browser }

func browse(t testing.TB) *browser {
	return &browser{chromium.Start(t, "../../build/report")}
}

// visible is an expression: whether an element exists and can be seen.
func visible(selector string) string {
	return fmt.Sprintf(`(e => !!e && e.checkVisibility())(document.querySelector(%q))`, selector)
}

// goTo opens a view of the page.
func (b *browser) goTo(view string) {
	b.T.Helper()
	b.Eval(fmt.Sprintf(`location.hash = %q`, view))
	b.Wait(visible("#" + view))
}

// text returns the text of an element.
func (b *browser) text(selector string) any {
	b.T.Helper()
	return b.Eval(fmt.Sprintf(`document.querySelector(%q).innerText.trim()`, selector))
}

// current returns the pc of the instruction chosen in a view.
func (b *browser) current(view string) any {
	b.T.Helper()
	return b.Eval(fmt.Sprintf(`document.querySelector('#%s tr[aria-current]')?.dataset.pc`, view))
}

func checkViews(b *browser) {
	require.Equal(b.T, true, b.Eval(visible("#overview")))
	require.Equal(b.T, false, b.Eval(visible("#launches")))
	b.Key("n")
	b.Wait(visible("#launches"))
	b.Key("n")
	b.Wait(visible("#timeline"))
	b.Key("n")
	b.Wait(visible("#player"))
	b.goTo("k1")
	require.Equal(b.T, false, b.Eval(visible("#overview")))
	require.Contains(b.T, b.Eval(`document.title`), "nested")
	require.Equal(b.T, "#k1", b.Eval(`document.querySelector('nav.side a[aria-current]').hash`))
	b.Key("p")
	b.Wait(visible("#player"))
	b.goTo("timeline")
	b.Key("o")
	b.Wait(visible("#overview"))
	b.Eval(`document.querySelector('nav.side a[href="#k2"]').click()`)
	b.Wait(visible("#k2"))
	b.Eval(`history.back()`)
	b.Wait(visible("#overview"))
}

func checkInstructions(b *browser) {
	b.goTo("k1")
	b.Key("j")
	require.Equal(b.T, "0000", b.current("k1"))
	b.Key("j")
	require.Equal(b.T, "0008", b.current("k1"))
	b.Key("k")
	require.Equal(b.T, "0000", b.current("k1"))
	b.Key("ArrowDown")
	require.Equal(b.T, "0008", b.current("k1"))
	require.Equal(b.T, true, b.Eval(`document.activeElement.id === 'k1-0008'`))
	b.Key("End")
	require.Equal(b.T, true, b.Eval(`document.querySelector('#k1 tr[aria-current]') === [...document.querySelectorAll('#k1 tr[data-pc]')].at(-1)`))
	b.Key("Home")
	b.Key("H")
	hottest := b.Eval(`Math.max(...[...document.querySelectorAll('#k1 tr[data-pc]')].map(r => +r.dataset.issues))`)
	require.Equal(b.T, hottest, b.Eval(`+document.querySelector('#k1 tr[aria-current]').dataset.issues`))
	panel := b.text("#k1 .detail")
	for _, want := range []string{"Issues", "Words", "Exactness", "Evidence"} {
		require.Contains(b.T, panel, want)
	}
	require.Equal(b.T, true, b.Eval(`[...document.querySelectorAll('#k1 .detail dd')].some(d => d.textContent === document.querySelector('#k1 tr[aria-current]').cells[4].textContent)`))
	require.Greater(b.T, b.Eval(`document.querySelectorAll('#k1 .detail svg rect').length`), 0.0)
	// A branch leads to its target.
	b.Eval(`location.hash = 'k1-0030'`)
	b.Wait(`document.querySelector('#k1 tr[aria-current]').dataset.pc === '0030'`)
	b.Key("Enter")
	b.Wait(`document.querySelector('#k1 tr[aria-current]').dataset.pc === '0308'`)
	require.Equal(b.T, true, b.Eval(`(r => r.top >= 0 && r.bottom <= innerHeight)(document.getElementById('k1-0308').getBoundingClientRect())`))
}

func checkHeat(b *browser) {
	b.goTo("k1")
	colours := map[any]bool{}
	for key, name := range map[string]string{"l": "lanes", "i": "issues"} {
		b.Key(key)
		require.Equal(b.T, name, b.Eval(`document.documentElement.dataset.heat`))
		require.Equal(b.T, name, b.Eval(`document.querySelector('#k1 .choice input:checked').value`))
		colours[b.Eval(`[...document.querySelectorAll('#k1 .block .box')].map(e => getComputedStyle(e).fill).join()`)] = true
		colours[b.Eval(`[...document.querySelectorAll('#k1 td.h')].map(e => getComputedStyle(e).backgroundColor).join()`)] = true
	}
	require.Len(b.T, colours, 4)
	b.Eval(`document.querySelector('#k1 .choice input[value=lanes]').click()`)
	require.Equal(b.T, "lanes", b.Eval(`document.documentElement.dataset.heat`))
	b.Key("i")
}

func checkGraph(b *browser) {
	b.goTo("k1")
	b.Eval(`document.querySelector('#k1 .block[data-row="k1-0068"] rect').dispatchEvent(new MouseEvent('click', {bubbles: true}))`)
	require.Equal(b.T, "0068", b.current("k1"))
	require.Equal(b.T, "k1-0068", b.Eval(`document.querySelector('#k1 .block[aria-current]').dataset.row`))
	b.Eval(`document.querySelector('#k1 .block[data-row="k1-0038"]').focus()`)
	b.Key("Enter")
	require.Equal(b.T, "0038", b.current("k1"))
	before := b.Eval(`document.querySelector('#k1 svg.flow').getBoundingClientRect().height`)
	b.Eval(`document.querySelector('#k1 button.fit').click()`)
	require.Less(b.T, b.Eval(`document.querySelector('#k1 svg.flow').getBoundingClientRect().height`), before)
}

const ground = `getComputedStyle(document.body).backgroundColor`

func checkColours(b *browser) {
	light := b.Eval(ground)
	b.Look(1440, 900, "dark")
	dark := b.Eval(ground)
	require.NotEqual(b.T, light, dark)
	b.Wait(`document.querySelector('#theme').textContent === 'Light'`)
	b.Key("t")
	require.Equal(b.T, light, b.Eval(ground))
	b.Eval(`document.querySelector('#theme').click()`)
	require.Equal(b.T, dark, b.Eval(ground))
	b.Eval(`localStorage.removeItem('jacquard-theme')`)
}

func checkHelp(b *browser) {
	require.Equal(b.T, false, b.Eval(visible("#help")))
	b.Key("?")
	require.Equal(b.T, true, b.Eval(visible("#help")))
	b.Shot("help")
	b.Key("Escape")
	b.Wait(`!document.querySelector('#help').open`)
	b.Eval(`document.querySelector('#ask').click()`)
	require.Equal(b.T, true, b.Eval(visible("#help")))
	b.Key("?")
	require.Equal(b.T, false, b.Eval(visible("#help")))
}

func checkSorting(b *browser) {
	first := func() any { return b.text("#kernel-table tbody tr th") }
	require.Equal(b.T, "nested", first())
	sort := `[...document.querySelectorAll('#kernel-table th button')].find(e => e.textContent === 'Kernel').click()`
	b.Eval(sort)
	require.Equal(b.T, "vecadd", first())
	b.Eval(sort)
	require.Equal(b.T, "calls", first())
	require.Equal(b.T, "ascending", b.Eval(`document.querySelector('#kernel-table th[aria-sort]').ariaSort`))
}

// checkNames checks that every control and picture has a name for screen readers.
func checkNames(b *browser) {
	b.goTo("k1")
	var tree struct {
		Nodes []struct {
			Ignored    bool
			Role, Name struct{ Value any }
		}
	}
	b.Call("Accessibility.enable", nil, nil)
	defer b.Call("Accessibility.disable", nil, nil) // slows pages down
	b.Call("Accessibility.getFullAXTree", nil, &tree)
	seen := map[any]int{}
	for _, n := range tree.Nodes {
		if n.Ignored {
			continue
		}
		seen[n.Role.Value]++
		switch n.Role.Value {
		case "button", "link", "image", "radio", "heading", "dialog", "navigation", "columnheader", "region":
			require.NotEmpty(b.T, n.Name.Value, n.Role.Value)
		}
	}
	for _, role := range []string{"main", "banner", "navigation", "table", "button", "radio", "image"} {
		require.NotZero(b.T, seen[role], role)
	}
	rows := b.Eval(`[...document.querySelectorAll('#k1 tr')].filter(e => !e.closest('details')).length`)
	require.GreaterOrEqual(b.T, float64(seen["row"]), rows, "a table stays one, however it is laid out")
}

// checkFaults has axe-core look at each view, light and dark.
func checkFaults(b *browser) {
	for _, scheme := range []string{"light", "dark"} {
		b.Look(1440, 900, scheme)
		for _, view := range []string{"overview", "launches", "timeline", "player", "k4"} {
			b.goTo(view)
			b.settle()
			require.Empty(b.T, b.Faults(), "%s, %s", view, scheme)
		}
	}
}

// checkFocus walks with the tab key: the skip link, the head, then the parts of the report. The
// table of instructions is one stop.
func checkFocus(b *browser) {
	var stops []any
	for range 8 {
		b.Key("Tab")
		stops = append(stops, b.Eval(`document.activeElement.id || document.activeElement.hash`))
	}
	require.Equal(b.T, []any{"#main", "print", "theme", "ask", "#overview", "#launches", "#timeline", "#player"}, stops)
	b.Key("Tab")
	b.Key("Enter")
	b.Wait(visible("#k1"))
	require.Equal(b.T, 1.0, b.Eval(`document.querySelectorAll('#k1 tr[tabindex="0"]').length`))
}

func checkScreens(b *browser) {
	for _, scheme := range []string{"light", "dark"} {
		b.Look(1440, 900, scheme)
		b.goTo("overview")
		b.Shot("overview-" + scheme)
		b.goTo("k1")
		b.Shot("kernel-" + scheme)
		b.Eval(`document.querySelector('#k1 .toolbar').scrollIntoView()`)
		b.Key("H")
		b.Shot("code-" + scheme)
		b.Key("l")
		b.Shot("lanes-" + scheme)
		b.goTo("k2")
		b.Key("m")
		b.Key("H")
		b.Shot("memory-" + scheme)
		b.Key("i")
	}
	for _, view := range []string{"launches", "timeline", "player"} {
		b.goTo(view)
		b.settle()
		b.Shot(view)
	}
	for _, width := range []int{2560, 1024, 700, 320} {
		b.Look(width, 800, "light")
		for _, view := range []string{"overview", "launches", "timeline", "player", "k1", "k2"} {
			b.goTo(view)
			b.settle()
			wide := b.Eval(`[...document.querySelectorAll('main *')].filter(e => e.checkVisibility() && !e.closest('.scroll, .canvas, .listing, .hidden, .code, .graph, .values') && e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map(e => e.outerHTML.slice(0, 80))`)
			require.Empty(b.T, wide, "%s is wider than %d", view, width)
			b.Shot(fmt.Sprintf("%s-%d", view, width))
		}
	}
}

func checkPrinting(b *browser) {
	b.goTo("k1")
	b.Call("Emulation.setEmulatedMedia", map[string]any{"media": "print"}, nil)
	require.Equal(b.T, false, b.Eval(visible("nav.side")))
	require.Equal(b.T, false, b.Eval(visible("#theme")))
	require.Equal(b.T, true, b.Eval(visible("#k1 table.code")))
	require.Equal(b.T, false, b.Eval(visible("#k2")))
	b.Eval(`document.documentElement.classList.add('print-all')`)
	require.Equal(b.T, true, b.Eval(visible("#k2 table.code")))
	b.Eval(`document.documentElement.classList.remove('print-all')`)
	b.Call("Emulation.setEmulatedMedia", map[string]any{"media": ""}, nil)
	for _, view := range []string{"k1", "overview", "timeline", "player"} {
		b.goTo(view)
		b.settle()
		require.True(b.T, bytes.HasPrefix(b.Print(view), []byte("%PDF")))
	}
}

// Without scripts the page is long and complete.
func TestBrowserWithoutScripts(t *testing.T) {
	r := read(t, mesa(t, "vecadd", "calls"))
	b := browse(t)
	b.Look(1440, 900, "light")
	b.Call("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	b.Open(written(t, r))
	for _, view := range []string{"#overview", "#launches", "#k1 table.code", "#k2 svg.flow"} {
		require.Equal(t, true, b.Eval(visible(view)), view)
	}
	require.Equal(t, false, b.Eval(visible("#theme")), "what does nothing is not shown")
}

// Names that contain markup or script are only shown.
func TestBrowserHostile(t *testing.T) {
	r := read(t, mesa(t, "calls"))
	r.disguise(hostile)
	b := browse(t)
	b.Look(1440, 900, "light")
	b.Open(written(t, r))
	b.goTo("k1")
	require.Contains(t, b.text("#k1-title"), "</script>")
	require.Empty(t, b.Complaints())
}

// A page of a kernel of 5,000 instructions and thousands of launches remains usable.
func TestBrowserLarge(t *testing.T) {
	r := randomRun(tesla.SM13, 9000, 3000)
	r.Count = len(r.Launches)
	r.keep()
	code := r.Kernels[0].Code
	require.Greater(t, len(code), 5000)
	b := browse(t)
	b.Look(1440, 900, "light")
	page := written(t, r)
	b.Open(page)
	b.goTo("k1")
	b.Key("j")
	b.Key("End")
	require.Equal(t, fmt.Sprintf("%04x", r.Kernels[0].PCs[len(code)-1]), b.current("k1"))
	b.Key("l")
	b.Key("H")
	b.goTo("launches")
	b.Eval(`document.querySelectorAll('#launch-table th button')[5].click()`)
	require.Equal(t, float64(mostLaunches), b.Eval(`document.querySelectorAll('#launch-table tbody tr').length`))
	require.Empty(t, b.Complaints())
}
