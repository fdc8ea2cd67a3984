package ptx

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite testdata/errors.txt")

// TestErrors reads testdata/errors.txt: texts after lines with "--- name", and the messages that
// they give after ">". A text without .version is the body of a kernel; see errorKernel.
func TestErrors(t *testing.T) {
	const file = "testdata/errors.txt"
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	var out strings.Builder
	for i, part := range strings.Split(string(content), "--- ") {
		if i == 0 {
			out.WriteString(part)
			continue
		}
		name, text, _ := strings.Cut(part, "\n")
		text = withoutMessages(text)
		out.WriteString("--- " + name + "\n" + text)
		whole := text
		if !strings.Contains(text, ".version") {
			whole = errorKernel + text + "}\n"
		}
		_, err := Parse(name, []byte(whole))
		require.Error(t, err, name)
		for line := range strings.SplitSeq(err.Error(), "\n") {
			out.WriteString("> " + strings.TrimPrefix(line, name+":") + "\n")
		}
		out.WriteString("\n")
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(out.String()), 0o644))
		return
	}
	require.Equal(t, string(content), out.String())
}

// errorKernel is one line, so that lines of a text count from 2.
const errorKernel = ".version 3.0 .target sm_20 .address_size 64 .global .u32 table[4]; .shared " +
	".f32 tile[16]; .global .texref image; .func (.reg .u32 r) twice(.reg .u32 x); " +
	".entry k(.param .u64 out) { .reg .pred %p<3>; .reg .u32 %r<5>; .reg .u64 %rd<3>; " +
	".reg .f32 %f<3>; .reg .f64 %fd<3>; .reg .u16 %h<3>; .reg .v4 .f32 %v;\n"

// withoutMessages drops the messages and the empty lines around a text.
func withoutMessages(text string) string {
	var kept []string
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(line, "> ") {
			kept = append(kept, line)
		}
	}
	return strings.TrimSpace(strings.Join(kept, "\n")) + "\n"
}

func TestErrorTypes(t *testing.T) {
	_, err := Parse("a.ptx", []byte(".version 3.0\n.target sm_20\n.foo\n"))
	var one *Error
	require.ErrorAs(t, err, &one)
	require.Equal(t, "a.ptx", one.Name)
	require.Equal(t, Pos{3, 1}, one.Pos)
	var all Errors
	require.True(t, errors.As(err, &all))
	require.Len(t, all, 1)
}

func TestErrorLimit(t *testing.T) {
	_, err := Parse("many", []byte(errorKernel+strings.Repeat("add;\n", 1000)+"}\n"))
	require.Len(t, err.(Errors), maxErrors)
}

// Content may stand far into a variable, but in all a text fills only so much.
func TestSparseContent(t *testing.T) {
	m, err := Parse("sparse", []byte(".version 3.0 .global .u8 x[2][2000000] = {{1}, {2}};"))
	require.NoError(t, err)
	content := m.Items[0].(*Var).Init.Bytes
	require.Len(t, content, 2000001)
	require.Equal(t, []byte{1, 0, 0, 2}, []byte{content[0], content[1], content[1999999], content[2000000]})
	const why = `the content of "%s" reaches byte %d; a text fills at most %d bytes, of which %d are taken`
	_, err = Parse("far", []byte(".version 3.0 .global .u8 x[2][20000000] = {{1}, {2}};"))
	require.EqualError(t, err, fmt.Sprintf("far:1:50: "+why, "x", 20000000, maxContent+16*53, 1))
	var several strings.Builder
	several.WriteString(".version 3.0\n")
	for i := range 10 {
		fmt.Fprintf(&several, ".global .u8 x%d[2][2000000] = {{1}, {2}};\n", i)
	}
	_, err = Parse("several", []byte(several.String()))
	require.ErrorContains(t, err, fmt.Sprintf("several:10:37: "+why, "x8", 2000000,
		maxContent+16*several.Len(), 8*2000001+1))
}

// TestLimits checks that short texts cannot ask for much.
func TestLimits(t *testing.T) {
	for name, text := range map[string]string{
		"registers":   errorKernel + ".reg .u32 %x<2000000>; }",
		"array":       ".version 3.0 .global .u32 x[65536][65536];",
		"dimensions":  ".version 3.0 .global .u8 x" + strings.Repeat("[1]", 1000) + ";",
		"content":     ".version 3.0 .global .u8 x[2][1000000000] = {{1}, {2}};",
		"parentheses": errorKernel + "mov.u32 %r0, " + strings.Repeat("(", 100000) + ";}",
		"signs":       errorKernel + "mov.u32 %r0, " + strings.Repeat("- ", 100000) + "1;}",
		"scopes":      errorKernel + strings.Repeat("{", 100000),
		"lists":       errorKernel + "mov.u32 " + strings.Repeat("{", 100000) + ";}",
		"braces":      ".version 3.0 .global .u8 x[2] = " + strings.Repeat("{", 100000) + ";",
		"conditions":  errorKernel + "mov.u32 %r0, " + strings.Repeat("1?", 100000) + ";}",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse(name, []byte(text))
			require.Error(t, err)
		})
	}
}
