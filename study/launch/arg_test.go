package launch_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/study/launch"
)

func TestValues(t *testing.T) {
	for _, c := range []struct {
		arg  string
		want []byte
	}{
		{"i32:5", []byte{5, 0, 0, 0}},
		{"i32:-1", []byte{255, 255, 255, 255}},
		{"u32:0xffffffff", []byte{255, 255, 255, 255}},
		{"i16:-2", []byte{254, 255}},
		{"u8:200", []byte{200}},
		{"i64:-2", []byte{254, 255, 255, 255, 255, 255, 255, 255}},
		{"u64:0x0102030405060708", []byte{8, 7, 6, 5, 4, 3, 2, 1}},
		{"f32:1", []byte{0, 0, 0x80, 0x3f}},
		{"f32:0x7fffffff", []byte{255, 255, 255, 0x7f}},
		{"f32:0x1p1", []byte{0, 0, 0, 0x40}},
		{"f32:inf", []byte{0, 0, 0x80, 0x7f}},
		{"f64:-2", []byte{0, 0, 0, 0, 0, 0, 0, 0xc0}},
		{"ptr:0x1000", []byte{0, 0x10, 0, 0}},
	} {
		t.Run(c.arg, func(t *testing.T) {
			p, err := launch.ParseArg(c.arg, 3)
			require.NoError(t, err)
			require.Equal(t, launch.Param{Name: "arg3", Value: c.want, Address: strings.HasPrefix(c.arg, "ptr")}, p)
		})
	}
}

func TestBuffers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "in")
	require.NoError(t, os.WriteFile(file, []byte{1, 2, 3}, 0o666))
	for _, c := range []struct {
		arg, name string
		want      []byte
	}{
		{"buf:4", "arg0", []byte{0, 0, 0, 0}},
		{"buf:2:zero:name=x", "x", []byte{0, 0}},
		{"buf:6:pattern=3f800000", "arg0", []byte{0, 0, 0x80, 0x3f, 0, 0}},
		{"buf:3:pattern=ab", "arg0", []byte{0xab, 0xab, 0xab}},
		{"buf::file=" + file, "arg0", []byte{1, 2, 3}},
		{"buf:5:name=in:file=" + file, "in", []byte{1, 2, 3, 0, 0}},
		{"buf:2:file=/dev/zero", "arg0", []byte{0, 0}}, // an endless file
	} {
		t.Run(c.arg, func(t *testing.T) {
			p, err := launch.ParseArg(c.arg, 0)
			require.NoError(t, err)
			require.Equal(t, launch.Param{Name: c.name, Buffer: c.want}, p)
		})
	}
	for arg, size := range map[string]int{"buf:2k": 2 << 10, "buf:2K": 2 << 10, "buf:3m": 3 << 20, "buf:3M": 3 << 20, "buf:0x10k": 16 << 10} {
		p, err := launch.ParseArg(arg, 0)
		require.NoError(t, err)
		require.Len(t, p.Buffer, size, arg)
	}
	_, err := launch.ParseArg("buf:4g", 0)
	require.EqualError(t, err, `argument "buf:4g": "4g" is more than 32 bits of device address reach`)
}

func TestSeedsDecideContent(t *testing.T) {
	fill := func(arg string) []byte {
		p, err := launch.ParseArg(arg, 0)
		require.NoError(t, err)
		return p.Buffer
	}
	require.Equal(t, fill("buf:100:seed=1"), fill("buf:100:seed=1"))
	require.NotEqual(t, fill("buf:100:seed=1"), fill("buf:100:seed=2"))
	require.Equal(t, fill("buf:100:seed=1"), fill("buf:200:seed=1")[:100])
}

func TestArgErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "in")
	require.NoError(t, os.WriteFile(file, []byte{1, 2, 3}, 0o666))
	for _, c := range []struct{ arg, problem string }{
		{"5", "want TYPE:VALUE or buf:SIZE"},
		{"int:5", `unknown type "int": want i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, ptr or buf`},
		{"i32:2147483648", `"2147483648" is no i32`},
		{"u32:-1", `"-1" is no u32`},
		{"f32:x", `"x" is no f32`},
		{"f32:1e99", `"1e99" is no f32`},
		{"buf:", "a buffer needs a size of at least 1"},
		{"buf:0", "a buffer needs a size of at least 1"},
		{"buf:x", `"x" is no size in bytes: want a number, with k, m or g behind it (K, M or G) for 2^10, 2^20 or 2^30`},
		{"buf:k", `"k" is no size in bytes: want a number, with k, m or g behind it (K, M or G) for 2^10, 2^20 or 2^30`},
		{"buf:5000M", `"5000M" is more than 32 bits of device address reach`},
		{"buf:99999999999", `"99999999999" is more than 32 bits of device address reach`},
		{"buf:4:pattern=123", `pattern "123": want 2, 4, 8 or 16 hexadecimal digits`},
		{"buf:4:pattern=", `pattern "": want 2, 4, 8 or 16 hexadecimal digits`},
		{"buf:4:pattern=012345", `pattern "012345": want 2, 4, 8 or 16 hexadecimal digits`},
		{"buf:4:seed=x", `seed "x" is no number`},
		{"buf:4:seed=1:zero", "more than one of zero, pattern, seed and file"},
		{"buf:4:ones", `unknown option "ones": want zero, pattern=HEX, seed=N, file=PATH or name=NAME`},
		{"buf:4:name=", `unknown option "name=": want zero, pattern=HEX, seed=N, file=PATH or name=NAME`},
		{"buf:2:file=" + file, file + " has 3 bytes, the buffer 2"},
		{"buf::file=" + file + "x", "open " + file + "x: no such file or directory"},
		{"buf::file=" + filepath.Dir(file), filepath.Dir(file) + " is no plain file: say how many bytes of it"},
		{"buf::file=/dev/null", "/dev/null is no plain file: say how many bytes of it"},
	} {
		t.Run(c.arg, func(t *testing.T) {
			_, err := launch.ParseArg(c.arg, 0)
			require.EqualError(t, err, `argument "`+c.arg+`": `+c.problem)
		})
	}
}

// A file that no device memory holds is refused before it is read.
func TestFileTooLarge(t *testing.T) {
	const size = 1 << 32
	file := filepath.Join(t.TempDir(), "holes")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	require.NoError(t, os.Truncate(file, size))
	_, err := launch.ParseArg("buf::file="+file, 0)
	require.EqualError(t, err, fmt.Sprintf(`argument "buf::file=%s": %s has %d bytes: device memory has fewer`, file, file, uint64(size)))
}

func TestShow(t *testing.T) {
	data := []byte{0, 0, 0x80, 0x3f, 255, 255, 255, 255, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	for _, c := range []struct{ show, want string }{
		{"a", "a[0]: 3f800000 ffffffff 04030201 08070605 0c0b0a09\n"},
		{"a:f32:1", "a[0]: 1\n"},
		{"a:i32:2", "a[0]: 1065353216 -1\n"},
		{"a:u16:4", "a[0]: 0 16256 65535 65535\n"},
		{"a:x8:10", "a[0]: 00 00 80 3f ff ff ff ff\na[8]: 01 02\n"},
		{"a:x64:all", "a[0]: ffffffff3f800000 0807060504030201\n"},
		{"a::2", "a[0]: 3f800000 ffffffff\n"},
	} {
		t.Run(c.show, func(t *testing.T) {
			show, err := launch.ParseShow(c.show)
			require.NoError(t, err)
			require.Equal(t, "a", show.Name)
			var out strings.Builder
			require.NoError(t, show.Write(&out, data))
			require.Equal(t, c.want, out.String())
		})
	}
	for _, c := range []struct{ show, problem string }{
		{"a:word", `unknown type "word": want i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, x8, x16, x32 or x64`},
		{"a:x32:0", `"0" is no count: want a number or all`},
		{"a:x32:1:2", "want NAME[:TYPE[:COUNT]]"},
		{":x32", "want NAME[:TYPE[:COUNT]]"},
	} {
		_, err := launch.ParseShow(c.show)
		require.EqualError(t, err, `argument "`+c.show+`": `+c.problem)
	}
}
