package jit

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx/jit/cache"
	"jacquard/tesla"
)

func TestFrom(t *testing.T) {
	env := map[string]string{"CUDA_FORCE_PTX_JIT": "1", "CUDA_DISABLE_PTX_JIT": "0", "CUDA_CACHE_PATH": "/c", "CUDA_CACHE_MAXSIZE": "5"}
	s := From(func(name string) (string, bool) { v, ok := env[name]; return v, ok })
	require.Equal(t, Settings{Force: true, Cache: cache.Settings{Dir: "/c/jacquard-ptx", MaxBytes: 5}}, s)
	require.Equal(t, Settings{}, From(func(string) (string, bool) { return "", false }), "a program with more rights than its user")
}

// TestBuild checks that this build is known: otherwise there would be no cache.
func TestBuild(t *testing.T) {
	require.NotEmpty(t, build())
	file, err := own()
	require.NoError(t, err)
	require.NoError(t, file.Close())
	_, err = sameFile(file.Name(), 1)
	require.Error(t, err, "another file took its place")
}

func TestKey(t *testing.T) {
	keys := map[cache.Key]bool{}
	for _, o := range []Options{{}, {Arch: tesla.SM13}, {MaxRegisters: 10}, {Lines: true}} {
		for _, texts := range [][]string{{"a"}, {"b"}, {"a", "b"}, {"ab"}, {"b", "a"}, {"a", ""}} {
			var sources []Source
			for _, text := range texts {
				sources = append(sources, Source{Text: []byte(text)})
			}
			k, ok := key(o, sources)
			require.True(t, ok)
			require.False(t, keys[k], "%v %q", o, texts)
			keys[k] = true
		}
	}
}

func source(name, text string) Source {
	if !strings.Contains(text, ".version") {
		text = ".version 3.1\n.target sm_20\n.address_size 64\n" + text
	}
	return Source{Name: name, Text: []byte(text)}
}

func TestErrors(t *testing.T) {
	for want, sources := range map[string][]Source{
		`^a:4:\d+: .*$`:                                               {source("a", ".entry k { ret }")},
		`^a:4:\d+: .*\na:5:\d+: .*$`:                                  {source("a", ".entry k { ret }\n.entry l { frob; }")},
		`^b:4:\d+: x is defined in a:4:\d+ already$`:                  {source("a", ".visible .global .u8 x;"), source("b", ".visible .global .u8 x;")},
		`^a:4:\d+: nothing defines the extern variable x$`:            {source("a", ".extern .global .u32 x;\n.global .u64 y = x;")},
		`^a:4:\d+: big: ends at byte 70000 of 16384 of local memory$`: {source("a", ".entry k { .local .b8 big[70000]; .reg .u32 %r; ld.local.u32 %r, [big+69996]; st.local.u32 [big], %r; ret; }")},
	} {
		_, err := new(Compiler).Compile(Options{Arch: tesla.SM13}, sources...)
		var e *Error
		require.ErrorAs(t, err, &e, want)
		require.Regexp(t, want, e.Error())
		require.True(t, strings.HasPrefix(e.Short(), e.Lines[0]))
	}
	require.Equal(t, "a (and 1 more error)", (&Error{Lines: []string{"a", "b"}}).Short())
	require.Equal(t, "a (and 2 more errors)", (&Error{Lines: []string{"a", "b", "c"}}).Short())
}

// TestCache compiles with a cache and without, to equal code.
func TestCache(t *testing.T) {
	texts := []Source{source("a", ".extern .global .u32 x[];\n.entry k { .reg .u32 %r; ld.global.u32 %r, [x]; st.global.u32 [x+4], %r; ret; }"),
		source("b", ".visible .global .align 8 .u32 x[2] = {7};")}
	for _, o := range []Options{{Arch: tesla.SM10}, {Arch: tesla.SM13}, {Arch: tesla.SM13, MaxRegisters: 4}} {
		plain, err := new(Compiler).Compile(o, texts...)
		if err == nil {
			require.False(t, plain.Cached)
		}
		c := New(Settings{Cache: cache.Settings{Dir: filepath.Join(t.TempDir(), "c"), MaxBytes: 1 << 20}})
		for i := range 3 {
			code, err := c.Compile(o, texts...)
			require.NoError(t, err)
			require.Equal(t, i > 0, code.Cached)
			require.Equal(t, plain.Cubin, code.Cubin)
			require.Equal(t, plain.Image, code.Image)
			require.Equal(t, 20, code.Virtual)
			require.Equal(t, o.Arch, code.Image.Arch)
		}
	}
}

// TestLines compiles with a line table of the text, which the cache keeps apart by name.
func TestLines(t *testing.T) {
	c := New(Settings{Cache: cache.Settings{Dir: t.TempDir(), MaxBytes: 1 << 20}})
	text := source("", ".entry k {\n.reg .u32 %r;\nmov.u32 %r, %tid.x;\nst.global.u32 [%r], %r;\nret;\n}").Text
	for _, name := range []string{"a.ptx", "b.ptx", "b.ptx"} {
		code, err := c.Compile(Options{Arch: tesla.SM13, Lines: true}, Source{name, text})
		require.NoError(t, err)
		lines := code.Image.Kernel("k").Lines
		require.NotEmpty(t, lines)
		require.Equal(t, name, lines[0].File)
		code, err = c.Compile(Options{Arch: tesla.SM13}, Source{name, text})
		require.NoError(t, err)
		require.Empty(t, code.Image.Kernel("k").Lines)
	}
}

func ExampleCompiler() {
	code, err := new(Compiler).Compile(Options{Arch: tesla.SM13}, Source{"k.ptx", []byte(".version 1.4\n.target sm_10\n.entry k { exit; }")})
	fmt.Println(strings.Join(Report(code.Image), "\n"), err)
	// Output:
	// ptxas info    : Compiling entry function 'k' for 'sm_13'
	// ptxas info    : Used 1 registers, 0+16 bytes smem <nil>
}
