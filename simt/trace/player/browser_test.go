package player

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/simt/stats/report/chromium"
	"jacquard/simt/trace"
)

// browser shows the player's page.
type browser struct{ *chromium.Browser }

// step returns the step that a panel shows, from 1, and how many there are.
func (b browser) step(panel int) string {
	b.T.Helper()
	return b.Eval(fmt.Sprintf(`document.querySelectorAll('.meters')[%d].querySelector('b').textContent`, panel)).(string)
}

// pc returns the instruction that a panel marks.
func (b browser) pc(panel int) string {
	b.T.Helper()
	return b.Eval(fmt.Sprintf(`document.querySelectorAll('section')[%d].querySelector('.here span').textContent`, panel)).(string)
}

// lanes returns what a panel's lanes do, a letter each.
func (b browser) lanes(panel int) string {
	b.T.Helper()
	return b.Eval(fmt.Sprintf(`[...document.querySelectorAll('section')[%d].querySelectorAll('.lanes span')].map(e => e.className[0]).join('')`, panel)).(string)
}

// open opens a page that plays runs.
func open(t *testing.T, b browser, runs ...Run) {
	t.Helper()
	var page strings.Builder
	require.NoError(t, Write(&page, "nested", 50_000, runs))
	b.Open([]byte(page.String()))
}

// TestBrowser uses the page as a reader would. Its screenshots are kept in build/player.
func TestBrowser(t *testing.T) {
	b := browser{chromium.Start(t, "../../../build/player")}
	const options = ":values=all+state,block=0"
	nvidia, stackless := recorded(t, "nested", "nvidia", options), recorded(t, "nested", "stackless", options)
	all := &trace.Filter{}
	b.Look(1440, 900, "light")

	open(t, b, Run{nvidia, all}, Run{stackless, all})
	require.Equal(t, "26 of 8055", b.step(0), "begins where lanes part first")
	require.Equal(t, "26 of 4514", b.step(1))
	require.Equal(t, []any{"0140", "00c8"}, []any{b.pc(0), b.pc(1)})
	lanes := b.lanes(0)
	require.Len(t, lanes, 32)
	require.Equal(t, 13, strings.Count(lanes, "r"))
	require.Equal(t, 19, strings.Count(lanes, "w"))
	b.Shot("first")

	b.Key("ArrowRight")
	require.Equal(t, "27 of 8055", b.step(0))
	require.Equal(t, "27 of 4514", b.step(1))
	b.Key("ArrowLeft")
	b.Key("ArrowLeft")
	require.Equal(t, "25 of 8055", b.step(0))
	require.Equal(t, "00c0", b.pc(0))
	require.Equal(t, 32, strings.Count(b.lanes(0), "r"), "a branch runs for lanes that do not take it")
	b.Key("n")
	require.Equal(t, "26 of 8055", b.step(0))
	b.Key("n")
	next := b.step(0)
	require.NotEqual(t, "26 of 8055", next)
	b.Key("p")
	require.Equal(t, "26 of 8055", b.step(0))
	b.Key("End")
	require.Equal(t, "8055 of 8055", b.step(0))
	require.Equal(t, "4514 of 4514", b.step(1))
	b.Key("Home")
	require.Equal(t, "1 of 8055", b.step(0))

	// By pc, the other policy stands at the same issue of the same instruction.
	b.Eval(`{ const s = document.getElementById('follow'); s.value = 'pc'; s.dispatchEvent(new Event('change')) }`)
	b.Key("n")
	require.Equal(t, "0140", b.pc(0))
	require.Equal(t, "0140", b.pc(1))
	b.Key("2")
	b.Key("ArrowRight")
	require.Equal(t, b.pc(1), b.pc(0), "the keys move the second policy, the first follows")
	b.Eval(`{ const s = document.getElementById('follow'); s.value = 'step'; s.dispatchEvent(new Event('change')) }`)
	b.Key("1")

	// Scrubbing, by the slider and in the picture.
	b.Eval(`{ const s = document.getElementById('scrub'); s.value = 4000; s.dispatchEvent(new Event('input')) }`)
	require.Equal(t, "4001 of 8055", b.step(0))
	b.Eval(`{ const c = document.querySelector('canvas'), r = c.getBoundingClientRect();
		c.dispatchEvent(new PointerEvent('pointerdown', {clientX: r.left + r.width / 2, clientY: r.top + 1, bubbles: true})) }`)
	require.Equal(t, "4028 of 8055", b.step(0))
	require.Greater(t, b.Eval(`document.querySelector('canvas').toDataURL().length`), 2000., "the picture is not empty")

	// Playing.
	b.Key("Home")
	b.Eval(`{ const s = document.getElementById('speed'); s.value = '120'; s.dispatchEvent(new Event('change')) }`)
	b.Key(" ")
	b.Wait(`Number(document.querySelector('.meters b').textContent.split(' ')[0]) > 5`)
	b.Key(" ")
	stopped := b.step(0)
	time.Sleep(50 * time.Millisecond)
	require.Equal(t, stopped, b.step(0))

	// Another warp.
	b.Eval(`{ const s = document.getElementById('warp'); s.value = 'block (0,0), warp 1'; s.dispatchEvent(new Event('change')) }`)
	require.NotEqual(t, "8055", strings.Fields(b.step(0))[2])

	// What a policy keeps, values and memory.
	b.Eval(`{ const s = document.getElementById('warp'); s.value = 'block (0,0), warp 0'; s.dispatchEvent(new Event('change')) }`)
	require.Contains(t, b.Eval(`document.querySelector('.keeps').textContent`), "branch 00c8")
	require.Contains(t, b.Eval(`document.querySelector('.values').textContent`), "$r2")
	b.Eval(`player.go(player.panel.track.memory.findIndex(n => n >= 0))`)
	require.Contains(t, b.Eval(`document.querySelector('.memory').textContent`), "lanes 0 to 15: ")
	require.Empty(t, b.Complaints())
}

// Every width has room for the page, in light and dark, and every control has a name.
func TestBrowserScreens(t *testing.T) {
	b := browser{chromium.Start(t, "../../../build/player")}
	f := recorded(t, "reduce", "nvidia", ":values=all+state,block=0")
	for _, width := range []int{320, 768, 1440, 2560} {
		for _, scheme := range []string{"light", "dark"} {
			b.Look(width, 900, scheme)
			open(t, b, Run{f, &trace.Filter{}})
			require.Equal(t, true, b.Eval(`document.documentElement.scrollWidth <= innerWidth`), "%d", width)
			b.Shot(fmt.Sprintf("%d-%s", width, scheme))
		}
	}
	require.Equal(t, true, b.Eval(`[...document.querySelectorAll('button, select, input, canvas, [tabindex="0"]')].every(e =>
		e.getAttribute('aria-label') || e.labels?.length || e.textContent.trim())`))
	require.Empty(t, b.Complaints())
}

// A trace of many steps stays fluid.
func TestBrowserLong(t *testing.T) {
	b := browser{chromium.Start(t, "../../../build/player")}
	b.Look(1440, 900, "light")
	f := recorded(t, "nested", "mimd", ":block=0,warp=0")
	open(t, b, Run{f, &trace.Filter{}})
	require.Greater(t, b.Eval(`player.panel.track.length`), 15_000.)
	b.Key("End")
	b.Key("p")
	require.Empty(t, b.Complaints())
}
