package cuobjdump

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/tesla"
)

const text = ".version 6.3\n.target sm_20\n"

// files writes an object with two fat binaries into the current folder: two kernels for sm_10 and
// their PTX; code for sm_20.
func files(t *testing.T) (code []byte) {
	t.Helper()
	t.Chdir(t.TempDir())
	kernel := func(name string) cubin.Kernel {
		return cubin.Kernel{Name: name, Registers: 2, Shared: 16, Code: []uint32{0xf0000001, 0xe0000000, 0x30000003, 0x00000780}, Params: []cubin.Param{}}
	}
	code, err := cubin.FormatELF(&cubin.Image{Arch: tesla.SM10, Pointer: 8, Kernels: []cubin.Kernel{kernel("one"), kernel("two")}})
	require.NoError(t, err)
	object := []byte("!<arch>\n")
	object = append(object, cubintest.Flat(cubintest.CUDA5,
		cubintest.Entry{Container: cubin.ELF, Arch: 10, Source: "k.cu", Data: code},
		cubintest.Entry{Container: cubin.PTX, Arch: 20, Source: "k.cu", Data: []byte(text)})...)
	object = append(object, cubintest.Flat(cubintest.CUDA5, cubintest.Entry{Container: cubin.ELF, Arch: 20, Data: []byte("later...")})...)
	require.NoError(t, os.WriteFile("k.a", object, 0o666))
	return code
}

// run runs cuobjdump and returns its output.
func run(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, Run(args, &out))
	return out.String()
}

func TestLists(t *testing.T) {
	files(t)
	require.Equal(t, "ELF file    1: k.1.sm_10.cubin\nELF file    2: k.3.sm_20.cubin\n", run(t, "-lelf", "k.a"))
	require.Equal(t, "PTX file    1: k.2.sm_20.ptx\n", run(t, "--list-ptx", "k.a"))
	require.Equal(t, "ELF file    1: k.3.sm_20.cubin\n", run(t, "-lelf", "-arch", "sm_20", "k.a"))
}

func TestExtraction(t *testing.T) {
	code := files(t)
	require.Equal(t, "Extracting k.1.sm_10.cubin\n", run(t, "-xelf", "sm_10", "k.a"))
	got, err := os.ReadFile("k.1.sm_10.cubin")
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(got, code))
	require.Equal(t, "Extracting k.2.sm_20.ptx\n", run(t, "-xptx", "all", "k.a"))
	got, err = os.ReadFile("k.2.sm_20.ptx")
	require.NoError(t, err)
	require.Equal(t, text, string(got))
	require.NoFileExists(t, "k.3.sm_20.cubin")
}

func TestDumps(t *testing.T) {
	files(t)
	require.Equal(t, `
Fatbin elf code:
================
arch = sm_10
identifier = k.cu

	code for sm_10
		Function : two
	/*0000*/     NOP;                                               /* 0xe0000000f0000001 */
	/*0008*/     RET;                                               /* 0x0000078030000003 */
		................................
`, run(t, "-sass", "-arch=sm_10", "-fun", "two", "k.a"))
	require.Contains(t, run(t, "-sass", "k.a"), "code for sm_20, which is not shown: sm_10 to sm_13 are")
	require.Contains(t, run(t, "-ptx", "k.a"), "\nFatbin ptx code:\n================\narch = sm_20\nidentifier = k.cu\n"+text)
	require.Contains(t, run(t, "-res-usage", "k.a"), "ptxas info    : Used 2 registers, 0+16 bytes smem\n")
}

func TestErrors(t *testing.T) {
	files(t)
	require.NoError(t, os.WriteFile("empty.a", []byte("!<arch>\n"), 0o666))
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "no input file; --help lists the options"},
		{[]string{"k.a"}, "nothing to do: -lelf, -lptx, -xelf, -xptx, -sass or -ptx says what"},
		{[]string{"-lelf", "empty.a"}, "empty.a: no device code"},
		{[]string{"-lelf", "none"}, "none: open none: no such file or directory"},
		{[]string{"-elf", "k.a"}, "-elf: not supported: -xelf all writes files that readelf prints"},
		{[]string{"-sass", "-arch=fermi", "k.a"}, "-arch fermi: want sm_N"},
	} {
		require.EqualError(t, Run(c.args, nil), c.want)
	}
}

// TestMembers names the member of an archive that code lies in.
func TestMembers(t *testing.T) {
	t.Chdir(t.TempDir())
	archive := []byte("!<arch>\n")
	for _, name := range []string{"one.o", "two.o"} {
		data := cubintest.Flat(cubintest.CUDA5, cubintest.Entry{Container: cubin.PTX, Arch: 20, Data: []byte(text)})
		archive = append(archive, fmt.Sprintf("%-16s%-32s%-10d`\n%s", name+"/", "", len(data), data)...)
		archive = append(archive, "\n"[:len(data)%2]...)
	}
	require.NoError(t, os.WriteFile("k.a", archive, 0o666))
	require.Equal(t, "member k.a:one.o:\nPTX file    1: k.1.sm_20.ptx\nmember k.a:two.o:\nPTX file    2: k.2.sm_20.ptx\n", run(t, "-lptx", "k.a"))
}
