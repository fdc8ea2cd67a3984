package ptxas

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
)

const (
	head = ".version 6.3\n.target sm_20\n.address_size 64\n.visible .entry k(.param .u64 p) {\n\t.reg .b64 %rd1;\n\tld.param.u64 %rd1, [p];\n"
	tail = "\tret;\n}\n"
)

// assemble runs ptxas on a kernel and returns its output and the machine code.
func assemble(t *testing.T, body string, args ...string) (string, *cubin.Contents, error) {
	t.Helper()
	dir := t.TempDir()
	in, to := filepath.Join(dir, "k.ptx"), filepath.Join(dir, "k.cubin")
	require.NoError(t, os.WriteFile(in, []byte(head+body+tail), 0o666))
	var out bytes.Buffer
	err := Run(append(args, "--output-file", to, in), &out, &out)
	printed := strings.ReplaceAll(out.String(), dir+"/", "")
	if err != nil {
		_, left := os.Stat(to)
		require.ErrorIs(t, left, os.ErrNotExist)
		return printed, nil, err
	}
	data, err := os.ReadFile(to)
	require.NoError(t, err)
	contents, err := cubin.Read(data)
	require.NoError(t, err)
	return printed, contents, nil
}

func TestArchitectures(t *testing.T) {
	for name, want := range map[string]string{"": "sm_13", "sm_10": "sm_10", "sm_12": "sm_12", "sm_20": "sm_13", "sm_75": "sm_13", "compute_11": "sm_11"} {
		args := []string{"-m64", "-O2"}
		if name != "" {
			args = append(args, "--gpu-name", name)
		}
		_, contents, err := assemble(t, "\tst.global.u32 [%rd1], 1;\n", args...)
		require.NoError(t, err)
		require.Equal(t, want, contents.Entries[0].Target(), name)
	}
}

func TestVerbose(t *testing.T) {
	printed, _, err := assemble(t, "\tst.global.u32 [%rd1], 1;\n", "-v", "-arch=sm_12")
	require.NoError(t, err)
	require.Equal(t, "ptxas info    : Compiling entry function 'k' for 'sm_12'\nptxas info    : Used 2 registers, 8+16 bytes smem\n", printed)
}

func TestDemotion(t *testing.T) {
	const body = "\t.reg .f64 %d1;\n\tld.global.f64 %d1, [%rd1];\n\tadd.f64 %d1, %d1, %d1;\n\tst.global.f64 [%rd1], %d1;\n"
	printed, _, err := assemble(t, body, "-arch=sm_11")
	require.NoError(t, err)
	require.Equal(t, "ptxas warning : sm_11 has no double precision: demoted to float in k.ptx\n", printed)
	printed, _, err = assemble(t, body, "-arch=sm_13")
	require.NoError(t, err)
	require.Empty(t, printed)
}

// A text that has its own map, and that without doubles, stay.
func TestDemote(t *testing.T) {
	for _, text := range []string{"", ".target sm_20\nadd.f32 %f1, %f1, %f1;", ".target sm_13, map_f64_to_f32\nadd.f64 %d1;", "// .target sm_20"} {
		got, changed := demote([]byte(text))
		require.False(t, changed)
		require.Equal(t, text, string(got))
	}
}

func TestMistakes(t *testing.T) {
	_, _, err := assemble(t, "\tbad.u32 %r1;\n\tworse %r2;\n")
	var mistakes *Error
	require.ErrorAs(t, err, &mistakes)
	require.Len(t, mistakes.Lines, 2)
	require.Regexp(t, `^ptxas fatal   : .*k\.ptx:7:2: unknown instruction "bad".*\nptxas fatal   : .*k\.ptx:8:2: `, err.Error())
}

func TestOptionErrors(t *testing.T) {
	for line, want := range map[string]string{
		"":                        "no input file; --help lists the options",
		"-m32 k.ptx":              "-m32: device code belongs to 64-bit programs here: use -m64",
		"-arch=fermi k.ptx":       "--gpu-name fermi: want sm_10, sm_11, sm_12, sm_13 or a later one",
		"a.ptx b.ptx":             "b.ptx: one input at a time; a.ptx is there already",
		"-vv k.ptx":               "-vv: unknown option; --help lists the options",
		"-maxrregcount=few k.ptx": `--maxrregcount=few: want a number`,
		"/nonexistent/k.ptx":      "open /nonexistent/k.ptx: no such file or directory",
	} {
		require.EqualError(t, Run(strings.Fields(line), nil, nil), want)
	}
}

// The cubin records the PTX's target, or the source's target that the command line names.
func TestVirtualArchitecture(t *testing.T) {
	for option, want := range map[string]int{"": 20, "--virtual-arch=compute_13": 13, "--virtual-arch=compute_10": 10, "--virtual-arch=sm_75": 75, "--virtual-arch=compute_20": 20} {
		args := []string{"-m64"}
		if option != "" {
			args = append(args, option)
		}
		_, contents, err := assemble(t, "\tst.global.u32 [%rd1], 1;\n", args...)
		require.NoError(t, err)
		img, err := contents.Entries[0].Image()
		require.NoError(t, err)
		require.Equal(t, want, img.Target(), option)
	}
	_, _, err := assemble(t, "", "--virtual-arch=tesla")
	require.ErrorContains(t, err, "--virtual-arch tesla: want compute_10 or a later one")
}
