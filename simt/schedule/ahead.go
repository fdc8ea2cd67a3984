package schedule

import (
	"slices"

	"jacquard/simt/count"
)

// waveLedger is what a worker counts of a wave apart.
type waveLedger struct {
	count.Ledger
	wave int
}

// aheadAt returns where a worker counts a wave that a fault may leave out, the last it has or a
// later one.
func (w *worker) aheadAt(g *grid, wave int) *count.Ledger {
	if n := len(w.ahead); n > 0 && w.ahead[n-1].wave == wave {
		return &w.ahead[n-1].Ledger
	}
	var c *waveLedger
	if n := len(w.spare) - 1; n >= 0 {
		c, w.spare = w.spare[n], w.spare[:n]
	} else {
		c = new(waveLedger)
	}
	c.Begin(g.l.Program.Program, g.l.NoStats)
	c.wave = wave
	w.ahead = append(w.ahead, c)
	return &c.Ledger
}

// countWaves counts what was counted apart of the waves up to one.
func (w *worker) countWaves(wave int) {
	n := 0
	for ; n < len(w.ahead) && w.ahead[n].wave <= wave; n++ {
		w.ledger.Merge(&w.ahead[n].Ledger)
	}
	w.forget(n)
}

// forgetAhead leaves out the waves that were counted apart.
func (w *worker) forgetAhead() { w.forget(len(w.ahead)) }

// mostSpare is how many counters of waves a worker has for later ones.
const mostSpare = 16

// forget drops the first n counters of waves.
func (w *worker) forget(n int) {
	if n > 0 {
		w.spare = append(w.spare, w.ahead[:min(n, max(0, mostSpare-len(w.spare)))]...)
		w.ahead = slices.Delete(w.ahead, 0, n)
	}
}
