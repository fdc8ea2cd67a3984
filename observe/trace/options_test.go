package trace_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/trace"
	"jacquard/tesla"
)

func TestParsePath(t *testing.T) {
	for text, want := range map[string]struct {
		file string
		o    trace.Options
	}{
		"t.jqt":                    {file: "t.jqt"},
		"/a:b/t.jqt":               {file: "/a:b/t.jqt"},
		"a:b.jqt:":                 {file: "a:b.jqt"},
		"t.jqt:values=all":         {"t.jqt", trace.Options{Values: trace.Values{Registers: true, Addresses: true, Data: true}}},
		"t.jqt:values=addr+data":   {"t.jqt", trace.Options{Values: trace.Values{Addresses: true, Data: true}}},
		"t:first=10,warp=0-1":      {"t", trace.Options{Filter: trace.Filter{First: 10, Warps: []trace.Range{{0, 1}}}}},
		"t:pc=0x10-0x80+0xa0":      {"t", trace.Options{Filter: trace.Filter{PCs: []trace.Range{{0x10, 0x80}, {0xa0, 0xa0}}}}},
		"t:kernel=a+b,op=imad+bra": {"t", trace.Options{Filter: trace.Filter{Kernels: []string{"a", "b"}, Ops: []tesla.Op{tesla.OpIMad, tesla.OpBra}}}},
		"t:launch=2,block=1-3+7":   {"t", trace.Options{Filter: trace.Filter{Launches: []trace.Range{{2, 2}}, Blocks: []trace.Range{{1, 3}, {7, 7}}}}},
	} {
		file, o, err := trace.ParsePath(text)
		require.NoError(t, err, text)
		require.Equal(t, want.file, file)
		require.Equal(t, want.o, o, text)
	}
}

// A wrong option is an error that lists the accepted ones.
func TestBadOptions(t *testing.T) {
	const options = "want values=all or regs+addr+data+state, kernel=NAME, launch=0-3, block=0+7, warp=0-1, pc=0x10-0x80, op=NAME or first=N, several with commas between"
	for text, want := range map[string]string{
		"t.jqt:regs":         `trace: unknown option "regs": ` + options,
		"t.jqt:vals=all":     `trace: unknown option "vals": ` + options,
		"t.jqt:values=reg":   `trace: unknown values "reg": want all, none, regs, addr, data or state, several with + between`,
		"t.jqt:first=0":      `trace: first="0": want a number above 0`,
		"t.jqt:warp=x":       `trace: warp="x": want a number, or first-last, several with + between`,
		"t.jqt:pc=0x20-0x10": `trace: pc="0x20-0x10": want a number, or first-last, several with + between`,
		"t.jqt:kernel=":      `trace: kernel without a name: want names with + between`,
		":first=3":           `trace: ":first=3" names no file: want the path of a file, and perhaps a colon and options`,
		"/tmp/":              `trace: "/tmp/" names no file: want the path of a file, and perhaps a colon and options`,
	} {
		_, _, err := trace.ParsePath(text)
		require.EqualError(t, err, want, text)
	}
	_, _, err := trace.ParsePath("t:op=madd")
	require.ErrorContains(t, err, `trace: unknown operation "madd": want addaddr, atom, bar, bra,`)
}
