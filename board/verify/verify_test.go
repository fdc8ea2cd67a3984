package verify_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/board/verify"
)

const header = "op,mods,a,b,c,cc_in,r,cc_out,r2\n"

// All golden vectors pass. The counts match the files, so none is skipped.
func TestGoldenVectors(t *testing.T) {
	for name, rows := range map[string]int{
		"int": 9568, "fp": 12660, "fp64": 6804, "cvt": 12065, "sfu": 7775, "atom": 3040,
	} {
		t.Run(name, func(t *testing.T) {
			r, err := verify.File("../../testdata/vectors/"+name+".csv.gz", verify.Options{Keep: 20})
			require.NoError(t, err)
			for _, f := range r.Failures {
				t.Errorf("line %d: %s", f.Row.Line, &f)
			}
			require.Equal(t, rows, r.Passed)
			require.Zero(t, r.Failed)
		})
	}
}

func TestFailures(t *testing.T) {
	r, err := verify.Read(strings.NewReader(header+
		"add,b32,00000001,00000002,,,00000003,0,\n"+ // right
		"add,b32,00000001,00000002,,,00000004,0,\n"+ // result
		"add,b32,00000001,00000002,,,00000003,1,\n"+ // flags
		"add,b32 sat,00000001,00000002,,,00000003,0,\n"+ // right
		"atom.add,u32,00000001,00000002,,,00000003,,00000002\n"+ // returned value
		"rcp,,3f800000,,,,3f800000,0,\n"), verify.Options{Scalar: true, Keep: 3}) // flags that the instruction does not write
	require.NoError(t, err)
	require.Equal(t, 2, r.Passed)
	require.Equal(t, 4, r.Failed)
	require.Len(t, r.Failures, 3)
	require.Equal(t, 3, r.Failures[0].Row.Line)
	require.Equal(t, "add b32 00000001 00000002", r.Failures[0].Row.String())
	require.Equal(t, "00000003 flags 0", r.Failures[0].Got.String())
	require.Equal(t, "00000004 flags 0", r.Failures[0].Row.Want.String())
	require.Equal(t, "00000003 returns 00000001", r.Failures[2].Got.String())
	require.Equal(t, []verify.Group{
		{Op: "add", Mods: "b32", Passed: 1, Failed: 2},
		{Op: "add", Mods: "b32 sat", Passed: 1},
		{Op: "atom.add", Mods: "u32", Failed: 1},
		{Op: "rcp", Mods: "", Failed: 1},
	}, r.Groups)
}

func TestErrorsNameTheLine(t *testing.T) {
	const good = header + "add,b32,00000001,00000002,,,00000003,0,\n"
	for _, c := range []struct{ text, want string }{
		{"", "line 1: no vector file: the first line is not op,mods,a,b,c,cc_in,r,cc_out,r2"},
		{"{\"format\": 1}\n", "line 1: no vector file: the first line is not op,mods,a,b,c,cc_in,r,cc_out,r2"},
		{"function,first_input,last_input,sha256\n", "line 1: no vector file: the first line is not op,mods,a,b,c,cc_in,r,cc_out,r2"},
		{good + "add,b32,1\n", "line 3: 3 fields: want 9"},
		{good + "add,b32,xyz,,,,,,\n", `line 3: a "xyz" is no hexadecimal number of up to 64 bits`},
		{good + "sqrt,,0,,,,0,,\n", `line 3: unknown operation "sqrt"`},
		{good + "add,b32 fast,0,0,,,0,0,\n", `line 3: add: unknown modifier "fast"`},
		{good + "fadd,rn neg7,0,0,,,0,0,\n", `line 3: fadd: unknown modifier "neg7"`},
		{good + "fset,,0,0,,,0,0,\n", `line 3: fset: no condition`},
		{good + "dset,maybe,0,0,,,0,0,\n", `line 3: dset: unknown condition "maybe"`},
		{good + "quadop,mul,0,0,,,0,0,\n", `line 3: quadop: unknown modifier "mul"`},
		{good + "i2i,u32,0,,,,0,0,\n", `line 3: i2i: want destination and source types, not ["u32"]`},
		{good + "i2i,u32 f8 rn,0,,,,0,0,\n", `line 3: i2i: unknown type "f8"`},
		{good + "i2f,f64 u8 rn,0,,,,0,0,\n", `line 3: i2f: no instruction converts u8 to f64`},
		{good + "rcp,half,0,,,,0,,\n", `line 3: rcp: unknown modifier "half"`},
		{good + "atom.add,,0,,,,0,,\n", `line 3: atom.add: want one type, not []`},
		{good + "atom.add,f32,0,,,,0,,\n", `line 3: atom.add: unknown type "f32"`},
	} {
		t.Run(c.want, func(t *testing.T) {
			_, err := verify.Read(strings.NewReader(c.text), verify.Options{Scalar: true})
			require.EqualError(t, err, c.want)
		})
	}
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	const text = header + "xor,b32,00000001,00000003,,,00000002,0,\n"
	plain, packed := filepath.Join(dir, "x.csv"), filepath.Join(dir, "x.csv.gz")
	require.NoError(t, os.WriteFile(plain, []byte(text), 0o666))
	f, err := os.Create(packed)
	require.NoError(t, err)
	z := gzip.NewWriter(f)
	_, err = io.WriteString(z, text)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	require.NoError(t, f.Close())
	for _, path := range []string{plain, packed} {
		r, err := verify.File(path, verify.Options{})
		require.NoError(t, err)
		require.Equal(t, 1, r.Passed)
	}

	require.NoError(t, os.WriteFile(packed, []byte(text), 0o666))
	_, err = verify.File(packed, verify.Options{})
	require.ErrorContains(t, err, packed)
	_, err = verify.File(filepath.Join(dir, "none"), verify.Options{})
	require.ErrorIs(t, err, os.ErrNotExist)
}

// Whatever a file holds, the answer is a report or an error.
func FuzzRead(f *testing.F) {
	for _, row := range []string{
		"add,b32,00000001,00000002,,,00000003,0,", "addc,b16 sat,7fff,0001,,4,7fff,8,", "shl,b32 shcnt,00000001,0000007f,,,00000000,1,",
		"mad,s24 high sat,00ffffff,00000002,80000000,,80000000,2,", "set,u16 lg,0001,0002,,,ffff,2,", "mov2,b16 not2,0001,0002,,,fffd,2,",
		"fmul,rn zerowins,00000000,7fffffff,,,00000000,1,", "fslct,neg3,00000001,00000002,7f800000,,00000002,0,", "quadop,subr,3f800000,40000000,,,3f800000,0,",
		"dset,u abs1,7ff8000000000000,0000000000000000,,,ffffffff,2,", "f2f,f16 f32 rzi sat,40490fdb,,,,3c00,0,", "i2f64,f32 s64 rp neg,8000000000000000,,,,5f000000,0,",
		"ex2,sat,3f800000,,,,3f800000,,", "atom.cas,b64,0000000000000001,0000000000000001,0000000000000005,,0000000000000005,,0000000000000001",
		"atom.add,u32,,,,,,,", "add,b32,1,2,3,4,5,6,7", "shl,b16 shcnt,,,,,,,", "fadd,,0,0,,,0,,",
	} {
		f.Add(row)
	}
	f.Fuzz(func(t *testing.T, row string) {
		r, err := verify.Read(strings.NewReader(header+row+"\n"), verify.Options{Keep: 1000})
		require.Equal(t, err == nil, r != nil)
		if r != nil && r.Failed == 0 {
			require.Empty(t, r.Failures)
		}
	})
}
