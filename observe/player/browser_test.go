package player

import (
	"bytes"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/chromium"
	"jacquard/observe/trace"
)

// browser shows the player's page.
type browser struct{ *chromium.Browser }

// settle waits until the page has drawn everything.
func (b browser) settle() {
	b.T.Helper()
	b.Wait(`globalThis.player !== undefined && player.jobs === 0`)
}

// step returns the step that a panel shows, from 1, and how many there are.
func (b browser) step(panel int) string {
	b.T.Helper()
	b.settle()
	return b.Eval(fmt.Sprintf(`document.querySelectorAll('.meters')[%d].querySelector('b').textContent`, panel)).(string)
}

// pc returns the instruction that a panel marks.
func (b browser) pc(panel int) string {
	b.T.Helper()
	b.settle()
	return b.Eval(fmt.Sprintf(`document.querySelectorAll('section')[%d].querySelector('.here span').textContent`, panel)).(string)
}

// lanes returns the state of a panel's lanes, one letter each.
func (b browser) lanes(panel int) string {
	b.T.Helper()
	b.settle()
	return b.Eval(fmt.Sprintf(`[...document.querySelectorAll('section')[%d].querySelectorAll('.lanes span')].map(e => e.className[0]).join('')`, panel)).(string)
}

// open opens a page that plays runs.
func open(t *testing.T, b browser, runs ...Run) {
	t.Helper()
	var page strings.Builder
	require.NoError(t, Write(&page, "nested", 50_000, runs))
	b.Open([]byte(page.String()))
	b.settle()
}

// choose sets a control.
func (b browser) choose(name, value string) {
	b.T.Helper()
	b.Eval(fmt.Sprintf(`{ const c = document.querySelector('[name=%s]'); c.value = %q; for (const e of ['input', 'change']) c.dispatchEvent(new Event(e)) }`, name, value))
	b.settle()
}

// TestBrowser uses the page as a reader would. Its screenshots are kept in build/player.
func TestBrowser(t *testing.T) {
	b := browser{chromium.Start(t, "../../build/player")}
	const options = ":values=all+state,block=0"
	nvidia, stackless := recorded(t, "nested", "nvidia", options), recorded(t, "nested", "stackless", options)
	all := &trace.Filter{}
	b.Look(1440, 900, "light")

	open(t, b, Run{nvidia, all}, Run{stackless, all})
	require.Equal(t, "26 of 8,055", b.step(0), "begins where lanes part first")
	require.Equal(t, "26 of 4,514", b.step(1))
	require.Equal(t, []any{"0140", "00c8"}, []any{b.pc(0), b.pc(1)})
	lanes := b.lanes(0)
	require.Len(t, lanes, 32)
	require.Equal(t, 13, strings.Count(lanes, "r"))
	require.Equal(t, 19, strings.Count(lanes, "w"))
	b.Shot("first")

	b.Key("ArrowRight")
	require.Equal(t, "27 of 8,055", b.step(0))
	require.Equal(t, "27 of 4,514", b.step(1))
	b.Key("ArrowLeft")
	b.Key("ArrowLeft")
	require.Equal(t, "25 of 8,055", b.step(0))
	require.Equal(t, "00c0", b.pc(0))
	require.Equal(t, 32, strings.Count(b.lanes(0), "r"), "a branch runs for lanes that do not take it")
	b.Key("n")
	require.Equal(t, "26 of 8,055", b.step(0))
	b.Key("n")
	next := b.step(0)
	require.NotEqual(t, "26 of 8,055", next)
	b.Key("p")
	require.Equal(t, "26 of 8,055", b.step(0))
	b.Key("End")
	require.Equal(t, "8,055 of 8,055", b.step(0))
	require.Equal(t, "4,514 of 4,514", b.step(1))
	b.Key("Home")
	require.Equal(t, "1 of 8,055", b.step(0))

	// By pc, the other policy stands at the same issue of the same instruction.
	b.choose("follow", "pc")
	b.Key("n")
	require.Equal(t, "0140", b.pc(0))
	require.Equal(t, "0140", b.pc(1))
	b.Key("2")
	b.Key("ArrowRight")
	require.Equal(t, b.pc(1), b.pc(0), "the keys move the second policy, the first follows")
	b.choose("follow", "step")
	b.Key("1")

	// Scrubbing, by the slider and in the picture.
	b.choose("scrub", "4000")
	require.Equal(t, "4,001 of 8,055", b.step(0))
	b.Eval(`{ const c = document.querySelector('canvas'), r = c.getBoundingClientRect();
		c.dispatchEvent(new PointerEvent('pointerdown', {clientX: r.left + r.width / 2, clientY: r.top + 1, bubbles: true})) }`)
	require.Equal(t, "4,028 of 8,055", b.step(0))
	require.Greater(t, b.Eval(`document.querySelector('canvas').toDataURL().length`), 2000., "the picture is not empty")

	// Playing.
	b.Key("Home")
	b.choose("speed", "120")
	b.Key(" ")
	b.Wait(`Number(document.querySelector('.meters b').textContent.split(' ')[0]) > 5`)
	b.Key(" ")
	stopped := b.step(0)
	time.Sleep(50 * time.Millisecond)
	require.Equal(t, stopped, b.step(0))

	// Another warp.
	b.choose("warp", "1")
	require.NotEqual(t, "8,055", strings.Fields(b.step(0))[2])
	b.choose("warp", "0")
	require.Equal(t, "26 of 8,055", b.step(0))

	// The same instruction again, by a key, its line, its block, and a filter.
	b.Key("f")
	require.Equal(t, "0140", b.pc(0))
	second := b.step(0)
	require.NotEqual(t, "26 of 8,055", second)
	b.Key("b")
	require.Equal(t, "26 of 8,055", b.step(0))
	b.Eval(`document.querySelector('.code .here').click()`)
	require.Equal(t, second, b.step(0))
	b.Key("b")
	b.settle()
	b.Eval(`document.querySelector('.graph .block[aria-current]').dispatchEvent(new MouseEvent('click', {bubbles: true}))`)
	require.Equal(t, "27 of 8,055", b.step(0), "the next step is in the same block")
	b.choose("pc", "00c0-00c8")
	for range 4 {
		b.Key("ArrowRight")
		require.Contains(t, []string{"00c0", "00c8"}, b.pc(0))
	}
	b.choose("pc", "nowhere")
	require.Equal(t, true, b.Eval(`document.querySelector('[name=pc]').validationMessage.startsWith('Want an address')`))
	b.choose("pc", "")
	b.Eval(`document.activeElement.blur()`) // it was the filter, to show the mistake

	// The guard, a policy's state, registers with the values that were written before, and memory.
	b.Key("Home")
	b.Key("n")
	require.Equal(t, "26 of 8,055", b.step(0))
	require.Contains(t, b.Eval(`document.querySelector('.keeps').textContent`), "branch 00c8")
	require.Regexp(t, `\$r7reads, written \d+ steps ago.*\$r2writes`, b.Eval(`document.querySelector('.values').textContent`))
	b.Key("ArrowLeft")
	b.settle()
	require.Equal(t, "The guard (e $c0) holds in 13 of 32 active lanes: 13 go elsewhere.", b.Eval(`document.querySelector('.guard').textContent`))
	require.Equal(t, 13, strings.Count(b.Eval(`document.querySelector('.values tr').textContent`).(string), "z"), "those whose $c0 is zero")
	require.Equal(t, "32 run", b.Eval(`document.querySelector('.graph .block[aria-current] .text').textContent`))
	b.Eval(`player.jump((track, step) => track.search(step, 1, (p, i) => p.memory[i] >= 0, () => true))`)
	b.settle()
	require.Contains(t, b.Eval(`document.querySelector('.memory').textContent`), "Lanes 0 to 15: ")
	require.Greater(t, b.Eval(`document.querySelectorAll('.memory .touched').length`), 0.)
	b.Eval(`document.querySelector('.keeps').scrollIntoView()`)
	b.Shot("memory")

	// A step in the second piece of the warp knows the registers of the first.
	b.choose("scrub", "4096")
	b.choose("follow", "pc")
	require.Equal(t, b.pc(0), b.pc(1))
	require.Equal(t, "4,097 of 8,055", b.step(0))
	require.Equal(t, true, b.Eval(`player.panel.track.at(4096).known.size > 4`))
	require.Equal(t, true, b.Eval(`(async () => { // as if the trace had been read from its beginning
		const t = player.panel.track, last = new Map();
		for (let n = 0; n < 2; n++) {
			const p = await t.load(n);
			if (n) return [...last].every(([name, row]) => JSON.stringify(p.register(name, 0).row) === JSON.stringify(row));
			for (let i = 0; i < p.steps; i++) for (const v of p.values(i)) {
				if (v.name === 'addr') continue;
				const name = v.name.replace('data ', ''), row = last.get(name) || [];
				v.row.forEach((w, l) => { row[l] = w; });
				last.set(name, row);
			}
		}
	})()`))
	require.Empty(t, b.Complaints())
}

// Every width has room for the page, in light and dark, and every control has a name.
func TestBrowserScreens(t *testing.T) {
	b := browser{chromium.Start(t, "../../build/player")}
	f := recorded(t, "reduce", "nvidia", ":values=all+state,block=0")
	for _, width := range []int{320, 768, 1440, 2560} {
		for _, scheme := range []string{"light", "dark"} {
			b.Look(width, 900, scheme)
			open(t, b, Run{f, &trace.Filter{}})
			require.Equal(t, true, b.Eval(`document.documentElement.scrollWidth <= innerWidth`), "%d", width)
			b.Shot(fmt.Sprintf("%d-%s", width, scheme))
			if width == 1440 {
				require.Empty(t, b.Faults())
			}
		}
	}
	b.Look(1440, 900, "light")
	open(t, b, Run{f, &trace.Filter{}})
	var stops []any // of the tab key
	for range 12 {
		b.Key("Tab")
		stops = append(stops, b.Eval(`document.activeElement.name || document.activeElement.getAttribute('aria-label')`))
		require.NotEqual(t, "none", b.Eval(`getComputedStyle(document.activeElement).outlineStyle`), "the focus is seen")
	}
	require.Equal(t, []any{"block", "warp", "first", "back", "run", "forth", "last", "change", "speed", "pc", "scrub"}, stops[:11])
	require.Equal(t, "Code under nvidia", stops[11])
	b.Key("n")
	b.Key("ArrowRight")
	require.NotEqual(t, "80 of 211", b.step(0), "keys act wherever the focus is")
	for shown, want := range map[string]string{"bank": ".banks .touched", "fetch": ".fetches .touched"} {
		b.Eval(fmt.Sprintf(`player.go(0); player.jump((track, step) => track.search(step, 1, (p, i) => p.memory[i] >= 0 && p.texts[p.memory[i]].includes(%q), () => true))`, shown))
		b.settle()
		require.Greater(t, b.Eval(fmt.Sprintf(`document.querySelectorAll(%q).length`, want)), 15.)
		b.Eval(`document.querySelector('.values').scrollIntoView()`)
		b.Shot(shown)
	}
	require.Equal(t, true, b.Eval(`[...document.querySelectorAll('button, select, input, canvas, [tabindex="0"]')].every(e =>
		e.getAttribute('aria-label') || e.labels?.length || e.textContent.trim())`))
	require.Empty(t, b.Complaints())
}

// A trace of ten million issues opens, and scrolls. Its figures are printed, not judged: they depend
// on the machine.
func TestBrowserMillions(t *testing.T) {
	b := browser{chromium.Start(t, "../../build/player")}
	b.Look(1440, 900, "light")
	for name, run := range map[string][]string{
		// 4 warps of some millions of steps
		"mandelbrot": {"--block", "16,8", "--arg", "buf:4k", "--arg", "u32:48", "--arg", "u32:16", "--arg", "u32:333000",
			"--arg", "f32:-0.7", "--arg", "f32:-0.05", "--arg", "f32:0.01", "--arg", "f32:0.18"},
		// some thousands of warps whose lanes part all the time
		"nested": {"--grid", "750", "--block", "64", "--arg", "buf:256k:seed=1", "--arg", "buf:256k", "--arg", "u32:48000"},
	} {
		t.Run(name, func(t *testing.T) {
			b.T = t
			path := filepath.Join(t.TempDir(), "long.jqt")
			out, err := exec.Command(tool(t), append([]string{"run", "../../testdata/mesa-kernels/" + name + "/sm_13.cubin", "--trace", path}, run...)...).CombinedOutput()
			require.NoError(t, err, "%s", out)
			f, err := trace.Open(path)
			require.NoError(t, err)
			defer f.Close()
			var page bytes.Buffer
			begin := time.Now()
			require.NoError(t, Write(&page, name, math.MaxInt, []Run{{f, &trace.Filter{}}}))
			written := time.Since(begin)
			require.Greater(t, f.Launches[0].Count, uint64(9_900_000))

			events := b.Trace(func() {
				b.Open(page.Bytes())
				b.settle()
			})
			opened := math.NaN()
			for i, e := range events {
				if e.Name != "player-drawn" {
					continue
				}
				for _, from := range events[:i] {
					if from.Name == "navigationStart" && strings.HasPrefix(from.Args.Data.DocumentLoaderURL, "file:") {
						opened = (e.Time - from.Time) / 1e6
					}
				}
				break
			}
			require.False(t, math.IsNaN(opened))
			b.Shot("millions-" + name)
			t.Logf("%d issues: a page of %.1f MB, written in %.1f s, drawn %.2f s after the browser began to open it",
				f.Launches[0].Count, float64(page.Len())/1e6, written.Seconds(), opened)

			// Dragging in the picture of all steps, and going on step by step.
			for _, how := range []string{"drag", "wheel"} {
				var span float64
				events := b.Trace(func() {
					begin := time.Now()
					b.mouse("mousePressed", 20, 240, how)
					for at := 0.; time.Since(begin) < 3*time.Second; at += 3 {
						b.mouse("mouseMoved", 20+math.Mod(at, 1400), 240, how)
					}
					b.mouse("mouseReleased", 20, 240, how)
					span = time.Since(begin).Seconds()
				})
				drawn, frames := 0, 0
				for _, e := range events {
					switch e.Name {
					case "player-drawn":
						drawn++
					case "DrawFrame":
						frames++
					}
				}
				require.Greater(t, drawn, 1)
				t.Logf("%s: %.0f frames a second, in %.0f of which the step has changed", how, float64(frames)/span, float64(drawn)/span)
			}
			require.Empty(t, b.Complaints())
		})
	}
}

// mouse moves the mouse with the button held, or turns its wheel in the picture of the steps around.
func (b browser) mouse(event string, x, y float64, how string) {
	b.T.Helper()
	params := map[string]any{"type": event, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}
	if how == "wheel" {
		if event != "mouseMoved" {
			return
		}
		params = map[string]any{"type": "mouseWheel", "x": 700, "y": 400, "deltaX": 40, "deltaY": 0}
	}
	b.Call("Input.dispatchMouseEvent", params, nil)
}
