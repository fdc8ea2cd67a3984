package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// built is the simulator's library and a program for it, built once for all tests.
var built = sync.OnceValues(func() (dir string, err error) {
	dir = scratch
	for _, command := range [][]string{
		{"make", "-s", "-C", root, "lib", "LIBDIR=" + dir},
		{"cc", "-I" + filepath.Join(root, "libcuda/include"), filepath.Join(root, "testdata/demo/vectoradd.c"), "-o", filepath.Join(dir, "vectoradd"), "-L" + dir, "-lcuda"},
		{"cp", filepath.Join(root, "testdata/demo/vectoradd.cubin"), dir},
	} {
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			return "", &buildError{err, string(out)}
		}
	}
	return dir, nil
})

type buildError struct {
	err error
	out string
}

func (e *buildError) Error() string { return e.err.Error() + "\n" + e.out }

// scratch is the folder that they are built in.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "jacquard-cli-*"); err != nil {
		panic("cli: " + err.Error())
	}
	status := m.Run()
	os.RemoveAll(scratch)
	os.Exit(status)
}

// simulator returns the folder that holds the library and the program.
func simulator(t *testing.T) string {
	t.Helper()
	for _, tool := range []string{"make", "cc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("needs %s", tool)
		}
	}
	dir, err := built()
	require.NoError(t, err)
	return dir
}

func TestExec(t *testing.T) {
	dir := simulator(t)
	program := filepath.Join(dir, "vectoradd")
	a := jacquard("exec", "--lib", dir, "--", program)
	require.Zero(t, a.status, a.err)
	require.Equal(t, "device: GeForce GTX 280\n"+
		"c[0] = 1000, c[1] = 1000.25, c[9999] = 3499.75\n"+
		"10000 sums, 0 wrong: PASSED\n", a.out)
	lines := strings.Split(a.err, "\n")
	require.Len(t, lines, 5)
	require.Equal(t, "jacquard: "+program+" ran on "+dir+"/libcuda.so.1, device gtx280, policy nvidia, 1 launch", lines[0])
	require.Regexp(t, `^ *kernel +launches +warp instructions +thread instructions +average active lanes +time$`, lines[1])
	require.Regexp(t, `^ *vecadd +1 +5017 +160384 +31\.97 +\S+s$`, lines[2])
	require.Equal(t, "exact: 100 % of the thread instructions (31.2 % verified on hardware, 68.7 % documented)", lines[3])
}

func TestExecPassesKnobsAndArguments(t *testing.T) {
	dir := simulator(t)
	record := filepath.Join(t.TempDir(), "record")
	for range 2 {
		a := jacquard("exec", "--lib", dir, "--quiet", "--device", "c1060", "--summary", record, filepath.Join(dir, "vectoradd"), "--help")
		require.Zero(t, a.status, a.err)
		require.Contains(t, a.out, "device: Tesla C1060\n")
		require.Empty(t, a.err)
	}
	text, err := os.ReadFile(record)
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(string(text), `"event":"init"`))
	require.Equal(t, 2, strings.Count(string(text), `"event":"launch"`))
}

func TestExecStatus(t *testing.T) {
	dir := simulator(t)
	const unused = "jacquard: /bin/sh never started the simulator: if nothing above says why, see jacquard doctor /bin/sh\n"
	require.Equal(t, answer{0, "hello\n", unused}, jacquard("exec", "--lib", dir, "--", "/bin/sh", "-c", "echo hello"))
	require.Equal(t, answer{7, "", unused}, jacquard("exec", "--lib", dir, "--", "/bin/sh", "-c", "exit 7"))
	require.Equal(t, answer{137, "", unused}, jacquard("exec", "--lib", dir, "--", "/bin/sh", "-c", "kill -9 $$"))
	require.Equal(t, answer{0, "in", unused}, jacquardOn("in", "exec", "--lib", dir, "--", "/bin/sh", "-c", "cat"))
}

// The program's own status is passed on, whatever becomes of the summary.
func TestExecUnreadableSummary(t *testing.T) {
	dir := simulator(t)
	a := jacquard("exec", "--lib", dir, "--summary", os.DevNull, "--", "true")
	require.Equal(t, answer{125, "", "jacquard: --summary " + os.DevNull + ": this is no plain file, and exec reads it too\n"}, a)

	spoilt := filepath.Join(t.TempDir(), "s.jsonl")
	a = jacquard("exec", "--lib", dir, "--summary", spoilt, "--", "sh", "-c", "echo nonsense >"+spoilt+"; exit 3")
	require.Equal(t, 3, a.status)
	require.Regexp(t, "^jacquard: "+spoilt+": .*\n$", a.err)
}

func TestExecCannotStart(t *testing.T) {
	dir := simulator(t)
	text := temporary(t, "text", "just words, no program\n")
	require.NoError(t, os.Chmod(text, 0o777))
	nothing := t.TempDir()
	for _, c := range []struct{ lib, program, want string }{
		{dir, "no-such-program", `cannot run "no-such-program": executable file not found in $PATH: give the path of a program that may be executed`},
		{dir, text, text + " is neither an ELF program nor a script"},
		{nothing, "true", "no libcuda.so.1 in " + nothing + ": run make lib, or say where it is with --lib"},
	} {
		a := jacquard("exec", "--lib", c.lib, "--", c.program)
		require.Equal(t, answer{125, "", "jacquard: " + c.want + "\n"}, a)
	}

	static := filepath.Join(t.TempDir(), "static")
	source := temporary(t, "x.c", "int main(void) { return 0; }")
	out, err := exec.Command("cc", "-static", source, "-o", static).CombinedOutput()
	require.NoError(t, err, string(out))
	a := jacquard("exec", "--lib", dir, "--", static)
	require.Equal(t, 125, a.status)
	require.Contains(t, a.err, "cannot run on the simulator: it is linked statically")
}

func TestDoctor(t *testing.T) {
	dir := simulator(t)
	program := filepath.Join(dir, "vectoradd")
	t.Setenv("LD_LIBRARY_PATH", "")
	text := fine(t, "doctor", "--lib", dir, program)
	require.Equal(t, "program      DIR/vectoradd, a 64-bit x86-64 program\n"+
		"links        libcuda.so.1, libc.so.6\n"+
		"functions    17 of libcuda linked, 17 of them in the simulator\n"+
		"simulator    DIR/libcuda.so.1\n"+
		"libcuda now  none\n"+
		"verdict      runs on the simulator under jacquard exec\n", strings.ReplaceAll(text, dir, "DIR"))
	require.Contains(t, fine(t, "doctor", "--json", "--lib", dir, program), `"verdict":"runs"`)

	a := jacquard("doctor", "--lib", dir, "no-such-program")
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, `cannot run "no-such-program"`)
}

func TestDoctorFails(t *testing.T) {
	dir := simulator(t)
	static := filepath.Join(t.TempDir(), "static")
	source := temporary(t, "x.c", "int main(void) { return 0; }")
	out, err := exec.Command("cc", "-static", source, "-o", static).CombinedOutput()
	require.NoError(t, err, string(out))
	a := jacquard("doctor", "--lib", dir, static)
	require.Equal(t, 1, a.status)
	require.Empty(t, a.err)
	require.Contains(t, a.out, "problem      it is linked statically")
	require.Contains(t, a.out, "verdict      cannot run on the simulator\n")
}

// A disk that is full fails exec, although the program itself ends well.
func TestExecOnAFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full on this system")
	}
	dir := simulator(t)
	for flag, name := range map[string]string{"--stats": "s.json", "--trace": "t.jqt"} {
		full := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.Symlink("/dev/full", full))
		a := jacquard("exec", flag, full, "--lib", dir, "--", filepath.Join(dir, "vectoradd"))
		require.Equal(t, 1, a.status, flag)
		require.Contains(t, a.err, full+" is not whole: ")
		require.Contains(t, a.err, "no space left on device\n")
	}
}
