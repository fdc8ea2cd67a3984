package cfg_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/cfg"
	"jacquard/tesla"
)

// Instructions of 8 bytes each; n counts instructions.

var (
	always = tesla.Guard{}
	maybe  = tesla.Guard{Cond: tesla.CondE}
)

func op(o tesla.Op, g tesla.Guard, n int) tesla.Instruction {
	return tesla.Instruction{Op: o, Guard: g, Target: uint32(8 * n), Size: 8}
}

func nop() tesla.Instruction            { return op(tesla.OpNop, always, 0) }
func bra(n int) tesla.Instruction       { return op(tesla.OpBra, always, n) }
func braIf(n int) tesla.Instruction     { return op(tesla.OpBra, maybe, n) }
func call(n int) tesla.Instruction      { return op(tesla.OpCall, always, n) }
func joinAt(n int) tesla.Instruction    { return op(tesla.OpJoinAt, always, n) }
func breakAddr(n int) tesla.Instruction { return op(tesla.OpBreakAddr, always, n) }
func preRet(n int) tesla.Instruction    { return op(tesla.OpPreRet, always, n) }
func brk() tesla.Instruction            { return op(tesla.OpBreak, always, 0) }
func brkIf() tesla.Instruction          { return op(tesla.OpBreak, maybe, 0) }
func ret() tesla.Instruction            { return op(tesla.OpRet, always, 0) }
func retIf() tesla.Instruction          { return op(tesla.OpRet, maybe, 0) }

func marked(m tesla.Marker) tesla.Instruction {
	in := nop()
	in.Marker = m
	return in
}

func exit() tesla.Instruction { return marked(tesla.MarkerExit) }
func join() tesla.Instruction { return marked(tesla.MarkerJoin) }

// analyse returns the graph of code and its first function.
func analyse(t testing.TB, code ...tesla.Instruction) (*cfg.Graph, *cfg.Function) {
	t.Helper()
	g, err := cfg.New(code)
	require.NoError(t, err)
	return g, g.Functions[0]
}

// random returns a function of n instructions with random branches, or only forward ones. Every
// block is one instruction.
func random(t testing.TB, r *rand.Rand, n int, forward bool) *cfg.Function {
	t.Helper()
	code := make([]tesla.Instruction, n)
	for i := range code {
		to := r.IntN(n)
		if forward {
			to = min(i+1+r.IntN(4), n-1)
		}
		switch r.IntN(10) {
		case 0:
			code[i] = exit()
		case 1, 2:
			code[i] = bra(to)
		case 3:
			code[i] = nop()
		default:
			code[i] = braIf(to)
		}
	}
	code[n-1] = exit()
	_, f := analyse(t, code...)
	return f
}

// randoms calls do with many small graphs, many of them reducible.
func randoms(t *testing.T, do func(*testing.T, *cfg.Function)) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 4000 {
		do(t, random(t, r, 2+r.IntN(9), i%4 == 0))
	}
}

// reach returns the blocks on paths from block from that do not enter without.
func reach(f *cfg.Function, from, without int) map[int]bool {
	seen := map[int]bool{}
	var walk func(int)
	walk = func(b int) {
		if b == without || seen[b] {
			return
		}
		seen[b] = true
		if b == cfg.Exit {
			return
		}
		for _, e := range f.Blocks[b].Succ {
			walk(e.To)
		}
	}
	walk(from)
	return seen
}
