package library_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
	"jacquard/ptx/compile/library"
)

func TestExpand(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"plain":  {"a\nb\n", "a\nb\n"},
		"loop":   {"a\n//for X in 1 2\nbX\n//end\nc\n", "a\nb1\nb2\nc\n"},
		"nested": {"//for X in 1 2\n//for Y in X 3\nXY\n//end\n//end\n", "11\n13\n22\n23\n"},
	}
	for name, test := range tests {
		var b strings.Builder
		library.Expand(&b, strings.SplitAfter(test.text, "\n"))
		require.Equal(t, test.want, b.String(), name)
	}
	require.Panics(t, func() { library.PartEnd([]string{"//for X in 1\n", "x\n"}) })
}

func TestOtherNames(t *testing.T) {
	for name, other := range library.Others {
		require.NotNil(t, functions()[name], name)
		require.Equal(t, functions()[other].Body, functions()[name].Body, name)
	}
	require.NotNil(t, functions()["atom__add_f32"])
	require.Equal(t, functions()["fma_rz_f32_sm13"].Body, functions()["mad_rz_f32_sm13"].Body)
}

// TestLines holds the files to the width of a page.
func TestLines(t *testing.T) {
	for _, name := range library.Families {
		b, err := library.Files.ReadFile(name + ".ptx")
		require.NoError(t, err)
		lines := strings.Split(string(b), "\n")
		require.LessOrEqual(t, len(lines), 600, name)
		for i, line := range lines {
			width := len(strings.ReplaceAll(line, "\t", "    "))
			require.LessOrEqual(t, width, 100, "%s.ptx:%d", name, i+1)
		}
	}
}

// TestTable prints, with -v, the cost of each function's common case: instructions of PTX without
// moves, and about as many of Tesla.
func TestTable(t *testing.T) {
	var out bytes.Buffer
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "function\tPTX\tTesla")
	names := make([]string, 0, len(functions()))
	for name := range functions() {
		if !implied(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		n, cost := pathOf(functions()[name])
		fmt.Fprintf(w, "%s\t%d\t%d\n", name, n, cost)
	}
	require.NoError(t, w.Flush())
	t.Logf("\n%s", out.String())
}

// pathOf follows a function from its first instruction to the first ret that no guard passes.
func pathOf(f *ptx.Func) (n, cost int) {
	for at := 0; at < len(f.Body); at++ {
		in, ok := f.Body[at].(*ptx.Instr)
		switch {
		case !ok, in.Op == ptx.OpMov && len(in.Args[1].List) == 0, in.Op == ptx.OpMov:
		case in.Op == ptx.OpRet:
			return n, cost
		case in.Op == ptx.OpCall:
			m, c := pathOf(in.Args[1].Func)
			n, cost = n+m, cost+c
		case in.Op == ptx.OpBra && in.Guard.Pred == nil:
			at = slices.Index(f.Body, ptx.Stmt(in.Args[0].Label))
		default:
			n, cost = n+1, cost+costOf(in)
		}
	}
	return n, cost
}

// costOf is about how many instructions of Tesla one of PTX becomes.
func costOf(in *ptx.Instr) int {
	words := max(in.Type.Bits()/32, 1)
	long := words == 2 && in.Type != ptx.F64
	switch in.Op {
	case ptx.OpMul, ptx.OpMad:
		switch {
		case in.Type == ptx.U32 && in.Mods&ptx.Wide != 0:
			return 14
		case in.Type == ptx.U32 && in.Mods&ptx.HiHalf != 0:
			return 10
		case in.Type == ptx.U32:
			return 4
		}
	case ptx.OpSelp:
		return 2 * words
	case ptx.OpCvt:
		if in.Type == ptx.U64 && in.From == ptx.U32 {
			return 0
		}
	case ptx.OpShl, ptx.OpShr:
		if long {
			return 8
		}
	case ptx.OpAbs:
		if long {
			return 5
		}
	case ptx.OpMin, ptx.OpMax, ptx.OpSetp:
		if long {
			return 6
		}
	case ptx.OpSin, ptx.OpCos, ptx.OpEx2, ptx.OpSqrt:
		return 2
	}
	if long {
		return 2
	}
	return 1
}
