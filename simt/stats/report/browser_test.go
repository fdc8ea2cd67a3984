package report

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

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
		{"help", checkHelp}, {"sorting", checkSorting}, {"names", checkNames}, {"focus", checkFocus}, {"screens", checkScreens}, {"printing", checkPrinting},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.t = t
			b.look(1440, 900, "light")
			b.open(page)
			c.check(b)
			require.Empty(t, b.complaints())
		})
	}
	b.t = t
}

// visible is an expression: whether an element exists and can be seen.
func visible(selector string) string {
	return fmt.Sprintf(`(e => !!e && e.checkVisibility())(document.querySelector(%q))`, selector)
}

// goTo opens a view of the page.
func (b *browser) goTo(view string) {
	b.t.Helper()
	b.eval(fmt.Sprintf(`location.hash = %q`, view))
	b.wait(visible("#" + view))
}

// text returns the text of an element.
func (b *browser) text(selector string) any {
	b.t.Helper()
	return b.eval(fmt.Sprintf(`document.querySelector(%q).innerText.trim()`, selector))
}

// current returns the pc of the instruction chosen in a view.
func (b *browser) current(view string) any {
	b.t.Helper()
	return b.eval(fmt.Sprintf(`document.querySelector('#%s tr[aria-current]')?.dataset.pc`, view))
}

func checkViews(b *browser) {
	require.Equal(b.t, true, b.eval(visible("#overview")))
	require.Equal(b.t, false, b.eval(visible("#launches")))
	b.key("n")
	b.wait(visible("#launches"))
	b.key("n")
	b.wait(visible("#timeline"))
	b.key("n")
	b.wait(visible("#k1"))
	require.Equal(b.t, false, b.eval(visible("#overview")))
	require.Contains(b.t, b.eval(`document.title`), "nested")
	require.Equal(b.t, "#k1", b.eval(`document.querySelector('nav.side a[aria-current]').hash`))
	b.key("p")
	b.wait(visible("#timeline"))
	b.key("o")
	b.wait(visible("#overview"))
	b.eval(`document.querySelector('nav.side a[href="#k2"]').click()`)
	b.wait(visible("#k2"))
	b.eval(`history.back()`)
	b.wait(visible("#overview"))
}

func checkInstructions(b *browser) {
	b.goTo("k1")
	b.key("j")
	require.Equal(b.t, "0000", b.current("k1"))
	b.key("j")
	require.Equal(b.t, "0008", b.current("k1"))
	b.key("k")
	require.Equal(b.t, "0000", b.current("k1"))
	b.key("ArrowDown")
	require.Equal(b.t, "0008", b.current("k1"))
	require.Equal(b.t, true, b.eval(`document.activeElement.id === 'k1-0008'`))
	b.key("End")
	require.Equal(b.t, true, b.eval(`document.querySelector('#k1 tr[aria-current]') === [...document.querySelectorAll('#k1 tr[data-pc]')].at(-1)`))
	b.key("Home")
	b.key("H")
	hottest := b.eval(`Math.max(...[...document.querySelectorAll('#k1 tr[data-pc]')].map(r => +r.dataset.issues))`)
	require.Equal(b.t, hottest, b.eval(`+document.querySelector('#k1 tr[aria-current]').dataset.issues`))
	panel := b.text("#k1 .detail")
	for _, want := range []string{"Issues", "Words", "Exactness", "Evidence"} {
		require.Contains(b.t, panel, want)
	}
	require.Equal(b.t, true, b.eval(`[...document.querySelectorAll('#k1 .detail dd')].some(d => d.textContent === document.querySelector('#k1 tr[aria-current]').cells[4].textContent)`))
	require.Greater(b.t, b.eval(`document.querySelectorAll('#k1 .detail svg rect').length`), 0.0)
	// A branch leads to its target.
	b.eval(`location.hash = 'k1-0030'`)
	b.wait(`document.querySelector('#k1 tr[aria-current]').dataset.pc === '0030'`)
	b.key("Enter")
	b.wait(`document.querySelector('#k1 tr[aria-current]').dataset.pc === '0308'`)
	require.Equal(b.t, true, b.eval(`(r => r.top >= 0 && r.bottom <= innerHeight)(document.getElementById('k1-0308').getBoundingClientRect())`))
}

func checkHeat(b *browser) {
	b.goTo("k1")
	colours := map[any]bool{}
	for key, name := range map[string]string{"l": "lanes", "i": "issues"} {
		b.key(key)
		require.Equal(b.t, name, b.eval(`document.documentElement.dataset.heat`))
		require.Equal(b.t, name, b.eval(`document.querySelector('#k1 .choice input:checked').value`))
		colours[b.eval(`[...document.querySelectorAll('#k1 .block .box')].map(e => getComputedStyle(e).fill).join()`)] = true
		colours[b.eval(`[...document.querySelectorAll('#k1 td.h')].map(e => getComputedStyle(e).backgroundColor).join()`)] = true
	}
	require.Len(b.t, colours, 4)
	b.eval(`document.querySelector('#k1 .choice input[value=lanes]').click()`)
	require.Equal(b.t, "lanes", b.eval(`document.documentElement.dataset.heat`))
	b.key("i")
}

func checkGraph(b *browser) {
	b.goTo("k1")
	b.eval(`document.querySelector('#k1 .block[data-row="k1-0068"] rect').dispatchEvent(new MouseEvent('click', {bubbles: true}))`)
	require.Equal(b.t, "0068", b.current("k1"))
	require.Equal(b.t, "k1-0068", b.eval(`document.querySelector('#k1 .block[aria-current]').dataset.row`))
	b.eval(`document.querySelector('#k1 .block[data-row="k1-0038"]').focus()`)
	b.key("Enter")
	require.Equal(b.t, "0038", b.current("k1"))
	before := b.eval(`document.querySelector('#k1 svg.flow').getBoundingClientRect().height`)
	b.eval(`document.querySelector('#k1 button.fit').click()`)
	require.Less(b.t, b.eval(`document.querySelector('#k1 svg.flow').getBoundingClientRect().height`), before)
}

const ground = `getComputedStyle(document.body).backgroundColor`

func checkColours(b *browser) {
	light := b.eval(ground)
	b.look(1440, 900, "dark")
	dark := b.eval(ground)
	require.NotEqual(b.t, light, dark)
	b.wait(`document.querySelector('#theme').textContent === 'Light'`)
	b.key("t")
	require.Equal(b.t, light, b.eval(ground))
	b.eval(`document.querySelector('#theme').click()`)
	require.Equal(b.t, dark, b.eval(ground))
	b.eval(`localStorage.removeItem('jacquard-theme')`)
}

func checkHelp(b *browser) {
	require.Equal(b.t, false, b.eval(visible("#help")))
	b.key("?")
	require.Equal(b.t, true, b.eval(visible("#help")))
	b.shot("help")
	b.key("Escape")
	b.wait(`!document.querySelector('#help').open`)
	b.eval(`document.querySelector('#ask').click()`)
	require.Equal(b.t, true, b.eval(visible("#help")))
	b.key("?")
	require.Equal(b.t, false, b.eval(visible("#help")))
}

func checkSorting(b *browser) {
	first := func() any { return b.text("#kernel-table tbody tr th") }
	require.Equal(b.t, "nested", first())
	sort := `[...document.querySelectorAll('#kernel-table th button')].find(e => e.textContent === 'Kernel').click()`
	b.eval(sort)
	require.Equal(b.t, "vecadd", first())
	b.eval(sort)
	require.Equal(b.t, "calls", first())
	require.Equal(b.t, "ascending", b.eval(`document.querySelector('#kernel-table th[aria-sort]').ariaSort`))
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
	b.call("Accessibility.enable", nil, nil)
	defer b.call("Accessibility.disable", nil, nil) // slows pages down
	b.call("Accessibility.getFullAXTree", nil, &tree)
	seen := map[any]int{}
	for _, n := range tree.Nodes {
		if n.Ignored {
			continue
		}
		seen[n.Role.Value]++
		switch n.Role.Value {
		case "button", "link", "image", "radio", "heading", "dialog", "navigation", "columnheader", "region":
			require.NotEmpty(b.t, n.Name.Value, n.Role.Value)
		}
	}
	for _, role := range []string{"main", "banner", "navigation", "table", "button", "radio", "image"} {
		require.NotZero(b.t, seen[role], role)
	}
	rows := b.eval(`[...document.querySelectorAll('#k1 tr')].filter(e => !e.closest('details')).length`)
	require.GreaterOrEqual(b.t, float64(seen["row"]), rows, "a table stays one, however it is laid out")
}

// checkFocus walks with the tab key: the skip link, the head, then the parts of the report. The
// table of instructions is one stop.
func checkFocus(b *browser) {
	var stops []any
	for range 8 {
		b.key("Tab")
		stops = append(stops, b.eval(`document.activeElement.id || document.activeElement.hash`))
	}
	require.Equal(b.t, []any{"#main", "print", "theme", "ask", "#overview", "#launches", "#timeline", "#k1"}, stops)
	b.key("Enter")
	b.wait(visible("#k1"))
	require.Equal(b.t, 1.0, b.eval(`document.querySelectorAll('#k1 tr[tabindex="0"]').length`))
}

func checkScreens(b *browser) {
	for _, scheme := range []string{"light", "dark"} {
		b.look(1440, 900, scheme)
		b.goTo("overview")
		b.shot("overview-" + scheme)
		b.goTo("k1")
		b.shot("kernel-" + scheme)
		b.eval(`document.querySelector('#k1 .toolbar').scrollIntoView()`)
		b.key("H")
		b.shot("code-" + scheme)
		b.key("l")
		b.shot("lanes-" + scheme)
		b.goTo("k2")
		b.key("m")
		b.key("H")
		b.shot("memory-" + scheme)
		b.key("i")
	}
	for _, view := range []string{"launches", "timeline"} {
		b.goTo(view)
		b.shot(view)
	}
	for _, width := range []int{1024, 700, 360} {
		b.look(width, 800, "light")
		for _, view := range []string{"overview", "launches", "timeline", "k1", "k2"} {
			b.goTo(view)
			wide := b.eval(`[...document.querySelectorAll('main *')].filter(e => e.checkVisibility() && !e.closest('.scroll, .canvas, .listing, .hidden') && e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map(e => e.outerHTML.slice(0, 80))`)
			require.Empty(b.t, wide, "%s is wider than %d", view, width)
			b.shot(fmt.Sprintf("%s-%d", view, width))
		}
	}
}

func checkPrinting(b *browser) {
	b.goTo("k1")
	b.call("Emulation.setEmulatedMedia", map[string]any{"media": "print"}, nil)
	require.Equal(b.t, false, b.eval(visible("nav.side")))
	require.Equal(b.t, false, b.eval(visible("#theme")))
	require.Equal(b.t, true, b.eval(visible("#k1 table.code")))
	require.Equal(b.t, false, b.eval(visible("#k2")))
	b.eval(`document.documentElement.classList.add('print-all')`)
	require.Equal(b.t, true, b.eval(visible("#k2 table.code")))
	b.eval(`document.documentElement.classList.remove('print-all')`)
	b.call("Emulation.setEmulatedMedia", map[string]any{"media": ""}, nil)
	require.True(b.t, bytes.HasPrefix(b.print("kernel"), []byte("%PDF")))
}

// Without scripts the page is long and complete.
func TestBrowserWithoutScripts(t *testing.T) {
	r := read(t, mesa(t, "vecadd", "calls"))
	b := browse(t)
	b.look(1440, 900, "light")
	b.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	b.open(written(t, r))
	for _, view := range []string{"#overview", "#launches", "#k1 table.code", "#k2 svg.flow"} {
		require.Equal(t, true, b.eval(visible(view)), view)
	}
	require.Equal(t, false, b.eval(visible("#theme")), "what does nothing is not shown")
}

// Names that contain markup or script are only shown.
func TestBrowserHostile(t *testing.T) {
	r := read(t, mesa(t, "calls"))
	r.disguise(hostile)
	b := browse(t)
	b.look(1440, 900, "light")
	b.open(written(t, r))
	b.goTo("k1")
	require.Contains(t, b.text("#k1-title"), "</script>")
	require.Empty(t, b.complaints())
}

// A page of a kernel of 5,000 instructions and thousands of launches remains usable.
func TestBrowserLarge(t *testing.T) {
	r := randomRun(tesla.SM13, 9000, 3000)
	r.Count = len(r.Launches)
	r.keep()
	code := r.Kernels[0].Code
	require.Greater(t, len(code), 5000)
	b := browse(t)
	b.look(1440, 900, "light")
	page := written(t, r)
	b.open(page)
	b.goTo("k1")
	b.key("j")
	b.key("End")
	require.Equal(t, fmt.Sprintf("%04x", r.Kernels[0].PCs[len(code)-1]), b.current("k1"))
	b.key("l")
	b.key("H")
	b.goTo("launches")
	b.eval(`document.querySelectorAll('#launch-table th button')[5].click()`)
	require.Equal(t, float64(mostLaunches), b.eval(`document.querySelectorAll('#launch-table tbody tr').length`))
	require.Empty(t, b.complaints())
}
