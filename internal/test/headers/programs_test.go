package headers

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// root is the folder of the repository.
const root = "../../.."

// nvcc returns the compiler that "make toolkit" has built.
func nvcc(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(root, "build/toolkit/bin/nvcc"))
	require.NoError(t, err)
	if _, err := os.Stat(path); err != nil {
		t.Skip("no build/toolkit/bin/nvcc: make toolkit builds it")
	}
	return path
}

// sources returns the CUDA files of a folder.
func sources(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.cu"))
	require.NoError(t, err)
	require.NotEmpty(t, files, folder)
	return files
}

var wanted = regexp.MustCompile(`(?m)^// Options: (.*)$`)

// options are the options that a source file wants, in its line "// Options:".
func options(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	if found := wanted.FindSubmatch(text); found != nil {
		return strings.Fields(string(found[1]))
	}
	return nil
}

// run compiles a program and returns its output. It takes the headers of the checkout, not the
// copies in build/toolkit.
func run(t *testing.T, file string, more ...string) string {
	t.Helper()
	compiler := nvcc(t)
	exe := filepath.Join(t.TempDir(), "program")
	args := []string{"-I", filepath.Join(root, "toolkit/include"), "-o", exe, file}
	args = slices.Concat(args, options(t, file), more)
	out, err := exec.Command(compiler, args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	libraries, err := filepath.Abs(filepath.Join(root, "build/lib"))
	require.NoError(t, err)
	program := exec.Command(exe)
	program.Env = append(os.Environ(), "LD_LIBRARY_PATH="+libraries)
	var stdout, stderr bytes.Buffer
	program.Stdout, program.Stderr = &stdout, &stderr
	require.NoError(t, program.Run(), "%s%s", &stdout, &stderr)
	return stdout.String()
}

// printed is what kernels of a program print before its verdict.
var printed = map[string]string{"library.cu": "thread 0 of 2: half is 0.50\nthread 1 of 2: half is 0.50\n"}

// TestPrograms runs the programs that call the functions of the headers.
func TestPrograms(t *testing.T) {
	for _, file := range sources(t, "testdata") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			require.Equal(t, printed[filepath.Base(file)]+"PASSED\n", run(t, file))
		})
	}
}

// TestWarps runs warp-wide operations, also for architectures whose devices lack them.
func TestWarps(t *testing.T) {
	for _, set := range []string{"-arch=sm_13", "-arch=sm_13 -G", "-arch=sm_20", "-arch=sm_35 -G"} {
		require.Equal(t, "PASSED\n", run(t, "testdata/warps.cu", strings.Fields(set)...), set)
	}
}

// TestSurfaces compiles a kernel that reads a surface, which no device has: it is refused by name,
// whatever the architecture.
func TestSurfaces(t *testing.T) {
	for _, phase := range []string{"-cubin", "-c", "-c -arch=sm_35"} {
		args := append(strings.Fields(phase), "-DCALL", "-I", filepath.Join(root, "toolkit/include"),
			"-o", filepath.Join(t.TempDir(), "k"), "testdata/surfaces.cu")
		out, err := exec.Command(nvcc(t), args...).CombinedOutput()
		require.Error(t, err, phase)
		require.Regexp(t, `testdata/surfaces\.cu:21: kernel keep: function \w*surf3Dread\w* has no body .*: surfaces are not supported`, string(out))
	}
}

// TestExamples runs the examples. Each is short, and verifies its own result.
func TestExamples(t *testing.T) {
	for _, file := range sources(t, filepath.Join(root, "testdata/cuda")) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Less(t, bytes.Count(text, []byte("\n")), 80, "lines of an example")
			require.True(t, strings.HasSuffix(run(t, file), "\nPASSED\n"))
		})
	}
}
