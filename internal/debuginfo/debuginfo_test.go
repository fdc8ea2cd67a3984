package debuginfo_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/debuginfo"
)

var (
	integer  = &debuginfo.Type{Kind: debuginfo.Signed, Name: "int", Size: 4, Sign: true}
	letter   = &debuginfo.Type{Kind: debuginfo.Char, Name: "char", Size: 1, Sign: true}
	truth    = &debuginfo.Type{Kind: debuginfo.Bool, Name: "bool", Size: 1}
	float    = &debuginfo.Type{Kind: debuginfo.Float, Name: "float", Size: 4}
	double   = &debuginfo.Type{Kind: debuginfo.Float, Name: "double", Size: 8}
	unsigned = &debuginfo.Type{Kind: debuginfo.Unsigned, Name: "unsigned int", Size: 4}
	color    = &debuginfo.Type{Kind: debuginfo.Enum, Name: "color", Size: 4, Sign: true,
		Values: []debuginfo.Enumerator{{Name: "red"}, {Name: "blue", Value: -200}}}
	base = &debuginfo.Type{Kind: debuginfo.Struct, Name: "base", Size: 4, Keyword: "struct",
		Members: []debuginfo.Member{{Name: "kind", Type: integer}}}
	word = &debuginfo.Type{Kind: debuginfo.Typedef, Name: "word", Elem: unsigned}
	node = func() *debuginfo.Type {
		t := &debuginfo.Type{Kind: debuginfo.Struct, Name: "node", Size: 40, Keyword: "class"}
		t.Members = []debuginfo.Member{
			{Type: base},
			{Name: "low", Type: unsigned, Offset: 4, Bits: 3},
			{Name: "high", Type: integer, Offset: 4, Bits: 5, Shift: 3},
			{Name: "next", Type: pointer(t), Offset: 8},
			{Name: "grid", Type: array(array(letter, 3), 2), Offset: 16},
			{Name: "d", Type: double, Offset: 24},
			{Name: "c", Type: color, Offset: 32},
			{Name: "w", Type: word, Offset: 36},
		}
		return t
	}()
)

func pointer(to *debuginfo.Type) *debuginfo.Type {
	return &debuginfo.Type{Kind: debuginfo.Pointer, Elem: to}
}

func array(of *debuginfo.Type, n uint64) *debuginfo.Type {
	return &debuginfo.Type{Kind: debuginfo.Array, Elem: of, Count: n}
}

// sample describes a kernel with a block and an inlined function.
func sample() *debuginfo.Info {
	constant := &debuginfo.Type{Kind: debuginfo.Qualified, Name: "const", Elem: float}
	local := func(name string, t *debuginfo.Type, at uint64) *debuginfo.Variable {
		return &debuginfo.Variable{Name: name, Type: t, Place: debuginfo.Place{Space: debuginfo.Local, Offset: at}}
	}
	function := &debuginfo.Type{Kind: debuginfo.Function}
	inlined := &debuginfo.Scope{Function: "twice", Call: debuginfo.Line{File: "k.cu", Line: 12},
		Ranges: []debuginfo.Range{{16, 24}, {40, 48}}, Variables: []*debuginfo.Variable{local("i", integer, 8),
			{Name: "r", Type: &debuginfo.Type{Kind: debuginfo.Reference, Elem: constant},
				Place: debuginfo.Place{Space: debuginfo.Register, Offset: 0x257231}}}}
	block := &debuginfo.Scope{Ranges: []debuginfo.Range{{8, 48}}, Inner: []*debuginfo.Scope{inlined},
		Variables: []*debuginfo.Variable{local("i", float, 4), local("gone", pointer(nil), 0), local("f", pointer(function), 16)}}
	block.Variables[1].Place = debuginfo.Place{}
	root := &debuginfo.Scope{Function: "k", Ranges: []debuginfo.Range{{0, 64}}, Inner: []*debuginfo.Scope{block},
		Variables: []*debuginfo.Variable{{Name: "n", Type: node, Param: true, Place: debuginfo.Place{Space: debuginfo.Shared, Offset: 16}},
			{Name: "lost", Type: integer, Param: true}, local("flags", array(truth, 0), 32)}}
	return &debuginfo.Info{Root: root, Globals: []*debuginfo.Variable{
		{Name: "total", Type: integer, Place: debuginfo.Place{Space: debuginfo.Global, Symbol: "total"}},
		{Name: "i", Type: integer, Place: debuginfo.Place{Space: debuginfo.Const, Symbol: "block", Offset: 4}},
	}}
}

// What a writer writes, a reader reads.
func TestRoundTrip(t *testing.T) {
	want := sample()
	sections := written(want)
	units, err := debuginfo.Read(sections)
	require.NoError(t, err)
	require.Len(t, units, 2)
	for _, u := range units {
		require.Len(t, u.Roots, 1)
		require.Equal(t, want, &debuginfo.Info{Root: u.Roots[0], Globals: u.Globals})
	}
}

// written returns the sections with two units of a kernel.
func written(i *debuginfo.Info) debuginfo.Sections {
	w := &debuginfo.Writer{File: func(path string) int { return 5 }}
	w.Add("k", 64, i)
	w.Add("k", 64, i)
	symbols := []string{"", "total", "block"}
	for _, r := range w.Refs {
		for n, name := range symbols {
			if name != "" && r.Symbol == name {
				binary.LittleEndian.PutUint64(w.Info[r.Offset:], uint64(n)<<32)
			}
		}
	}
	return debuginfo.Sections{Abbrev: debuginfo.Abbrev(), Info: w.Info, Ranges: w.Ranges,
		File: func(table, n int64) string { return map[int64]string{5: "k.cu"}[n] },
		Symbol: func(at uint64) (string, uint64, bool) {
			n := at >> 32
			return symbols[n%3], at & (1<<32 - 1), n > 0 && n < 3
		}}
}

// The innermost function and its blocks hide what is around.
func TestFrames(t *testing.T) {
	i := sample()
	at := debuginfo.Line{File: "k.h", Line: 3}
	frames := i.Frames(44, at)
	require.Len(t, frames, 2)
	require.Equal(t, "twice", frames[0].Function)
	require.Equal(t, at, frames[0].Line)
	require.Equal(t, debuginfo.Line{File: "k.cu", Line: 12}, frames[1].Line)
	require.Len(t, i.Frames(24, at), 1)

	names := func(list []*debuginfo.Variable) (out []string) {
		for _, v := range list {
			out = append(out, v.Name+" "+v.Place.String())
		}
		return out
	}
	require.Equal(t, []string{"i local:0x8", "r register:0x257231", "total global:total"}, names(i.Variables(44)))
	require.Equal(t, []string{"i local:0x4", "gone nowhere", "f local:0x10", "n shared:0x10", "lost nowhere",
		"flags local:0x20", "total global:total"}, names(i.VariablesOf(44, 1)))
	require.Equal(t, []string{"n shared:0x10", "lost nowhere", "flags local:0x20", "total global:total",
		"i const:block+0x4"}, names(i.Variables(0)))
	require.Empty(t, (*debuginfo.Info)(nil).Variables(0))
	require.Empty(t, (*debuginfo.Info)(nil).Frames(0, at))
}

func TestTypeNames(t *testing.T) {
	constant := &debuginfo.Type{Kind: debuginfo.Qualified, Name: "const", Elem: pointer(float)}
	ring := &debuginfo.Type{Kind: debuginfo.Typedef}
	ring.Elem = ring
	require.Equal(t, debuginfo.Unknown, ring.Under().Kind)
	require.Equal(t, "float *const", constant.String())
	require.Equal(t, "float **", pointer(pointer(float)).String())
	require.Equal(t, "void *", pointer(nil).String())
	require.Equal(t, "{...}", (&debuginfo.Type{Kind: debuginfo.Struct}).String())
	require.EqualValues(t, 24, array(array(integer, 3), 2).Bytes())
}

// A broken description is an error, and no crash.
func FuzzRead(f *testing.F) {
	s := written(sample())
	f.Add(s.Info, s.Abbrev, s.Ranges)
	f.Fuzz(func(t *testing.T, info, abbrev, ranges []byte) {
		broken := s
		broken.Info, broken.Abbrev, broken.Ranges = info, abbrev, ranges
		units, err := debuginfo.Read(broken)
		if err != nil {
			require.ErrorAs(t, err, new(*debuginfo.Error))
			return
		}
		for _, u := range units {
			for _, r := range u.Roots {
				i := &debuginfo.Info{Root: r, Globals: u.Globals}
				i.Frames(20, debuginfo.Line{})
				for _, v := range i.Variables(20) {
					_, _ = v.Type.String(), v.Type.Bytes()
				}
			}
		}
	})
}

func TestBroken(t *testing.T) {
	s := written(sample())
	for at := range s.Info {
		for _, x := range []byte{0xff, 1, 0x80} {
			broken := s
			broken.Info = append([]byte(nil), s.Info...)
			broken.Info[at] ^= x
			units, err := debuginfo.Read(broken)
			if err != nil {
				require.ErrorAs(t, err, new(*debuginfo.Error))
			}
			for _, u := range units {
				for _, r := range u.Roots {
					for _, v := range (&debuginfo.Info{Root: r}).Variables(20) {
						_, _ = v.Type.String(), v.Type.Bytes()
					}
				}
			}
		}
	}
	_, err := debuginfo.Read(debuginfo.Sections{Info: []byte{1}})
	require.ErrorContains(t, err, "debug information at 0x")
}
