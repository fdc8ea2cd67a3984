package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/tesla"
)

// variants are entries for a fat binary: PTX, the vecadd kernel for two architectures, and code of
// a later generation.
func variants(t *testing.T) []cubintest.Entry {
	t.Helper()
	entries := []cubintest.Entry{{Container: cubin.PTX, Arch: 10, Source: "vecadd.cu", Data: []byte(".version 1.4\n.target sm_10\n")}}
	for _, arch := range []string{"sm_10", "sm_13"} {
		data, err := os.ReadFile(kernel("vecadd", arch+".cubin"))
		require.NoError(t, err)
		img, err := cubin.Parse(data)
		require.NoError(t, err)
		img.Kernels[0].Params = []cubin.Param{{Offset: 0, Size: 4}, {Offset: 4, Size: 4}, {Offset: 8, Size: 4}, {Offset: 12, Size: 4}}
		entries = append(entries, cubintest.Entry{Container: cubin.ELF, Arch: 10 + int(img.Arch), Source: "vecadd.cu",
			Compression: cubin.LZ4, Data: cubintest.ELF{}.Write(img)})
	}
	return append(entries, cubintest.Entry{Container: cubin.ELF, Arch: 20, Source: "vecadd.cu", Data: []byte("\x7fELF")})
}

func TestInfoFatBinary(t *testing.T) {
	flat := string(cubintest.Flat(cubintest.CUDA5, variants(t)...))
	file := temporary(t, "module.fatbin", flat)
	golden(t, "info-fatbin.txt", strings.ReplaceAll(fine(t, "info", file), file, "module.fatbin"))

	var info struct {
		Container string
		Images    []struct {
			Number    int
			Container string
			Target    string
			Offset    int
			Image     *struct{ Arch string }
		}
	}
	archive := temporary(t, "module.a", "!<arch>\nsomething"+flat)
	require.NoError(t, json.Unmarshal([]byte(fine(t, "info", "--json", archive)), &info))
	require.Equal(t, "archive", info.Container)
	require.Len(t, info.Images, 4)
	require.Equal(t, 17, info.Images[0].Offset)
	require.Nil(t, info.Images[0].Image)
	require.Equal(t, "sm_13", info.Images[2].Image.Arch)
	require.Equal(t, "sm_20", info.Images[3].Target)
}

// TestInfoELF shows what only ELF cubins hold.
func TestInfoELF(t *testing.T) {
	img := &cubin.Image{
		Arch:     tesla.SM12,
		Samplers: []cubin.Sampler{{Name: "image", Unit: -1}, {Name: "spare", Unit: -1}},
		Globals:  []cubin.Global{{Name: "counter", Bytes: 8, Slots: []cubin.Slot{{Offset: 0}, {Offset: 4, Addend: 4}}}, {Name: "hidden", Bytes: 4}},
		Kernels: []cubin.Kernel{
			{Name: "one", Registers: 1, Shared: 16, Code: []uint32{0xf0000001, 0xe0000001}, Textures: []cubin.Texture{{Sampler: 0, Unit: 0}}},
			{Name: "two", Registers: 1, Shared: 16, Code: []uint32{0xf0000001, 0xe0000001}, Textures: []cubin.Texture{{Sampler: 0, Unit: 1}}},
		},
	}
	file := temporary(t, "module.cubin", string(cubintest.ELF{}.Write(img)))
	golden(t, "info-elf.txt", strings.ReplaceAll(fine(t, "info", file), file, "module.cubin"))
}

func TestInfoBrokenImage(t *testing.T) {
	entries := variants(t)
	entries[1].Data = entries[1].Data[:48]
	file := temporary(t, "module.fatbin", string(cubintest.Flat(cubintest.CUDA5, entries...)))
	a := jacquard("info", file)
	require.Equal(t, 1, a.status)
	require.Equal(t, "jacquard: "+file+", image 2: ELF cubin: the header is cut off\n", a.err)
	require.Contains(t, a.out, "image 3: ELF cubin for sm_13", "the others are shown")
	a = jacquard("info", "--arch", "sm_99", file)
	require.Equal(t, 2, a.status)
}

func TestInfoWithoutImages(t *testing.T) {
	file := temporary(t, "module.a", "!<arch>\nnothing")
	require.Equal(t, answer{1, "", "jacquard: " + file + ": an archive without device code\n"}, jacquard("info", file))
}

func TestDisContainers(t *testing.T) {
	entries := variants(t)
	file := temporary(t, "module.fatbin", string(cubintest.Flat(cubintest.CUDA5, entries...)))
	all := fine(t, "dis", file)
	require.Equal(t, 1, strings.Count(all, "// image 2: ELF cubin for sm_10\n.module sm_10 "))
	require.Equal(t, 1, strings.Count(all, "// image 3: ELF cubin for sm_13\n.module sm_13 "))
	_, text, _ := strings.Cut(fine(t, "dis", kernel("vecadd", "sm_13.cubin")), "\n00000000")
	_, listing, _ := strings.Cut(fine(t, "dis", "--image", "3", "--kernel", "vecadd", file), "\n00000000")
	require.Equal(t, text, listing, "the same code as from the text cubin")

	a := jacquard("dis", "--image", "4", file)
	require.Equal(t, answer{1, "", "jacquard: " + file + ": image 4 holds no machine code for sm_10 .. sm_13: jacquard info lists all images\n"}, a)
	a = jacquard("dis", "--kernel", "vecsub", file)
	require.Equal(t, answer{1, "", "jacquard: " + file + `, image 3 holds no kernel "vecsub": want vecadd` + "\n"}, a)
	later := temporary(t, "later.fatbin", string(cubintest.Flat(cubintest.CUDA5, entries[3])))
	a = jacquard("dis", later)
	require.Equal(t, answer{1, "", "jacquard: " + later + ": no machine code for sm_13 or an earlier architecture: found only ELF cubin for sm_20\n"}, a)
}

// A kernel of a fat binary runs on a device for which the file holds code, and on no other.
func TestRunFatBinary(t *testing.T) {
	entries := variants(t)
	file := temporary(t, "module.fatbin", string(cubintest.Flat(cubintest.CUDA5, entries...)))
	args := []string{"run", "--block", "64", "--arg", "buf:256", "--arg", "buf:256", "--arg", "buf:256", "--arg", "u32:1", file, "vecadd"}
	fine(t, args...)
	fine(t, append([]string{args[0], "--device", "8800gtx"}, args[1:]...)...)
}

// TestRunProgram runs kernels of a file that carries several modules.
func TestRunProgram(t *testing.T) {
	entries := variants(t)
	other, err := os.ReadFile(kernel("saxpy", "sm_10.cubin"))
	require.NoError(t, err)
	img, err := cubin.Parse(other)
	require.NoError(t, err)
	single := cubintest.Entry{Container: cubin.ELF, Arch: 10, Data: cubintest.ELF{}.Write(img)}
	flat := func(entries ...cubintest.Entry) string { return string(cubintest.Flat(cubintest.CUDA5, entries...)) }
	program := temporary(t, "program.a", "!<arch>\nsomething"+flat(entries...)+flat(single))
	vecadd := []string{"--block", "64", "--arg", "buf:256:pattern=3f800000", "--arg", "buf:256:pattern=40000000", "--arg", "buf:256:name=sum", "--arg", "u32:64", "--print", "sum:f32:1"}
	run := func(args ...string) answer { return jacquard(append([]string{"run"}, args...)...) }

	for _, device := range []string{"gtx280", "8800gtx"} {
		a := run(append(vecadd, "--device", device, program, "vecadd")...)
		require.Zero(t, a.status, a.err)
		require.Contains(t, a.out, "sum[0]")
		require.Contains(t, a.out, " 3")
	}
	a := run(append(vecadd, "--image", "2", program)...)
	require.Zero(t, a.status, a.err)

	a = run(append(vecadd, program)...)
	require.Equal(t, answer{2, "", "jacquard: " + program + " holds 2 kernels: say which one to run (jacquard info lists them)\n"}, a)
	a = run(append(vecadd, program, "vecsub")...)
	require.Equal(t, answer{1, "", "jacquard: " + program + ` holds no kernel "vecsub": want vecadd or saxpy` + "\n"}, a)
	a = run(append(vecadd, "--image", "4", program, "vecadd")...)
	require.Equal(t, answer{1, "", "jacquard: " + program + ": image 4 holds no machine code for sm_10 .. sm_13: jacquard info lists all images\n"}, a)
	a = run(append(vecadd, "--image", "3", "--device", "8800gtx", program, "vecadd")...)
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, "no machine code for sm_10 or an earlier architecture: found only ELF cubin for sm_13; choose another device with JACQUARD_DEVICE")

	twice := temporary(t, "twice.a", "!<arch>\nsomething"+flat(entries...)+flat(entries...))
	a = run(append(vecadd, twice, "vecadd")...)
	require.Equal(t, answer{2, "", "jacquard: " + twice + ` holds several kernels "vecadd", in images 2 and 6: say which one with --image` + "\n"}, a)
	a = run(append(vecadd, "--image", "6", twice, "vecadd")...)
	require.Zero(t, a.status, a.err)
	a = run(temporary(t, "nothing.a", "!<arch>\nnothing"), "vecadd")
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, "an archive without device code")
}

// TestInfoArchive names the members of an archive: object files of Linux and Windows with the structs
// of pointers of early releases.
func TestInfoArchive(t *testing.T) {
	if _, err := exec.LookPath("as"); err != nil {
		t.Skip("no assembler called as")
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "fat.s")
	require.NoError(t, os.WriteFile(source, []byte(`
	.section .nvFatBinSegment,"aw"
	.quad 0x1ee55a01, 1, 0xa14f518d, key, ident, usage, none, cubins, none
	.section .rodata
key:	.string "0123456789abcdef"
ident:	.string "t.cu"
usage:	.string " "
name:	.string "sm_10"
cubin:	.string "architecture {sm_10} code { name = k lmem = 0 smem = 16 reg = 1 bar = 0 bincode { 0xf0000001 0xe0000001 } }"
	.data
none:	.quad 0, 0
cubins:	.quad name, cubin, 0, 0
`), 0o666))
	object := filepath.Join(dir, "fat.o")
	out, err := exec.Command("as", "--64", source, "-o", object).CombinedOutput()
	if err != nil {
		t.Skipf("the assembler is for another machine: %s", out)
	}
	require.Contains(t, fine(t, "info", object), "object file with 1 images")
	data, err := os.ReadFile(object)
	require.NoError(t, err)
	member := fmt.Sprintf("%-16s%-32s%-10d`\n%s", "fat.o/", "", len(data), data)
	file := temporary(t, "lib.a", "!<arch>\n"+member)
	text := fine(t, "info", file)
	require.Contains(t, text, "archive with 1 images")
	require.Contains(t, text, "fat.o:.nvFatBinSegment")
	require.Contains(t, fine(t, "dis", file), ".kernel k ")
}
