package debug

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/debug/expr"
	"jacquard/internal/debuginfo"
	"jacquard/simt"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// Types as a compiler describes them.
var (
	integer   = &debuginfo.Type{Kind: debuginfo.Signed, Name: "int", Size: 4, Sign: true}
	unsigned  = &debuginfo.Type{Kind: debuginfo.Unsigned, Name: "unsigned int", Size: 4}
	character = &debuginfo.Type{Kind: debuginfo.Char, Name: "char", Size: 1, Sign: true}
	boolean   = &debuginfo.Type{Kind: debuginfo.Bool, Name: "bool", Size: 1}
	double    = &debuginfo.Type{Kind: debuginfo.Float, Name: "double", Size: 8}
	color     = &debuginfo.Type{Kind: debuginfo.Enum, Name: "color", Size: 4, Sign: true,
		Values: []debuginfo.Enumerator{{Name: "red"}, {Name: "blue", Value: -200}, {Name: "last", Value: -200}}}
	base = &debuginfo.Type{Kind: debuginfo.Struct, Name: "base", Size: 4, Members: []debuginfo.Member{{Name: "kind", Type: integer}}}
	node = &debuginfo.Type{Kind: debuginfo.Struct, Name: "node", Size: 48, Keyword: "class"}
)

func init() {
	node.Members = []debuginfo.Member{
		{Type: base},
		{Name: "low", Type: unsigned, Offset: 4, Bits: 3},
		{Name: "high", Type: integer, Offset: 4, Bits: 5, Shift: 3},
		{Name: "next", Type: pointerTo(node), Offset: 8},
		{Name: "grid", Type: arrayOf(arrayOf(character, 3), 2), Offset: 16},
		{Name: "d", Type: double, Offset: 24},
		{Name: "c", Type: color, Offset: 32},
		{Name: "w", Type: &debuginfo.Type{Kind: debuginfo.Typedef, Name: "word", Elem: unsigned}, Offset: 36},
		{Name: "r", Type: &debuginfo.Type{Kind: debuginfo.Reference, Elem: integer}, Offset: 40},
	}
}

func pointerTo(to *debuginfo.Type) *debuginfo.Type {
	return &debuginfo.Type{Kind: debuginfo.Pointer, Elem: to}
}

func arrayOf(of *debuginfo.Type, n uint64) *debuginfo.Type {
	return &debuginfo.Type{Kind: debuginfo.Array, Elem: of, Count: n}
}

// described are the variables of the scope of aNode: n in shared memory, one without a place, and
// others in local memory.
func described() []*debuginfo.Variable {
	list := []*debuginfo.Variable{
		{Name: "n", Type: node, Place: debuginfo.Place{Space: debuginfo.Shared, Offset: 16}}, {Name: "gone", Type: integer},
	}
	for _, v := range []struct {
		name string
		typ  *debuginfo.Type
		at   uint64
	}{
		{"p", pointerTo(&debuginfo.Type{Kind: debuginfo.Qualified, Name: "const", Elem: node}), 0},
		{"pp", arrayOf(pointerTo(node), 1), 0}, {"i", integer, 8}, {"yes", boolean, 12}, {"b", boolean, 13}, {"v", pointerTo(nil), 0},
		{"null", pointerTo(integer), 16}, {"far", integer, 62}, {"open", arrayOf(integer, 0), 0}, {"big", arrayOf(integer, 1<<50), 0},
	} {
		list = append(list, &debuginfo.Variable{Name: v.name, Type: v.typ, Place: debuginfo.Place{Space: debuginfo.Local, Offset: v.at}})
	}
	return list
}

// aNode returns a scope with variables, and with a node at shared 16, whose next is itself.
func aNode(variables []*debuginfo.Variable) *scope {
	st := machine.NewState(&program.Program{Kernel: program.Kernel{Registers: 4, Local: 64}}, 1)
	st.Shared.Reset(64)
	le := binary.LittleEndian
	n := st.Shared.Bytes()[16:]
	le.PutUint32(n, 7)
	n[4] = 5 | 0x1e<<3
	le.PutUint64(n[8:], debuginfo.WindowShared+16)
	copy(n[16:], "ab\x00c\x01d")
	le.PutUint64(n[24:], math.Float64bits(2.5))
	le.PutUint32(n[32:], 1<<32-200)
	le.PutUint32(n[36:], 1<<32-1)
	le.PutUint64(n[40:], debuginfo.WindowShared+16)
	for i, word := range [...]uint32{debuginfo.WindowShared + 16, 0, 1, 1 | 3<<8} {
		st.Local[i][0] = word
	}
	types, list := types{}, []name{}
	for _, v := range variables {
		list = append(list, name{v.Name, Local, types.of(v.Type), v.Place})
	}
	r := &run{launch: &Launch{Grid: [2]int{1, 1}, Block: [3]int{32, 1, 1}}, names: names{frames: map[int][]Frame{0: nil}, lists: map[where][]name{{}: list}}}
	r.Request = &simt.Launch{Global: mem.NewSpace(1 << 20)}
	r.code = &code{p: &simt.Program{Program: st.Program}}
	return &scope{r: r, b: &blockWatch{st: st}}
}

// shown returns the text of an expression.
func (s *scope) shown(text string) (string, error) {
	n, err := expr.Parse(text)
	if err != nil {
		return "", err
	}
	v, err := n.Eval(s)
	if err != nil {
		return "", err
	}
	return resultOf(v, "").Text, nil
}

// Values are those of the source's types.
func TestValues(t *testing.T) {
	s := aNode(described())
	for _, c := range []struct{ text, want string }{
		{"n", `{kind = 7, low = 5, high = -2, next = (@shared node *) 0x10, grid = {"ab", {99 'c', 1 '\x01', 100 'd'}}, d = 2.5, c = blue, w = 4294967295, r = (@shared int &) 0x10}`},
		{"p->d", "2.5"}, {"(*p).c", "blue"}, {"n.kind", "7"}, {"p -> next->next->low", "5"}, {"n.high", "-2"},
		{"n.grid[1][0]", "99 'c'"}, {"p[0].grid[i][2]", "100 'd'"}, {"*n.grid[i]", "99 'c'"}, {"pp[0]->w", "4294967295"},
		{"&n", "(@shared node *) 0x10"}, {"(*&n).d", "2.5"}, {"&i", "(@local int *) 0x8"}, {"-i", "-1"},
		{"p", "(@shared const node *) 0x10"}, {"yes", "true"}, {"b", "3"}, {"v", "(@shared void *) 0x10"}, {"null", "(int *) 0x0"},
		{"0x11", "17"}, {"open", "{...}"}, {"big", "{...}"}, {"open[2]", "1"}, {"(&i)[0]", "1"}, {"n.r", "7"}, {"p->r + 1", "8"}, {"&n.r", "(@shared int *) 0x10"},
	} {
		text, err := s.shown(c.text)
		require.NoError(t, err, c.text)
		require.Equal(t, c.want, text, c.text)
	}
	text, err := s.shown("*pp[0]->next")
	require.NoError(t, err)
	require.Contains(t, text, "kind = 7")
}

// What has no value says why.
func TestNoValues(t *testing.T) {
	s := aNode(described())
	for text, want := range map[string]string{
		"": "breaks off", "x": `no "x" here`, "n.x": "a node has no x", "*n": "a node is no pointer", "n[1]": "a node is no pointer",
		"*v": "void has an unknown size", "*null": "cannot access 4 bytes at @global 0x0", "pp[1]": "has 1 elements", "n.d[": "breaks off",
		"n)": "left over", "p[n]": "a node is no index", "p[n.d]": "a double is no index", "09": "no number", "(i": `want ")"`, "pp[0": `want "]"`, "&2": "no address",
		"gone[0]": "optimized out", "n.": "want the name of a member", "blockIdx.": "want the name of a member", "n.2": "want",
		"far": "cannot access 4 bytes at @local 0x3e", "gone": "optimized out",
	} {
		_, err := s.shown(text)
		require.ErrorContains(t, err, want, text)
	}
}

// look formats every variable in scope.
func (s *scope) look() {
	for _, n := range s.list() {
		if v, err := s.value(&n); err == nil {
			resultOf(v, "")
		}
	}
}

// Sizes and places may be any, and types that have each other twice may have any number of members.
func TestHostile(t *testing.T) {
	const far = 1 << 63
	wide := &debuginfo.Type{Kind: debuginfo.Unsigned, Size: far}
	apart := &debuginfo.Type{Kind: debuginfo.Struct, Size: 8, Members: []debuginfo.Member{
		{Name: "before", Type: integer, Offset: far}, {Name: "behind", Type: integer, Offset: far - 1}, {Name: "wide", Type: wide}}}
	twice, bases := &debuginfo.Type{Kind: debuginfo.Struct, Size: 4}, base
	for range 40 {
		twice = &debuginfo.Type{Kind: debuginfo.Struct, Size: 4, Members: []debuginfo.Member{{Name: "a", Type: twice}, {Name: "b", Type: twice}}}
		bases = &debuginfo.Type{Kind: debuginfo.Struct, Size: 4, Members: []debuginfo.Member{{Type: bases}, {Type: bases}}}
	}
	var list []*debuginfo.Variable
	for _, typ := range []*debuginfo.Type{wide, apart, twice, bases, arrayOf(wide, 2), arrayOf(twice, far)} {
		list = append(list, &debuginfo.Variable{Type: typ, Place: debuginfo.Place{Space: debuginfo.Shared}},
			&debuginfo.Variable{Type: typ, Place: debuginfo.Place{Space: debuginfo.Register, Offset: far}},
			&debuginfo.Variable{Type: typ, Place: debuginfo.Place{Space: debuginfo.Register, Offset: 1}})
	}
	aNode(list).look()
}

// Values of a broken description are errors or wrong, and no crash.
func FuzzValues(f *testing.F) {
	w := &debuginfo.Writer{File: func(string) int { return 0 }}
	w.Add("k", 64, &debuginfo.Info{Root: &debuginfo.Scope{Function: "k", Ranges: []debuginfo.Range{{To: 64}}, Variables: append(described(),
		&debuginfo.Variable{Name: "wide", Type: double, Place: debuginfo.Place{Space: debuginfo.Register, Offset: 1}})}})
	for at := range w.Info {
		for _, x := range []byte{0xff, 1, 0x80} {
			info := slices.Clone(w.Info)
			info[at] ^= x
			f.Add(info, debuginfo.Abbrev())
		}
	}
	f.Fuzz(func(t *testing.T, info, abbrev []byte) {
		units, err := debuginfo.Read(debuginfo.Sections{
			Abbrev: abbrev, Info: info, Ranges: w.Ranges, File: func(int64, int64) string { return "" },
			Symbol: func(uint64) (string, uint64, bool) { return "", 0, false },
		})
		if err != nil {
			return
		}
		for _, u := range units {
			for _, r := range u.Roots {
				aNode(r.Variables).look()
			}
		}
	})
}
