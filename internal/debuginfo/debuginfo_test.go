package debuginfo_test

import (
	"encoding/binary"
	"math"
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

// memory is the memory of a thread: bytes by space.
type memory map[debuginfo.Space][]byte

func (m memory) Read(at debuginfo.Place, size uint64) ([]byte, error) {
	b := m[at.Space]
	if at.Symbol != "" || at.Offset > uint64(len(b)) || size > uint64(len(b))-at.Offset {
		return nil, &debuginfo.ValueError{Problem: "cannot read " + at.String()}
	}
	return b[at.Offset:][:size], nil
}

// aNode returns a node at shared 16, whose next is itself, and pointers to it in local memory.
func aNode() memory {
	le := binary.LittleEndian
	shared, local := make([]byte, 56), make([]byte, 64)
	n := shared[16:]
	le.PutUint32(n, 7)
	n[4] = 5 | 0x1e<<3
	le.PutUint64(n[8:], debuginfo.WindowShared+16)
	copy(n[16:], "ab\x00c\x01d")
	le.PutUint64(n[24:], math.Float64bits(2.5))
	le.PutUint32(n[32:], 1<<32-200)
	le.PutUint32(n[36:], 1<<32-1)
	le.PutUint64(local[0:], debuginfo.WindowShared+16)
	le.PutUint32(local[8:], 1)
	local[12], local[13] = 1, 3
	return memory{debuginfo.Shared: shared, debuginfo.Local: local}
}

func TestLookup(t *testing.T) {
	m := aNode()
	local := func(typ *debuginfo.Type, at uint64) *debuginfo.Variable {
		return &debuginfo.Variable{Type: typ, Place: debuginfo.Place{Space: debuginfo.Local, Offset: at}}
	}
	variables := map[string]*debuginfo.Variable{
		"n":  {Name: "n", Type: node, Place: debuginfo.Place{Space: debuginfo.Shared, Offset: 16}},
		"p":  local(pointer(&debuginfo.Type{Kind: debuginfo.Qualified, Name: "const", Elem: node}), 0),
		"pp": local(array(pointer(node), 1), 0), "i": local(integer, 8), "yes": local(truth, 12), "b": local(truth, 13),
		"v": local(pointer(nil), 0), "null": local(pointer(integer), 16), "far": local(integer, 62),
		"open": local(array(integer, 0), 0), "gone": {Name: "gone", Type: integer}, "big": local(array(integer, 1<<50), 0),
	}
	for name, v := range variables {
		v.Name = name
	}
	find := func(name string) (debuginfo.Value, bool) {
		v, ok := variables[name]
		if !ok {
			return debuginfo.Value{}, false
		}
		return v.Value(), true
	}
	for _, c := range []struct{ expression, want string }{
		{"n", `{<base> = {kind = 7}, low = 5, high = -2, next = (@shared node *) 0x10, grid = {"ab", {99 'c', 1 '\x01', 100 'd'}}, d = 2.5, c = blue, w = 4294967295}`},
		{"p->d", "2.5"}, {"(*p).c", "blue"}, {"n.kind", "7"}, {"p -> next->next->low", "5"}, {"n.high", "-2"},
		{"n.grid[1][0]", "99 'c'"}, {"p[0].grid[i][2]", "100 'd'"}, {"*n.grid[i]", "99 'c'"}, {"pp[0]->w", "4294967295"},
		{"*pp[0]->next", ""}, {"&n", "(@shared node *) 0x10"}, {"(*&n).d", "2.5"}, {"&i", "(@local int *) 0x8"}, {"-i", "-1"},
		{"p", "(@shared const node *) 0x10"}, {"yes", "true"}, {"b", "3"}, {"v", "(@shared void *) 0x10"}, {"null", "(int *) 0x0"},
		{"0x11", "17"}, {"open[2]", "1"}, {"(&i)[0]", "1"},
	} {
		v, err := debuginfo.Lookup(c.expression, find, m)
		require.NoError(t, err, c.expression)
		require.Equal(t, c.expression, v.Name)
		text, err := v.Format(m)
		require.NoError(t, err, c.expression)
		if c.want != "" {
			require.Equal(t, c.want, text, c.expression)
		}
	}
	for expression, want := range map[string]string{
		"": "a name is missing", "x": "there is no variable x here", "n.x": "node has no member x", "*n": "n is no pointer but node",
		"n[1]": "n is no array but node", "*v": "v leads to void", "*null": "null is 0 and leads nowhere", "pp[1]": "pp has no element 1",
		"n.d[": "a name is missing", "n)": `not understood from ")" on`, "p[n]": "n is no integer but node", "09": "no number",
		"(i": `")" is missing`, "pp[0": `"]" is missing`, "&2": "no address", "gone[0]": "gone is no array", "n.": "node has no member ",
	} {
		_, err := debuginfo.Lookup(expression, find, m)
		require.ErrorContains(t, err, want, expression)
	}
	for name, want := range map[string]string{
		"far": "cannot read local:0x3e", "gone": "the compiler left gone out", "open": "int [] has an unknown size", "big": "unknown size",
	} {
		v, _ := find(name)
		_, err := v.Format(m)
		require.ErrorContains(t, err, want)
	}
}

// Children are the members, the elements, and what a pointer leads to.
func TestChildren(t *testing.T) {
	m := aNode()
	v := (&debuginfo.Variable{Name: "n", Type: node, Place: debuginfo.Place{Space: debuginfo.Shared, Offset: 16}}).Value()
	var names []string
	for i := range v.Length() {
		child, err := v.Child(m, i)
		require.NoError(t, err)
		names = append(names, child.Name+" "+child.Type.String())
	}
	require.Equal(t, []string{"base base", "low unsigned int", "high int", "next node *", "grid char [2][3]", "d double",
		"c color", "w word"}, names)
	_, err := v.Child(m, 8)
	require.Error(t, err)
	next, err := v.Child(m, 3)
	require.NoError(t, err)
	require.EqualValues(t, 1, next.Length())
	to, err := next.Child(m, 0)
	require.NoError(t, err)
	require.Equal(t, "*next", to.Name)
	grid, err := v.Child(m, 4)
	require.NoError(t, err)
	row, err := grid.Child(m, 1)
	require.NoError(t, err)
	require.Equal(t, "[1]", row.Name)
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
		m := aNode()
		for _, u := range units {
			for _, r := range u.Roots {
				i := &debuginfo.Info{Root: r, Globals: u.Globals}
				i.Frames(20, debuginfo.Line{})
				for _, v := range i.Variables(20) {
					_, _ = v.Value().Format(m)
					_ = v.Type.String()
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
						_, _ = v.Value().Format(aNode())
					}
				}
			}
		}
	}
	_, err := debuginfo.Read(debuginfo.Sections{Info: []byte{1}})
	require.ErrorContains(t, err, "debug information at 0x")
}
