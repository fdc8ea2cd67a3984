package report

import (
	"fmt"

	"github.com/stretchr/testify/require"
)

// checkPacked opens kernels that the page has packed: by the list, and at an instruction.
func checkPacked(b *browser) {
	require.Equal(b.T, false, b.Eval(`!!document.querySelector('#k5 table.code')`))
	b.Eval(`document.querySelector('nav.side a[href="#k5"]').click()`)
	b.Wait(visible("#k5 table.code"))
	b.Key("j")
	require.Equal(b.T, "0000", b.current("k5"))
	b.Eval(`location.hash = 'k6-0008'`)
	b.Wait(visible("#k6 table.code"))
	b.Wait(`document.querySelector('#k6 tr[aria-current]')?.dataset.pc === '0008'`)
	require.Equal(b.T, 1.0, b.Eval(`document.querySelectorAll('#k6 tr[tabindex="0"]').length`))
	b.Eval(`globalThis.print = () => { globalThis.printed = document.querySelectorAll('table.code').length }`)
	b.Key("P")
	b.Wait(`globalThis.printed !== undefined`)
	require.Equal(b.T, float64(len(shown)-1), b.Eval(`printed`), "all are unpacked before they are printed; matmul ran twice")
}

// settle waits until the player has drawn everything. A player that is seen for the first time has
// no job before the browser tells it of its size.
func (b *browser) settle() {
	b.T.Helper()
	b.Wait(`player.jobs === 0 && (document.querySelector('.meters b') !== null || !` + visible("#player") + `)`)
}

// checkTimeline points at cells, zooms by mouse and by keys, and follows links to code and player.
func checkTimeline(b *browser) {
	b.goTo("timeline")
	pointer := func(event string, x float64) {
		b.T.Helper()
		b.Eval(fmt.Sprintf(`{ const s = document.querySelector('[data-map="2"] .lane-map'), r = s.getBoundingClientRect();
			s.dispatchEvent(new PointerEvent(%q, {clientX: r.left + r.width * %f, clientY: r.top + 5, bubbles: true})) }`, event, x))
	}
	says := `document.querySelector('[data-map="2"] .cell-at').textContent`
	b.Eval(`document.querySelector('[data-map="2"]').scrollIntoView()`)
	pointer("pointermove", 0.3)
	b.Wait(says + `.startsWith('Block 0, warp 0, round')`)
	require.Regexp(b.T, `: \d+ issues?, \d+\.\d lanes on average, from [0-9a-f]{4} .* · play$`, b.Eval(says))
	whole := b.Eval(`[...document.querySelector('[data-map="2"] .lane-map').querySelectorAll('path')].map(p => p.getAttribute('d')).join()`)
	pointer("pointerdown", 0.3)
	pointer("pointermove", 0.5)
	pointer("pointerup", 0.5)
	from := `document.querySelector('[data-map="2"] .from').textContent`
	b.Wait(from + ` !== '0'`)
	require.NotEqual(b.T, whole, b.Eval(`[...document.querySelector('[data-map="2"] .lane-map').querySelectorAll('path')].map(p => p.getAttribute('d')).join()`))
	b.Shot("timeline-zoomed")
	b.Eval(`document.querySelector('[data-map="2"] .lane-map').focus()`)
	b.Key("0")
	b.Wait(from + ` === '0'`)
	b.Key("+")
	b.Key("ArrowDown")
	b.Wait(says + `.startsWith('Block 0, warp 1')`)
	b.Key("ArrowRight")
	b.Key("Enter")
	b.Wait(`document.querySelector('.view.current tr[aria-current]') !== null`)

	b.goTo("timeline")
	b.Eval(`document.querySelector('[data-map="2"] .lane-map').focus()`)
	b.Key("0")
	for range 30 {
		b.Key("ArrowRight")
	}
	b.Wait(`document.querySelectorAll('[data-map="2"] .cell-at a').length === 2`)
	rounds := b.Eval(`/rounds? ([0-9,]+)( to ([0-9,]+))?/.exec(` + says + `.replaceAll(',', '')).filter((m, i) => i % 2).map(Number)`).([]any)
	b.Eval(`document.querySelectorAll('[data-map="2"] .cell-at a')[1].click()`)
	b.Wait(visible("#player"))
	b.settle()
	round := b.Eval(`Number([...document.querySelectorAll('.meters b')].at(-1).textContent.replaceAll(',', ''))`)
	require.GreaterOrEqual(b.T, round, rounds[0])
	require.LessOrEqual(b.T, round, rounds[len(rounds)-1])
	require.Equal(b.T, "1", b.Eval(`document.querySelector('.player [name=warp]').value`))
}

// checkPlayer steps in the player of the report. Its keys are its own.
func checkPlayer(b *browser) {
	b.goTo("player")
	b.settle()
	step := `document.querySelector('.meters b').textContent`
	before := b.Eval(step)
	b.Key("ArrowRight")
	b.settle()
	require.NotEqual(b.T, before, b.Eval(step))
	b.Key("p")
	b.settle()
	require.Equal(b.T, true, b.Eval(visible("#player")), "p goes back to a change of lanes, not to the timeline")
	launches := b.Eval(`document.querySelector('.player [name=play]').length`)
	require.Equal(b.T, float64(len(shown)), launches)
	b.Eval(`{ const s = document.querySelector('.player [name=play]'); s.value = 1; s.dispatchEvent(new Event('change')) }`)
	b.settle()
	require.Contains(b.T, b.text(".player section"), "reduce")
	require.Equal(b.T, 1.0, b.Eval(`document.querySelectorAll('.player section').length`))
	light := b.Eval(`getComputedStyle(document.querySelector('.player section')).backgroundColor`)
	b.Eval(`document.querySelector('#theme').click()`)
	require.NotEqual(b.T, light, b.Eval(`getComputedStyle(document.querySelector('.player section')).backgroundColor`))
	b.Eval(`localStorage.removeItem('jacquard-theme')`)
}
