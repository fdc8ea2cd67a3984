package ptxreference

import (
	le "encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
)

const (
	modern = ".version 8.6\n.target sm_100\n.address_size 64\n"
	tesla  = ".version 1.4\n.target sm_13\n"
	fermi  = ".version 3.0\n.target sm_20\n.address_size 64\n"
)

func parse(t *testing.T, text string) *ptx.Module {
	t.Helper()
	m, err := ptx.Parse("test.ptx", []byte(text))
	require.NoError(t, err, text)
	return m
}

func load(t *testing.T, text string, c Config) *Program {
	t.Helper()
	p, err := Load(parse(t, text), c)
	require.NoError(t, err)
	return p
}

// resultAt is where the kernels of the tests store.
const resultAt = 0x80000000

// perform runs a text of instructions in one thread. Registers 1 to 5 of each kind hold the inputs:
// %h 16 bits, %r and %f 32, %d and %g 64, %p predicates. The result is register 0 of the kind that
// the text writes.
func perform(t *testing.T, head, code string, in ...uint64) uint64 {
	t.Helper()
	var text strings.Builder
	text.WriteString(head + ".entry k(.param .u64 a1, .param .u64 a2, .param .u64 a3, .param .u64 a4)\n{\n")
	for _, kind := range []string{"h .b16", "r .b32", "f .f32", "d .b64", "g .f64", "p .pred"} {
		name, reg, _ := strings.Cut(kind, " ")
		fmt.Fprintf(&text, ".reg %s %%%s<10>;\n", reg, name)
	}
	var params []byte
	for i := range 4 {
		v := uint64(0)
		if i < len(in) {
			v = in[i]
		}
		params = le.LittleEndian.AppendUint64(params, v)
		for _, kind := range []string{"h u16", "r u32", "f f32", "d u64", "g f64"} {
			name, of, _ := strings.Cut(kind, " ")
			fmt.Fprintf(&text, "ld.param.%s %%%s%d, [a%d];\n", of, name, i+1, i+1)
		}
		fmt.Fprintf(&text, "setp.ne.u32 %%p%d, %%r%d, 0;\n", i+1, i+1)
	}
	fmt.Fprintf(&text, "%s\n", code)
	text.WriteString("selp.u32 %r9, 1, 0, %p0;\n")
	kind := written.FindStringSubmatch(code)
	require.NotNil(t, kind, code)
	of := map[string]string{"h": "b16", "r": "b32", "f": "f32", "d": "b64", "g": "f64", "p": "b32"}[kind[1]]
	value := "%" + kind[1] + "0"
	if kind[1] == "p" {
		value = "%r9"
	}
	fmt.Fprintf(&text, "st.global.%s [%d], %s;\nexit;\n}\n", of, resultAt, value)
	var m Memory
	out := make([]byte, 8)
	require.NoError(t, m.Map(resultAt, out))
	p := load(t, text.String(), Config{Memory: &m})
	require.NoError(t, p.Run("k", Launch{Params: params}), text.String())
	return le.LittleEndian.Uint64(out)
}

// written finds the kind of the register 0 in a text.
var written = regexp.MustCompile(`%([hrfdgp])0\b`)

// row is one case of a table: instructions, inputs and the result.
type row struct {
	code string
	in   []uint64
	want uint64
}

func in(v ...uint64) []uint64 { return v }

func check(t *testing.T, head string, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(fmt.Sprintf("%s %x", r.code, r.in), func(t *testing.T) {
			require.Equal(t, fmt.Sprintf("%#x", r.want), fmt.Sprintf("%#x", perform(t, head, r.code, r.in...)))
		})
	}
}

// words runs kernel k of a text with one parameter, the address of n words, and returns the words.
func words(t *testing.T, text string, n int, l Launch) []uint32 {
	t.Helper()
	r, err := tryWords(t, text, n, l)
	require.NoError(t, err)
	return r
}

func tryWords(t *testing.T, text string, n int, l Launch) ([]uint32, error) {
	t.Helper()
	var m Memory
	address, out, err := m.Alloc(4 * n)
	require.NoError(t, err)
	l.Params = le.LittleEndian.AppendUint64(nil, address)
	p, err := Load(parse(t, text), Config{Memory: &m})
	if err == nil {
		err = p.Run("k", l)
	}
	var r []uint32
	for i := range n {
		r = append(r, uint32(little(out[4*i:4*i+4])))
	}
	return r, err
}

// kernel wraps instructions: %r1 is tid.x, %d1 the address of the thread's word. They leave a result
// in %r0.
func kernel(head, outside, code string) string {
	return head + outside + `
.visible .entry k(.param .u64 out)
{
	.reg .b32 %r<20>;
	.reg .f32 %f<8>;
	.reg .b64 %d<8>;
	.reg .pred %p<8>;
	ld.param.u64 %d0, [out];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %d1, %r1, 4;
	add.u64 %d1, %d1, %d0;
` + code + `
	st.global.u32 [%d1], %r0;
	ret;
}
`
}

// bothWays runs a kernel in lockstep and each thread alone: what it stores is the same.
func bothWays(t *testing.T, text string, n int, l Launch) []uint32 {
	t.Helper()
	r := words(t, text, n, l)
	l.Alone = !l.Alone
	require.Equal(t, r, words(t, text, n, l))
	return r
}

func requireKind(t *testing.T, err error, k Kind, text string) {
	t.Helper()
	var e *Error
	require.True(t, errors.As(err, &e), "%v", err)
	require.Equal(t, k, e.Kind, "%v", err)
	require.Contains(t, err.Error(), text)
}
