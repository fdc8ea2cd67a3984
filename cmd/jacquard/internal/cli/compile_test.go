package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
)

// ptxFile returns the path of a kernel in PTX.
func ptxFile(name string) string { return filepath.Join(root, "testdata/ptx", name+".ptx") }

// addition are the arguments of vecadd in PTX, with the sum.
var addition = []string{
	"--grid", "2", "--block", "32", "--arg", "buf:256:pattern=3f800000", "--arg", "buf:256:pattern=40000000",
	"--arg", "buf:256:name=sum", "--arg", "u32:64", "--print", "sum:f32:2",
}

func TestCompile(t *testing.T) {
	out := filepath.Join(t.TempDir(), "vecadd.cubin")
	require.Empty(t, fine(t, "compile", ptxFile("vecadd"), "-o", out))
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, cubin.ELF, cubin.Sniff(data))
	img, err := cubin.Parse(data)
	require.NoError(t, err)
	require.Equal(t, "sm_13", img.Arch.String())
	require.Len(t, img.Kernel("vecadd").Params, 4)
	for _, file := range []string{out, ptxFile("vecadd")} {
		require.Contains(t, fine(t, append([]string{"run", file, "vecadd"}, addition...)...), "sum[0]: 3 3\n")
	}

	text, err := os.ReadFile(ptxFile("vecadd"))
	require.NoError(t, err)
	a := jacquardOn(string(text), "compile", "-", "-o", "-")
	require.Zero(t, a.status, a.err)
	piped, err := cubin.Parse([]byte(a.out))
	require.NoError(t, err)
	require.Equal(t, img.Kernels[0].Code, piped.Kernels[0].Code)
	require.Equal(t, "<stdin>", piped.Kernels[0].Lines[0].File)
	require.Equal(t, ptxFile("vecadd"), img.Kernels[0].Lines[0].File)
	require.Equal(t, fine(t, "dis", out), fine(t, "dis", ptxFile("vecadd")))

	for _, arch := range []string{"sm_10", "sm_11", "sm_12", "sm_13"} {
		img, err := cubin.Parse([]byte(fine(t, "compile", ptxFile("vecadd"), "--arch", arch, "-o", "-")))
		require.NoError(t, err)
		require.Equal(t, arch, img.Arch.String())
		require.Contains(t, fine(t, "dis", "--arch", arch, ptxFile("vecadd")), ".module "+arch+" ")
		require.Contains(t, fine(t, append([]string{"run", "--arch", arch, ptxFile("vecadd")}, addition...)...), "sum[0]: 3 3\n")
	}
	old := fine(t, "compile", ptxFile("vecadd"), "--text", "-o", "-")
	require.Equal(t, cubin.Text, cubin.Sniff([]byte(old)))
	img, err = cubin.Parse([]byte(old))
	require.NoError(t, err)
	require.Equal(t, "cubin", img.Name)
}

func TestCompileVerbose(t *testing.T) {
	a := jacquard("compile", "-v", "--arch", "sm_11", ptxFile("reduce"))
	require.Zero(t, a.status)
	require.Empty(t, a.out)
	require.Regexp(t, `^jacquard info    : Compiling entry function 'reduce' for 'sm_11'
jacquard info    : Used [0-9]+ registers, [0-9]+\+16 bytes smem(, [0-9]+ bytes cmem\[1\])?
$`, a.err)
}

func TestCompilePrint(t *testing.T) {
	passes := fine(t, "compile", "--print", "list")
	for line := range strings.Lines(passes) {
		require.Regexp(t, regexp.MustCompile(`^[a-z0-9-]+  +[a-z].{20}`), line, "a name and what the pass does")
	}
	text := fine(t, "compile", "--print", "build", ptxFile("collatz"))
	require.True(t, strings.HasPrefix(text, "// collatz after build\n"), text)
	require.Equal(t, text, fine(t, "compile", "--print", "build", "--kernel", "collatz", ptxFile("collatz")))
	require.Equal(t, 1, strings.Count(text, " after "))
}

// --verify needs no output, and finds nothing.
func TestCompileVerify(t *testing.T) {
	for _, name := range []string{"collatz", "crc32", "reduce"} {
		require.Empty(t, fine(t, "compile", "--verify", ptxFile(name)))
	}
}

func TestCompileErrors(t *testing.T) {
	bad := temporary(t, "bad.ptx", ".version 1.4\n.target sm_10\n.entry k() {\n.reg .u32 %r<3>;\nfoo %r1;\nadd.u32 %r1, %r9, 1;\n}\n")
	mistakes := bad + ":5:1: unknown instruction \"foo\"\n" + bad + ":6:14: unknown name \"%r9\"; %r<3> declares %r0 to %r2\n"
	out := filepath.Join(t.TempDir(), "k.cubin")
	textures := ".version 1.4\n.target sm_10\n"
	for i := range 33 {
		textures += fmt.Sprintf(".global .texref t%d;\n", i)
	}
	textures = temporary(t, "textures.ptx", textures)
	for _, c := range []struct {
		args []string
		want answer
	}{
		{[]string{"compile", bad, "-o", out}, answer{1, "", mistakes}},
		{[]string{"run", bad}, answer{1, "", mistakes}},
		{[]string{"dis", bad}, answer{1, "", mistakes}},
		{[]string{"info", bad}, answer{1, "", mistakes}},
		{[]string{"compare", bad}, answer{1, "", mistakes}},
		{[]string{"compile", ptxFile("saxpy")}, answer{2, "", "jacquard: jacquard compile wants -o OUT.cubin: see jacquard compile --help\n"}},
		{[]string{"compile", ptxFile("saxpy"), "-o", out, "--kernel", "k"}, answer{2, "", "jacquard: --kernel goes with --print PASS\n"}},
		{[]string{"compile", ptxFile("saxpy"), "--print", "build", "--kernel", "k"}, answer{1, "", "jacquard: " + ptxFile("saxpy") + " holds no kernel \"k\": want saxpy\n"}},
		{[]string{"compile", ptxFile("saxpy"), "-o", out, "--arch", "sm_20"}, answer{2, "", "jacquard: --arch: unknown architecture \"sm_20\": want sm_10, sm_11, sm_12 or sm_13\n"}},
		{[]string{"compile", kernel("vecadd", "sm_10.cubin"), "-o", out}, answer{1, "", "jacquard: " + kernel("vecadd", "sm_10.cubin") + ": want PTX, found text cubin\n"}},
		{[]string{"compile", "/nonexistent/x", "-o", out}, answer{1, "", "jacquard: open /nonexistent/x: no such file or directory\n"}},
		{[]string{"compile", textures, "-o", out, "--text"}, answer{1, "", "jacquard: a text cubin cannot hold the texture reference t0, whose unit each kernel chooses: leave out --text\n"}},
		{[]string{"compile", bad, "-o", bad}, answer{2, "", "jacquard: -o \"" + bad + "\" is a file that is read: name another\n"}},
	} {
		require.Equal(t, c.want, jacquard(c.args...), c.args)
		require.NoFileExists(t, out, c.args)
	}
	a := jacquard("compile", "--print", "bogus", ptxFile("saxpy"))
	require.Equal(t, 2, a.status)
	require.Contains(t, a.err, `--print "bogus": want build, resolve, `)
	same := temporary(t, "same.ptx", ".version 1.4\n.target sm_10\n")
	a = jacquard("compile", same, "-o", same)
	require.Equal(t, answer{2, "", "jacquard: -o \"" + same + "\" is a file that is read: name another\n"}, a)
}

// Of a file without machine code that a device runs, commands take the PTX.
func TestPTXInFatBinary(t *testing.T) {
	text, err := os.ReadFile(ptxFile("vecadd"))
	require.NoError(t, err)
	other := cubintest.Entry{Container: cubin.PTX, Arch: 30, Data: []byte("nonsense")}
	later := cubintest.Entry{Container: cubin.ELF, Arch: 20, Data: []byte("\x7fELF")}
	file := temporary(t, "module.fatbin", string(cubintest.Flat(cubintest.CUDA5, other, later,
		cubintest.Entry{Container: cubin.PTX, Arch: 20, Compression: cubin.LZ4, Data: text})))
	require.Contains(t, fine(t, append([]string{"run", file}, addition...)...), "sum[0]: 3 3\n")
	require.True(t, strings.HasPrefix(fine(t, "dis", file), "// image 3: ELF cubin for sm_13\n"))
	require.Contains(t, fine(t, append(append([]string{"compare", file, "vecadd"}, addition[:len(addition)-2]...), "--policies", "nvidia,pdom")...), "same")
}

// Each device runs code compiled for it, unless --arch says otherwise.
func TestPTXForTheDevice(t *testing.T) {
	for device, arch := range map[string]string{"": "sm_13", "8800gtx": "sm_10", "9800gx2": "sm_11", "gt240": "sm_12", "c1060,8800gtx": "sm_13"} {
		t.Setenv("JACQUARD_DEVICE", device)
		text := fine(t, append([]string{"run", ptxFile("vecadd"), "--json"}, addition[:len(addition)-2]...)...)
		require.Contains(t, text, `"arch":"`+arch+`"`, device)
		require.Contains(t, fine(t, append(append([]string{"compare", ptxFile("vecadd"), "vecadd"}, addition[:len(addition)-2]...), "--policies", "nvidia,pdom")...), "same", device)
	}
	a := jacquard(append([]string{"run", ptxFile("vecadd"), "--device", "8800gtx", "--arch", "sm_13"}, addition...)...)
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, "found only ELF cubin for sm_13")
}

// PTX that cannot be compiled is no obstacle to the kernels of other modules.
func TestBrokenPTXBesideOther(t *testing.T) {
	text, err := os.ReadFile(ptxFile("vecadd"))
	require.NoError(t, err)
	module := func(data []byte) string {
		return string(cubintest.Flat(cubintest.CUDA5, cubintest.Entry{Container: cubin.PTX, Arch: 20, Data: data}))
	}
	file := temporary(t, "module.a", "!<arch>\n"+module([]byte(".version 2.3\n.bogus\n"))+module(text))
	require.Contains(t, fine(t, append([]string{"run", file, "vecadd"}, addition...)...), "sum[0]: 3 3\n")
	a := jacquard("dis", file)
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, file+", image 1:2:1: ")
	require.Contains(t, fine(t, "dis", "--image", "2", file), ".kernel vecadd ")
}

func TestInfoPTX(t *testing.T) {
	text := strings.ReplaceAll(fine(t, "info", ptxFile("saxpy")), ptxFile("saxpy"), "saxpy.ptx")
	require.True(t, strings.HasPrefix(text, "saxpy.ptx: PTX for compute_20, compiled for sm_13\nkernel "), text)
	require.Contains(t, text, "\nsaxpy takes u64 x at 0x0, u64 y at 0x8, f32 alpha at 0x10, u32 n at 0x14\n")
	text = fine(t, "info", "--json", "--arch", "sm_10", ptxFile("saxpy"))
	require.Contains(t, text, `"container":"PTX","target":"compute_20","arch":"sm_10"`)
	require.Contains(t, text, `{"name":"n","type":"u32","offset":20,"bytes":4}`)
}

// linedPTX is a kernel with a line table. It returns the paths of the kernel and of its source.
func linedPTX(t *testing.T) (file, source string) {
	t.Helper()
	source = temporary(t, "k.cu", "first\n\tout[0] =\t7; // \u202e\nlast\n")
	return temporary(t, "k.ptx", `.version 2.3
.target sm_10
.address_size 32
.file 1 "`+source+`"
.file 2 "gone/else.h"
.entry k(.param .u32 out) {
	.reg .u32 %r<3>;
	.loc 1 2 0
	ld.param.u32 %r1, [out];
	st.global.u32 [%r1], 7;
	.loc 2 40 0
	st.global.u32 [%r1+4], 8;
	.loc 1 99 0
	exit;
}
`), source
}

// dis shows the source of code: the line if its file is there, else the file and the number.
func TestDisLines(t *testing.T) {
	file, source := linedPTX(t)
	text := fine(t, "dis", file)
	require.Contains(t, text, "\n// "+source+`:2`+"\tout[0] = 7; // \\u202e\n")
	require.Contains(t, text, "\n// gone/else.h:40\n")
	require.Contains(t, fine(t, "dis", "--syntax", "sass", file), "\n// gone/else.h:40\n")
	require.Contains(t, fine(t, "dis", "--labels", file), "\n// gone/else.h:40\n")
	require.NotContains(t, fine(t, "dis", "--lines=false", file), "//")
	require.Zero(t, jacquardOn(text, "asm", "-", "-o", filepath.Join(t.TempDir(), "k.cubin")).status)
}

// Faults, traces and reports name the source of code.
func TestSourceOfRuns(t *testing.T) {
	file, source := linedPTX(t)
	a := jacquard("run", file, "--arg", "ptr:0x4")
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, ", "+source+":2: st b32 g14[$r")

	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	require.Zero(t, jacquard("run", file, "--arg", "buf:8", "--stats", in("s.json"), "--trace", in("t.jqt")).status)
	require.Contains(t, fine(t, "trace", "show", in("t.jqt")), "\n// gone/else.h:40\n")
	fine(t, "trace", "filter", in("t.jqt"), "--warp", "0", "-o", in("f.jqt"))
	require.Contains(t, fine(t, "trace", "show", in("f.jqt")), "\n// gone/else.h:40\n")
	fine(t, "report", in("s.json"), "-o", in("r.html"))
	page, err := os.ReadFile(in("r.html"))
	require.NoError(t, err)
	require.Contains(t, string(page), `<tr class="source"><td colspan="11">gone/else.h:40</td></tr>`)
	require.Contains(t, string(page), source+`:2  out[0] = 7; // \u202e</td></tr>`)
}

// PTX whose registers do not fit the block is compiled again for it, alone or beside machine code,
// with the lines of its text. A cubin cannot be compiled again.
func TestRunFits(t *testing.T) {
	const held = 48
	var b strings.Builder
	fmt.Fprintf(&b, ".version 1.4\n.target sm_13\n.entry wide(.param .u32 out) {\n\t.reg .u32 %%r<%d>;\n", held+2)
	fmt.Fprintf(&b, "\tcvt.u32.u16 %%r%d, %%tid.x;\n\tld.param.u32 %%r%d, [out];\n\tmad.lo.u32 %%r%[2]d, %%r%[1]d, %[3]d, %%r%[2]d;\n", held, held+1, 4*held)
	for i := range held {
		fmt.Fprintf(&b, "\tld.volatile.global.u32 %%r%d, [%%r%d+%d];\n", i, held+1, 4*i)
	}
	for i := range held {
		fmt.Fprintf(&b, "\tst.volatile.global.u32 [%%r%d+%d], %%r%d;\n", held+1, 4*(held-1-i), i)
	}
	text := []byte(b.String() + "\texit;\n}\n")
	file := temporary(t, "wide.ptx", string(text))
	made := filepath.Join(t.TempDir(), "wide.cubin")
	fine(t, "compile", file, "-o", made)
	code, err := os.ReadFile(made)
	require.NoError(t, err)
	both := temporary(t, "wide.fatbin", string(cubintest.Flat(cubintest.CUDA4,
		cubintest.Entry{Container: cubin.ELF, Arch: 13, Data: code}, cubintest.Entry{Container: cubin.PTX, Arch: 13, Data: text})))
	first := make([]byte, 4*512*held)
	for i := range held {
		first[4*i] = byte(i)
	}
	args := []string{"--block", "512", "--arg", fmt.Sprintf("buf:%d:name=out:file=%s", len(first), temporary(t, "first.bin", string(first))), "--print", "out:u32:48", "--device", "gtx280"}
	for _, path := range []string{file, both} {
		trace := filepath.Join(t.TempDir(), "t.jqt")
		a := jacquard(append([]string{"run", path, "--trace", trace}, args...)...)
		require.Equal(t, 0, a.status, a.err)
		require.Contains(t, a.out, "out[0]: 47 46 45 44")
		require.Contains(t, a.err, "its PTX was compiled again")
		require.Contains(t, fine(t, "trace", "show", trace, "--first", "20"), "// "+path, "the lines of the text")
	}
	a := jacquard(append([]string{"run", made}, args...)...)
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES")
}
