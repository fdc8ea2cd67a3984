package code_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"jacquard/decoder"
	"jacquard/ptx/compile/code"
	"jacquard/tesla"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// collatz is a kernel that counts how long each thread takes to get from its number to 1.
func collatz() *code.Func {
	w := newBuilder(16)
	thread, slot := w.entry()
	n, steps, one := w.word(), w.word(), w.word()
	w.do(tesla.OpIAdd, n, thread, 1)
	w.do(tesla.OpMov, steps, 0)
	w.do(tesla.OpMov, one, 1)
	head, odd, even, tail, end := &code.Block{}, &code.Block{}, &code.Block{}, &code.Block{}, &code.Block{}
	place := func(b *code.Block, depth int) {
		b.ID, b.Depth = len(w.f.Blocks), depth
		w.f.Blocks, w.b = append(w.f.Blocks, b), b
	}
	w.branch(w.compare(n, one, tesla.Greater), tesla.CondLG, head, end)

	place(head, 1)
	bit := w.word()
	w.logic(tesla.And, bit, n, 1)
	w.branch(w.compare(bit, 0, tesla.Equal), tesla.CondLG, even, odd)

	place(odd, 1)
	n1 := w.word()
	w.mad(n1, n, 3, one)
	w.copy(n, n1)
	w.jump(tail)

	place(even, 1)
	n2 := w.word()
	w.do(tesla.OpShr, n2, n, 1).In.Type = tesla.U32
	w.copy(n, n2)
	w.jump(tail)

	place(tail, 1)
	more := w.word()
	w.do(tesla.OpIAdd, more, steps, 1)
	w.copy(steps, more)
	w.branch(w.compare(n, one, tesla.Greater), tesla.CondLG, head, end)

	place(end, 0)
	end.End.Kind = code.Exit
	w.store(slot, steps)
	return w.f
}

// TestGolden shows a kernel after every pass, and its machine code.
func TestGolden(t *testing.T) {
	f := collatz()
	check(t, clone(f), "nvidia", "stackless")
	var b strings.Builder
	fmt.Fprintf(&b, "== input\n%s", f)
	for _, p := range code.Passes() {
		before := f.String()
		require.NoError(t, p.Run(f))
		if after := f.String(); after != before {
			fmt.Fprintf(&b, "\n== %s\n%s", p.Name, after)
		}
	}
	r, err := code.Emit(f)
	require.NoError(t, err)
	fmt.Fprintf(&b, "\n== machine code, %d registers, literals %x\n", r.Registers, r.Literals)
	at := 0
	for _, in := range decoder.Kernel(f.Arch, r.Words) {
		fmt.Fprintf(&b, "%04x %s\n", at, in)
		at += int(in.Size)
	}
	const file = "testdata/collatz.txt"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())
}
