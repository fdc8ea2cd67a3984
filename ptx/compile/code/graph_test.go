package code

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// parseGraph makes a function of a text with a block per word: "1/2" branches to b1, else b2, "=1/2"
// does so uniformly, "3" jumps, "." ends the kernel. A block of a word with "!" has a barrier. Blocks
// hold two instructions each.
func parseGraph(s string) *Func {
	words := strings.Fields(s)
	f := &Func{Regs: make([]RegInfo, 1)}
	p := f.NewReg(Cond)
	for range words {
		b := &Block{Code: []Instr{move(f.NewReg(Word), 0, Line{}), move(f.NewReg(Word), 0, Line{})}}
		f.Blocks = append(f.Blocks, b)
	}
	for i, w := range words {
		e := &f.Blocks[i].End
		if bar, ok := strings.CutPrefix(w, "!"); ok {
			w, f.Blocks[i].Meet, f.Blocks[i].Bar = bar, true, true
		}
		var a, b int
		switch {
		case w == ".":
			e.Kind = Exit
		case strings.Contains(w, "/"):
			e.Kind, e.Uniform = Branch, w[0] == '='
			e.Guard = Guard{Reg: p, Cond: 5}
			_, _ = fmt.Sscanf(strings.TrimPrefix(w, "="), "%d/%d", &a, &b)
			e.To = [2]*Block{f.Blocks[a], f.Blocks[b]}
		default:
			_, _ = fmt.Sscanf(w, "%d", &a)
			e.To[0] = f.Blocks[a]
		}
	}
	f.number()
	return f
}

// randomGraph returns the text of a graph.
func randomGraph(r *rand.Rand) string {
	n := 2 + r.IntN(12)
	var words []string
	for range n {
		switch r.IntN(8) {
		case 0:
			words = append(words, ".")
		case 1, 2:
			words = append(words, fmt.Sprint(r.IntN(n)))
		default:
			words = append(words, fmt.Sprintf("%d/%d", r.IntN(n), r.IntN(n)))
		}
	}
	return strings.Join(words, " ")
}

// reachable returns the blocks that can be reached from a block without another.
func reachable(g *graph, from, without int32) map[int32]bool {
	seen := map[int32]bool{}
	var walk func(b int32)
	walk = func(b int32) {
		if b == without || seen[b] {
			return
		}
		seen[b] = true
		for _, s := range g.succ[b] {
			walk(s)
		}
	}
	walk(from)
	return seen
}

func TestGraph(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		text := randomGraph(r)
		g := newGraph(parseGraph(text))
		all := reachable(g, 0, -1)
		require.Len(t, g.Order, len(all), text)
		for b := range all {
			for a := range all {
				require.Equal(t, a == b || !reachable(g, 0, a)[b], g.Dominates(a, b), "%s: %d dominates %d", text, a, b)
			}
		}
		for head := range all {
			loop := map[int32]bool{}
			for _, p := range g.pred[head] {
				if g.Dominates(head, p) {
					loop[head] = true
					for b := range all {
						if b == p || b != head && reachable(g, b, head)[p] {
							loop[b] = true
						}
					}
				}
			}
			for b := range all {
				require.Equal(t, loop[b], g.within(b, head), "%s: %d in loop of %d", text, b, head)
			}
		}
	}
}
