package link_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
	"jacquard/ptx/link"
)

const header = ".version 3.1\n.target sm_20\n.address_size 64\n"

// parse parses texts; their sources are called a, b and so on.
func parse(t testing.TB, texts ...string) (all []*ptx.Module) {
	t.Helper()
	for i, text := range texts {
		if !strings.Contains(text, ".version") {
			text = header + text
		}
		m, err := ptx.Parse(string(rune('a'+i)), []byte(text))
		require.NoError(t, err)
		all = append(all, m)
	}
	return all
}

// TestLink links texts and compares the result with the module of another text. In every case, all
// references of the result lead to its own items.
func TestLink(t *testing.T) {
	for _, c := range []struct {
		name, want string
		texts      []string
	}{
		{"a variable", ".visible .global .u32 x = 5;\n.global .u64 p = x;",
			[]string{".extern .global .u32 x;\n.global .u64 p = x;", ".visible .global .u32 x = 5;"}},
		{"the definition first", ".visible .global .u32 x = 5;\n.global .u64 p = x;",
			[]string{".visible .global .u32 x = 5;", ".extern .global .u32 x;\n.global .u64 p = x;"}},
		{"two declarations", ".extern .global .u32 x[8];",
			[]string{".extern .global .u32 x[];", ".extern .global .u32 x[8];"}},
		{"names of their own", ".global .u32 x = 1;\n.global .u32 x$1 = 2;\n.global .u32 x$2 = 3;",
			[]string{".global .u32 x = 1;", ".global .u32 x = 2;", ".global .u32 x = 3;"}},
		{"a name of its own, and a shared one", ".global .u32 x$1 = 1;\n.visible .global .u32 x = 2;",
			[]string{".global .u32 x = 1;", ".visible .global .u32 x = 2;"}},
		{"a strong definition", ".visible .global .u32 x = 2;",
			[]string{".weak .global .u32 x = 1;", ".visible .global .u32 x = 2;", ".weak .global .u32 x = 3;"}},
		{"the first weak one", ".weak .global .u32 x = 1;",
			[]string{".extern .global .u32 x;", ".weak .global .u32 x = 1;", ".weak .global .u32 x = 3;"}},
		{"the largest common one", ".common .global .u32 x[8];",
			[]string{".common .global .u32 x[4];", ".common .global .u32 x[8];", ".common .global .u32 x[2];"}},
		{"dynamic shared memory", ".extern .shared .align 4 .b8 room[];",
			[]string{".extern .shared .align 4 .b8 room[];", ".extern .shared .align 4 .b8 room[];"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := link.Link(parse(t, c.texts...)...)
			require.NoError(t, err)
			requireWhole(t, m)
			require.Equal(t, variables(parse(t, c.want)[0]), variables(m))
		})
	}
}

// variables describes the variables of a module.
func variables(m *ptx.Module) (all []string) {
	for _, item := range m.Items {
		v := item.(*ptx.Var)
		text := fmt.Sprint(v.Linkage, v.Space, v.Type, v.Align, v.Name, v.Dims)
		if v.Init != nil {
			text += fmt.Sprint(" = ", v.Init.Bytes)
			for _, r := range v.Init.Refs {
				text += fmt.Sprint(" + ", r.Of.(*ptx.Var).Name, r.Offset, r.Addend)
			}
		}
		all = append(all, text)
	}
	return all
}

// requireWhole checks that a module refers to its own items alone.
func requireWhole(t *testing.T, m *ptx.Module) {
	t.Helper()
	own := map[ptx.Item]bool{}
	names := map[string]bool{}
	for _, item := range m.Items {
		own[item] = true
		var name string
		switch x := item.(type) {
		case *ptx.Var:
			name = x.Name
			if x.Init != nil {
				for _, r := range x.Init.Refs {
					require.True(t, own[r.Of] || m.Var(name) != nil, name)
				}
			}
		case *ptx.Func:
			name = x.Name
			for _, s := range x.Body {
				if in, ok := s.(*ptx.Instr); ok {
					requireOwn(t, m, in.Args)
				}
			}
		case *ptx.Alias:
			name = x.Name
		}
		require.False(t, names[name], "%s is there twice", name)
		names[name] = true
	}
}

func requireOwn(t *testing.T, m *ptx.Module, all []ptx.Operand) {
	t.Helper()
	for i := range all {
		if f := all[i].Func; f != nil {
			require.Same(t, m.Func(f.Name), f)
		}
		if v := all[i].Var; v != nil && m.Var(v.Name) != nil && v.Space == ptx.Global {
			require.Same(t, m.Var(v.Name), v)
		}
		requireOwn(t, m, all[i].List)
	}
}

// TestLinkCalls links calls of functions that other modules define, also through an alias and a
// list of targets.
func TestLinkCalls(t *testing.T) {
	const declare = ".func (.reg .u32 r) twice (.reg .u32 x)"
	define := ".visible " + declare + "\n{\nadd.u32 r, x, x;\nret;\n}\n"
	call := ".extern " + declare + ";\n.entry NAME\n{\n.reg .u32 %r<3>;\ncall (%r1), twice, (%r2);\nret;\n}\n"
	m, err := link.Link(parse(t, strings.Replace(call, "NAME", "k", 1), define, strings.Replace(call, "NAME", "l", 1))...)
	require.NoError(t, err)
	requireWhole(t, m)
	require.NotNil(t, m.Func("twice").Body)
	require.NotNil(t, m.Func("k"))
	require.NotNil(t, m.Func("l"))

	// Private functions of one name in two modules are two functions.
	private := strings.Replace(define, ".visible", "", 1)
	m, err = link.Link(parse(t, private+strings.Replace(strings.Replace(call, ".extern "+declare+";", "", 1), "NAME", "k", 1), define)...)
	require.NoError(t, err)
	requireWhole(t, m)
	require.NotNil(t, m.Func("twice$1"))
}

func TestLinkHeaders(t *testing.T) {
	m, err := link.Link(parse(t,
		".version 1.4\n.target sm_10\n.file 1 \"a.cu\"\n.file 2 \"h.h\"\n.entry k { .loc 2 7 0\nexit; }",
		".version 2.0\n.target sm_13\n.file 1 \"h.h\"\n.file 2 \"b.cu\"\n.entry l { .loc 1 8 0\n.loc 2 9 0\nexit; }",
		".version 1.0\n.target sm_11\n")...)
	require.NoError(t, err)
	require.Equal(t, "a+b+c", m.Name)
	require.Equal(t, ptx.Version{Major: 2}, m.Version)
	require.Equal(t, 13, m.Target.Arch)
	require.Equal(t, []ptx.File{{Number: 1, Path: "a.cu"}, {Number: 2, Path: "h.h"}, {Number: 3, Path: "b.cu"}}, m.Files)
	var lines []string
	for _, name := range []string{"k", "l"} {
		for _, s := range m.Func(name).Body {
			if l, ok := s.(*ptx.Loc); ok {
				lines = append(lines, fmt.Sprintf("%d:%d", l.File, l.Line))
			}
		}
	}
	require.Equal(t, []string{"2:7", "2:8", "3:9"}, lines)
}

func TestLinkErrors(t *testing.T) {
	kernel := ".entry k { exit; }"
	for _, c := range []struct {
		want  string
		texts []string
	}{
		{"b:4:22: x is defined in a:4:22 already", []string{".visible .global .u8 x;", ".visible .global .u8 x;"}},
		{"b:4:8: k is defined in a:4:8 already", []string{kernel, kernel}},
		{"b:4:21: x is in .const here, and in .global in a", []string{".visible .global .u8 x;", ".extern .const .u32 x;"}},
		{"b:4:22: x has 4 bytes here, and 1 in a", []string{".visible .global .u8 x;", ".extern .global .u32 x;"}},
		{"b:4:22: k is a variable here, and a function in a", []string{kernel, ".extern .global .u32 k;"}},
		{"b:4:8: k is a function here, and a variable in a", []string{".visible .global .u8 k;", kernel}},
		{"b:4:15: k is a kernel in one module, and a function in a", []string{kernel, ".extern .func k;"}},
		{"b:4:15: f has 1 parameters and 0 results here, and 0 and 0 in a", []string{".visible .func f { ret; }", ".extern .func f (.reg .u32 x);"}},
		{"b: its addresses have 32 bits, and those of a have 64", []string{"", ".version 3.1\n.target sm_20\n.address_size 32\n"}},
		{"b: it and a differ in .target map_f64_to_f32", []string{".version 1.4\n.target sm_10\n", ".version 1.4\n.target sm_10, map_f64_to_f32\n"}},
	} {
		_, err := link.Link(parse(t, c.texts...)...)
		require.EqualError(t, err, c.want)
	}
	_, err := link.Link()
	require.Error(t, err)
}

func TestUnresolved(t *testing.T) {
	for want, text := range map[string]string{
		"": ".extern .global .u32 unused;\n.extern .shared .u32 s[];\n.entry k { .reg .u32 %r; ld.shared.u32 %r, [s]; exit; }",
		"a:4:22: nothing defines the extern variable x": ".extern .global .u32 x;\n.entry k { .reg .u32 %r; ld.global.u32 %r, [x]; exit; }",
		"a:4:22: nothing defines the extern variable y": ".extern .global .u32 y;\n.global .u64 p = y;",
	} {
		m := parse(t, text)[0]
		var got []string
		for _, e := range link.Unresolved(m) {
			got = append(got, e.Error())
		}
		require.Equal(t, want, strings.Join(got, "\n"))
		require.Equal(t, want != "", link.Open(m))
	}
	require.True(t, link.Open(parse(t, ".extern .func f;")[0]))
}

func ExampleLink() {
	a, _ := ptx.Parse("a", []byte(header+".extern .global .u32 answer;\n.global .u64 at = answer;"))
	b, _ := ptx.Parse("b", []byte(header+".visible .global .u32 answer = 42;"))
	m, err := link.Link(a, b)
	fmt.Println(m.Var("answer").Init.Bytes, m.Var("at").Init.Refs[0].Of == m.Var("answer"), err)
	// Output: [42 0 0 0] true <nil>
}
