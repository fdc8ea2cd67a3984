package meeting

import (
	"fmt"
	"testing"
)

// TestDump prints the program of -first in both languages.
func TestDump(t *testing.T) {
	if !testing.Verbose() {
		t.Skip("the text is for -v")
	}
	p := New(*first, Options{Loose: *loose})
	fmt.Print(p.PTX(), "\n", p.CUDA("k"))
}

// TestCounts prints the share of programs that have each kind of statement, and how many threads
// end early.
func TestCounts(t *testing.T) {
	if !testing.Verbose() {
		t.Skip("the figures are for -v")
	}
	kinds, empty, early, statements := map[Kind]int{}, 0, 0, 0
	for seed := range uint64(*wide) {
		p := New(*first+seed, Options{Loose: *loose})
		has := map[Kind]bool{}
		for _, b := range p.blocks() {
			each(b, func(s *Stmt) { has[s.Kind] = true; statements++ })
		}
		for k := range has {
			kinds[k]++
		}
		if len(p.Body) < 2 {
			empty++
		}
		out, _ := p.Evaluate()
		for i := finalSlot + 2; i < len(out); i += Slots {
			if out[i-1] == 0 && out[i] == 0 && out[i+1] == 0 {
				early++
				break
			}
		}
	}
	t.Log(kinds, "empty", empty, "early", early, "statements", statements)
}
