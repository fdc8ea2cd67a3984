package kerneltest

import (
	"encoding/binary"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/cubin"
	"jacquard/tesla"
)

const mesa = "../../testdata/mesa-kernels"

// small is a test with every kind of parameter, one part per line.
const small = `{"name": "k", "source": "k.cl", "note": "n",
"block": [32, 2, 1],
"grid": [4, 1],
"param_bytes": 18,
"params": [
{"name": "a", "kind": "buffer", "param_offset": 0, "words": 2, "init": "00000001 80000000", "expect": "unchanged"},
{"name": "o", "kind": "buffer", "param_offset": 4, "words": 2, "init": "deadbeef deadbeef", "expect": "00000000 3ff00000", "compare": "float64", "rtol": 0.5, "atol": 0},
{"name": "x", "kind": "value", "param_offset": 8, "size": 8, "value": "0x0123456789abcdef"},
{"name": "y", "kind": "value", "param_offset": 16, "size": 2, "value": "0xff01", "note": "m"}
],
"builds": {
"sm_13": {"chipset": "0xa0", "file": "sm_13.cubin", "reg": 5, "smem": 36, "lmem": 8, "bar": 1, "words": 20, "instructions": 12, "same_code_as": "sm_10"},
"sm_10": {"chipset": "0x50", "file": "sm_10.cubin", "reg": 5, "smem": 36, "lmem": 8, "bar": 1, "words": 20, "instructions": 12}
}}`

func TestParse(t *testing.T) {
	test, err := Parse([]byte(small))
	require.NoError(t, err)
	in := []byte{1, 0, 0, 0, 0, 0, 0, 0x80}
	require.Equal(t, &Test{
		Name: "k", Source: "k.cl", Note: "n",
		Block: [3]int{32, 2, 1}, Grid: [2]int{4, 1}, ParamBytes: 18,
		Params: []Param{
			{Name: "a", Buffer: true, Offset: 0, Init: in, Expect: in, Compare: Unchanged},
			{Name: "o", Buffer: true, Offset: 4, Init: []byte{0xef, 0xbe, 0xad, 0xde, 0xef, 0xbe, 0xad, 0xde},
				Expect: []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, Compare: Float64, RTol: 0.5},
			{Name: "x", Offset: 8, Value: []byte{0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01}},
			{Name: "y", Offset: 16, Value: []byte{1, 0xff}, Note: "m"},
		},
		Builds: []Build{
			{tesla.SM10, "0x50", "sm_10.cubin", 5, 36, 8, 1, 20, 12, ""},
			{tesla.SM13, "0xa0", "sm_13.cubin", 5, 36, 8, 1, 20, 12, "sm_10"},
		},
	}, test)

	block := test.ParamBlock(func(i int) uint32 { return uint32(0x1000 + i) })
	require.Equal(t, uint32(0x1000), binary.LittleEndian.Uint32(block))
	require.Equal(t, uint32(0x1001), binary.LittleEndian.Uint32(block[4:]))
	require.Equal(t, uint64(0x0123456789abcdef), binary.LittleEndian.Uint64(block[8:]))
	require.Equal(t, []byte{1, 0xff}, block[16:])
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		name, old, with, want string
	}{
		{"not JSON", `{"name"`, `"name"`, "not a kernel test"},
		{"empty", small, "", "not a kernel test: the file is empty"},
		{"cut off", "}}", "}", "not a kernel test: the file ends before it is complete"},
		{"list", small, "[]", "not a kernel test: array instead of an object in braces"},
		{"text for numbers", "[4, 1]", `"4"`, "not a kernel test: string where grid belongs"},
		{"unknown key", `"note": "n"`, `"notes": "n"`, `not a kernel test: json: unknown field "notes"`},
		{"unknown parameter key", `"size": 2`, `"size": 2, "sign": 1`, `unknown field "sign"`},
		{"unknown build key", `"reg": 5,`, `"reg": 5, "regs": 5,`, `unknown field "regs"`},
		{"two values", "}}", "}} {}", "more data after the closing brace"},
		{"no name", `"name": "k", `, "", "no name"},
		{"short block", "[32, 2, 1]", "[32, 2]", "want three sizes in block and two in grid"},
		{"empty block", "[32, 2, 1]", "[32, 0, 1]", "block: size 0 is not in 1..512"},
		{"large block", "[32, 2, 1]", "[32, 32, 1]", "block: 1024 threads, at most 512 fit"},
		{"large grid", "[4, 1]", "[65536, 1]", "grid: size 65536 is not in 1..65535"},
		{"parameter bytes", `"param_bytes": 18`, `"param_bytes": 257`, "param_bytes: 257 is not in 0..256"},
		{"beyond the block", `"param_bytes": 18`, `"param_bytes": 17`, `param "y": offset 16 and size 2 leave the 17 parameter bytes`},
		{"negative offset", `"param_offset": 16`, `"param_offset": -2`, `param "y": offset -2`},
		{"odd offset", `"param_offset": 16`, `"param_offset": 15`, `param "y": offset 15 is not a multiple of its size, 2`},
		{"overlap", `"param_offset": 16`, `"param_offset": 8`, `param "y": overlaps param "x"`},
		{"name twice", `"name": "y"`, `"name": "x"`, `param "x": needs a name of its own`},
		{"kind", `"kind": "value", "param_offset": 16`, `"kind": "ptr", "param_offset": 16`, `param "y": kind is "ptr", want buffer or value`},
		{"value with words", `"size": 2`, `"size": 2, "words": 1`, `param "y": a value has only size and value`},
		{"value size", `"size": 2`, `"size": 3`, `param "y": size is 3, want 1, 2, 4 or 8`},
		{"value digits", `0xff01`, `0x0ff01`, `param "y": value is "0x0ff01", want 0x and 4 hex digits`},
		{"buffer with size", `"words": 2, "init": "0`, `"size": 4, "words": 2, "init": "0`, `param "a": a buffer has no size or value`},
		{"buffer without words", `"words": 2, "init": "0`, `"init": "0`, `param "a": words is 0, want at least 1`},
		{"init short", `00000001 80000000`, `00000001`, `param "a": init has 1 words, want 2`},
		{"init digits", `00000001 80000000`, `00000001 8000000g`, `param "a": init word 1 is "8000000g", want eight hex digits`},
		{"init length", `00000001 80000000`, `1 80000000`, `param "a": init word 0 is "1", want eight hex digits`},
		{"expect short", `00000000 3ff00000`, `00000000`, `param "o": expect has 1 words, want 2`},
		{"unchanged compared", `"unchanged"`, `"unchanged", "compare": "exact"`, `param "a": an unchanged buffer has no compare`},
		{"no compare", `"float64", "rtol": 0.5, "atol": 0`, `""`, `param "o": compare is "", want exact, float32, float64, exact_but_2_percent or any`},
		{"no tolerance", `"rtol": 0.5, `, ``, `param "o": float64 needs rtol and atol, not negative`},
		{"negative tolerance", `"rtol": 0.5`, `"rtol": -1`, `param "o": float64 needs rtol and atol, not negative`},
		{"exact with tolerance", `"float64"`, `"exact"`, `param "o": exact has no tolerances`},
		{"half a pair", `"words": 2, "init": "deadbeef deadbeef", "expect": "00000000 3ff00000"`, `"words": 1, "init": "deadbeef", "expect": "00000000"`, `param "o": float64 needs an even number of words, not 1`},
		{"shared", `"param_bytes"`, `"shared": 16385, "param_bytes"`, "shared: 16385 is not in 0..16384"},
		{"any with expect", `"float64", "rtol": 0.5, "atol": 0`, `"any"`, `param "o": any has no expect and no tolerances`},
		{"dots alone", `00000001 80000000`, `...`, `param "a": init has 1 words, want 2`},
		{"digits before dots", `00000001 80000000`, `0000000 ...`, `param "a": init word 0 is "0000000", want eight hex digits`},
		{"too many words", `"words": 2, "init": "00000001 80000000"`, `"words": 1073741825, "init": "00000001 ..."`, `param "a": words is 1073741825, at most 1073741824 fit`},
		{"no builds", small[strings.Index(small, `"builds"`):], `"builds": {}}`, "no builds"},
		{"unknown target", `"sm_13":`, `"sm_20":`, `builds: unknown architecture "sm_20"`},
		{"path", `"file": "sm_13.cubin"`, `"file": "../sm_13.cubin"`, `build sm_13: file "../sm_13.cubin" is not a plain file name`},
		{"no file", `"file": "sm_13.cubin", `, ``, `build sm_13: file "" is not a plain file name`},
		{"same code as none", `"same_code_as": "sm_10"`, `"same_code_as": "sm_11"`, `build sm_13: same_code_as names "sm_11", which is no build`},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Contains(t, small, c.old)
			_, err := Parse([]byte(strings.Replace(small, c.old, c.with, 1)))
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestLoadMesaKernels(t *testing.T) {
	files, err := filepath.Glob(mesa + "/*/test.json")
	require.NoError(t, err)
	require.Len(t, files, 21)
	builds := 0
	for _, file := range files {
		test, err := Load(file)
		require.NoError(t, err)
		require.Equal(t, filepath.Base(filepath.Dir(file)), test.Name)
		for i := range test.Builds {
			img, err := test.Image(&test.Builds[i])
			require.NoError(t, err)
			require.NotNil(t, img.Kernel(test.Name))
			builds++
		}
	}
	require.Equal(t, 73, builds)
}

func TestImageDisagrees(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Test, *Build)
		want   string
	}{
		{"registers", func(_ *Test, b *Build) { b.Registers++ }, "reg: the cubin says 3, the test 4"},
		{"words", func(_ *Test, b *Build) { b.Words = 0 }, "words: the cubin says"},
		{"target", func(_ *Test, b *Build) { b.Arch = tesla.SM11 }, "architecture: the cubin says sm_10, the test sm_11"},
		{"name", func(t *Test, _ *Build) { t.Name = "nobody" }, "the cubin has no kernel nobody"},
		{"file", func(_ *Test, b *Build) { b.File = "none.cubin" }, "none.cubin: no such file"},
		{"not a cubin", func(_ *Test, b *Build) { b.File = "test.json" }, "unsupported container"},
	} {
		t.Run(c.name, func(t *testing.T) {
			test, err := Load(mesa + "/vecadd/test.json")
			require.NoError(t, err)
			c.change(test, &test.Builds[0])
			_, err = test.Image(&test.Builds[0])
			require.ErrorContains(t, err, c.want)
		})
	}
	_, err := Load(mesa + "/none/test.json")
	require.ErrorContains(t, err, "no such file")
	_, err = Load(mesa + "/README.md")
	require.ErrorContains(t, err, "README.md: not a kernel test")
}

// Dots repeat the words before them; a test may expect nothing of a buffer.
func TestShortForms(t *testing.T) {
	text := strings.Replace(small, `"00000000 3ff00000", "compare": "float64", "rtol": 0.5, "atol": 0`, `"", "compare": "any"`, 1)
	text = strings.Replace(text, `"deadbeef deadbeef"`, `"deadbeef ..."`, 1)
	text = strings.Replace(text, `"words": 2, "init": "00000001 80000000"`, `"words": 5, "init": "00000001 00000002 ..."`, 1)
	test, err := Parse([]byte(text))
	require.NoError(t, err)
	require.Equal(t, words(1, 2, 1, 2, 1), test.Params[0].Init)
	require.Equal(t, words(0xdeadbeef, 0xdeadbeef), test.Params[1].Init)
	require.NoError(t, Compare(&test.Params[1], words(1, 2, 3)))
}

// A test that is written is read again, and is the same.
func TestMarshal(t *testing.T) {
	files, err := filepath.Glob(mesa + "/*/test.json")
	require.NoError(t, err)
	lessons, err := filepath.Glob("../../testdata/lessons/*/test.json")
	require.NoError(t, err)
	require.NotEmpty(t, lessons)
	for _, file := range append(files, lessons...) {
		test, err := Load(file)
		require.NoError(t, err)
		data, err := json.Marshal(test)
		require.NoError(t, err)
		again := &Test{Dir: test.Dir}
		require.NoError(t, again.UnmarshalJSON(data))
		again.Dir = test.Dir
		require.Equal(t, test, again, file)
	}
	require.ErrorContains(t, new(Test).UnmarshalJSON([]byte(`{}`)), "no name")
}

// A build may be assembly or PTX. Numbers that the test gives are compared, others are not.
func TestTexts(t *testing.T) {
	const text = ".module sm_10\n.kernel k registers=1 shared=16\n\texit (never) nop\n"
	test := &Test{Name: "k"}
	b := &Build{Arch: tesla.SM10, File: "k.s"}
	data, err := test.Make(b, []byte(text))
	require.NoError(t, err)
	img, err := cubin.Parse(data)
	require.NoError(t, err)
	require.Equal(t, []cubin.Line{{File: "k.s", Line: 3}}, img.Kernel("k").Lines)

	b.Registers = 2
	_, err = test.Make(b, []byte(text))
	require.EqualError(t, err, "reg: the cubin says 1, the test 2")
	b.Registers = 0
	_, err = test.Make(b, []byte(text+"\tnonsense\n"))
	require.ErrorAs(t, err, new(*asm.SyntaxError))
	require.ErrorContains(t, err, "line 4, column 2: ")

	b.File = "k.ptx"
	data, err = test.Make(b, []byte(".version 1.0\n.target sm_10\n.entry k ()\n{\n\tst.global.u32 [0], 1;\n\texit;\n}\n"))
	require.NoError(t, err)
	img, err = cubin.Parse(data)
	require.NoError(t, err)
	require.Equal(t, 5, img.Kernel("k").Lines[0].Line)
	_, err = test.Make(b, []byte(".version 1.0\n.target sm_10\n.entry k ()\n{\n\tfoo;\n}\n"))
	require.ErrorContains(t, err, "k.ptx:5:2: ")
}
