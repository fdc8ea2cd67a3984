package meeting

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A program shrinks to the statements that keep it bad, and has a result all the way.
func TestShrink(t *testing.T) {
	p := New(5, Options{Budget: 30})
	ballots := func() (n int) {
		for _, b := range p.blocks() {
			each(b, func(s *Stmt) {
				if s.Kind == Vote && s.Form == Ballot {
					n++
				}
			})
		}
		return n
	}
	require.NotZero(t, ballots())
	p.Shrink(func() bool {
		require.True(t, p.evaluates())
		return ballots() > 0
	})
	require.Equal(t, 1, ballots())
	require.Len(t, p.Body, 1)
}

// Where the data alone bring all lanes together, operations stay only in programs with Loose.
func TestPrune(t *testing.T) {
	parting := func() (*Program, *Stmt) {
		vote := &Stmt{Kind: Vote, Form: Ballot, ID: 1, Cond: &Cond{Op: "<", A: &Expr{Op: Lane}, B: &Expr{Op: Const, N: 3}}}
		// No thread has a number above the last one.
		branch := &Stmt{Kind: If, Cond: &Cond{Op: "<", A: &Expr{Op: Lane}, B: &Expr{Op: Const, N: 32}}, Blocks: []Block{{vote}, {}}}
		return &Program{Threads: 32, Body: Block{branch}}, branch
	}
	p, branch := parting()
	p.repair()
	require.Len(t, branch.Blocks[0], 1)
	p, branch = parting()
	p.prune()
	require.Empty(t, branch.Blocks[0])
}
