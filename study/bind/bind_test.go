package bind_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/study/bind"
)

// cc compiles C source with the system compiler.
func cc(t *testing.T, source, output string, flags ...string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.c")
	require.NoError(t, os.WriteFile(file, []byte(source), 0o666))
	args := append([]string{file, "-o", output}, flags...)
	out, err := exec.Command("cc", args...).CombinedOutput()
	require.NoError(t, err, string(out))
}

// simulatorSource is a small library that FindLibrary takes for the simulator.
const simulatorSource = `
const char *mark = "libjacquard.so.1";
int cuInit(unsigned f) { return mark[f]; }
int cuMemAlloc(void) { return 0; }
`

// makeSimulator builds such a library and returns it with its folder.
func makeSimulator(t *testing.T) (*bind.Library, string) {
	t.Helper()
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("needs a C compiler called cc")
	}
	dir := t.TempDir()
	makeLibrary(t, dir, simulatorSource)
	_, err := bind.FindLibrary(dir, "")
	require.ErrorContains(t, err, "no libjacquard.so.1 beside ")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "libjacquard.so.1"), nil, 0o666))
	lib, err := bind.FindLibrary(dir, "")
	require.NoError(t, err)
	return lib, dir
}

func makeLibrary(t *testing.T, dir, source string) {
	t.Helper()
	cc(t, source, filepath.Join(dir, "libcuda.so.1"), "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1")
	require.NoError(t, os.Symlink("libcuda.so.1", filepath.Join(dir, "libcuda.so")))
}

func TestExamine(t *testing.T) {
	lib, dir := makeSimulator(t)
	const linked = `int cuInit(unsigned); int main(void) { return cuInit(0); }`
	const lacking = `int cuInit(unsigned); int cuLater(void); int main(void) { return cuInit(0) + cuLater(); }`
	const opening = `#include <dlfcn.h>
int main(void) { return !dlopen("libcuda.so.1", RTLD_NOW); }`
	const runtime = `#include <dlfcn.h>
const char *name = "cudaGetDeviceCount";
int main(void) { return !dlopen("libcuda.so", RTLD_NOW) + *name; }`
	const nothing = `int main(void) { return 0; }`

	other := t.TempDir() // a libcuda that is not the simulator
	makeLibrary(t, other, `int cuInit(unsigned f) { return f; } int cuLater(void) { return 0; }`)
	old := t.TempDir() // one under a name that the simulator does not use
	cc(t, `int cuInit(unsigned f) { return f; }`, filepath.Join(old, "libcuda.so.0"), "-shared", "-fPIC", "-Wl,-soname,libcuda.so.0")
	through := t.TempDir() // a library that links libcuda
	cc(t, `int cuInit(unsigned); int helper(void) { return cuInit(0); }`, filepath.Join(through, "libhelper.so"), "-shared", "-fPIC", "-L"+dir, "-lcuda")

	for _, c := range []struct {
		name, source string
		flags        []string
		mode         os.FileMode
		verdict      bind.Verdict
		says         string // part of a problem or note
	}{
		{name: "linked", source: linked, flags: []string{"-L" + dir, "-lcuda"}, verdict: bind.Runs},
		{name: "opened", source: opening, verdict: bind.Runs},
		{name: "static runtime", source: runtime, verdict: bind.Runs, says: "the CUDA runtime is linked statically"},
		{name: "nothing", source: nothing, verdict: bind.MayRun},
		{name: "static", source: nothing, flags: []string{"-static"}, verdict: bind.Cannot, says: "linked statically, so that no libcuda"},
		{name: "lacking", source: lacking, flags: []string{"-L" + other, "-lcuda", "-Wl,-z,lazy"}, verdict: bind.Runs, says: "functions that the simulator lacks: cuLater; it ends if it calls one"},
		{name: "lacking at once", source: lacking, flags: []string{"-L" + other, "-lcuda", "-Wl,-z,now"}, verdict: bind.Cannot, says: "does not start"},
		{name: "rpath", source: linked, flags: []string{"-L" + other, "-lcuda", "-Wl,--disable-new-dtags,-rpath," + other}, verdict: bind.Cannot, says: "its rpath makes the loader take " + other},
		{name: "runpath", source: linked, flags: []string{"-L" + other, "-lcuda", "-Wl,--enable-new-dtags,-rpath," + other}, verdict: bind.Runs, says: "without jacquard exec it binds to " + other},
		{name: "wrong soname", source: linked, flags: []string{filepath.Join(old, "libcuda.so.0")}, verdict: bind.Cannot, says: "it links libcuda.so.0, a name under which the simulator has no file"},
		{name: "through", source: `int helper(void); int main(void) { return helper(); }`,
			flags:   []string{"-L" + through, "-lhelper", "-Wl,-rpath," + through, "-Wl,--unresolved-symbols=ignore-in-shared-libs"},
			verdict: bind.Runs, says: "it links libcuda through " + through},
		{name: "set-user-id", source: linked, flags: []string{"-L" + dir, "-lcuda"}, mode: os.ModeSetuid, verdict: bind.Cannot, says: "ignores LD_LIBRARY_PATH"},
	} {
		t.Run(c.name, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "program")
			cc(t, c.source, program, append([]string{"-no-pie"}, c.flags...)...)
			if c.mode != 0 {
				require.NoError(t, os.Chmod(program, 0o755|c.mode))
			}
			r, err := bind.Examine(program, lib, bind.Environment{})
			require.NoError(t, err)
			said := append(r.Problems, r.Notes...)
			require.Equal(t, c.verdict, r.Verdict, "%q", said)
			require.Equal(t, c.verdict == bind.Cannot, len(r.Problems) > 0)
			require.Contains(t, strings.Join(said, "\n"), c.says)
		})
	}
}

func TestReport(t *testing.T) {
	lib, dir := makeSimulator(t)
	program := filepath.Join(t.TempDir(), "program")
	cc(t, `int cuInit(unsigned); int main(void) { return cuInit(0); }`, program, "-L"+dir, "-lcuda")
	r, err := bind.Examine(program, lib, bind.Environment{LibraryPath: "/nowhere:" + dir})
	require.NoError(t, err)
	require.Contains(t, r.Needed, "libcuda.so.1")
	require.Equal(t, 1, r.Functions)
	require.Empty(t, r.Missing)
	require.Equal(t, filepath.Join(dir, "libcuda.so.1"), r.Now)
	require.Contains(t, r.Kind, "-bit ")
}

func TestDeviceCode(t *testing.T) {
	lib, dir := makeSimulator(t)
	program := filepath.Join(t.TempDir(), "program")
	cc(t, `int cuInit(unsigned); int main(void) { return cuInit(0); }`, program, "-L"+dir, "-lcuda")
	bare, err := os.ReadFile(program)
	require.NoError(t, err)
	ptx := cubintest.Entry{Container: cubin.PTX, Arch: 13, Data: []byte(".version 1.4")}
	old := cubintest.Entry{Container: cubin.ELF, Arch: 13, Data: []byte("code")}
	later := cubintest.Entry{Container: cubin.ELF, Arch: 20, Data: []byte("code")}
	for _, c := range []struct {
		entries []cubintest.Entry
		code    []string
		noted   bool
	}{
		{nil, nil, false},
		{[]cubintest.Entry{ptx, old, later, old}, []string{"compute_13", "sm_13", "sm_20"}, false},
		{[]cubintest.Entry{ptx, later}, []string{"compute_13", "sm_20"}, true},
	} {
		data := bare
		if c.entries != nil {
			data = append(bytes.Clone(bare), cubintest.Flat(cubintest.CUDA4, c.entries...)...)
		}
		require.NoError(t, os.WriteFile(program, data, 0o777))
		r, err := bind.Examine(program, lib, bind.Environment{})
		require.NoError(t, err)
		require.Equal(t, c.code, r.Code)
		require.Equal(t, c.noted, strings.Contains(strings.Join(r.Notes, "\n"), "no machine code for sm_10 .. sm_13"))
		require.Equal(t, bind.Runs, r.Verdict)
	}
}

func TestOtherMachine(t *testing.T) {
	lib, _ := makeSimulator(t)
	for machine, want := range map[elf.Machine]string{
		elf.EM_SPARC: "it is a 32-bit EM_SPARC program, the simulator's library is for 64-bit x86-64 ones: build the library for it (GOARCH) or rebuild the program",
		elf.EM_386:   "it is a 32-bit x86 program, the simulator's library is for 64-bit x86-64 ones: run make lib32, and say where it is with --lib if that is not beside the tool",
	} {
		r, err := bind.Examine(program32(t, machine), lib, bind.Environment{})
		require.NoError(t, err)
		require.Equal(t, bind.Cannot, r.Verdict)
		require.Equal(t, []string{want}, r.Problems)
	}
}

// program32 makes the header of a 32-bit program and returns its path.
func program32(t *testing.T, machine elf.Machine) string {
	t.Helper()
	header := make([]byte, 52)
	copy(header, "\x7fELF\x01\x01\x01")
	binary.LittleEndian.PutUint16(header[16:], 2)
	binary.LittleEndian.PutUint16(header[18:], uint16(machine))
	binary.LittleEndian.PutUint32(header[20:], 1)
	binary.LittleEndian.PutUint16(header[40:], 52)
	path := filepath.Join(t.TempDir(), "program")
	require.NoError(t, os.WriteFile(path, header, 0o777))
	return path
}

func TestScriptsAndOtherFiles(t *testing.T) {
	lib, dir := makeSimulator(t)
	script := filepath.Join(dir, "script")
	require.NoError(t, os.WriteFile(script, []byte("#! /usr/bin/env python3\nprint(1)\n"), 0o777))
	r, err := bind.Examine(script, lib, bind.Environment{})
	require.NoError(t, err)
	require.Equal(t, "script for /usr/bin/env", r.Kind)
	require.Equal(t, bind.MayRun, r.Verdict)

	text := filepath.Join(dir, "text")
	require.NoError(t, os.WriteFile(text, []byte("hello, hello, hello\n"), 0o777))
	_, err = bind.Examine(text, lib, bind.Environment{})
	require.EqualError(t, err, text+" is neither an ELF program nor a script")

	program, err := os.ReadFile(lib.Path)
	require.NoError(t, err)
	for _, length := range []int{0, 40, 3000} { // nothing, half a header, no sections
		require.NoError(t, os.WriteFile(text, program[:length], 0o777))
		_, err = bind.Examine(text, lib, bind.Environment{})
		require.EqualError(t, err, text+" is empty or cut off: it is neither a whole ELF program nor a script")
	}

	_, err = bind.Examine(filepath.Join(dir, "none"), lib, bind.Environment{})
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestFindLibrary(t *testing.T) {
	_, err := bind.FindLibrary(t.TempDir(), "")
	require.ErrorContains(t, err, "no libcuda.so.1 in ")

	for machine, first := range map[elf.Machine]string{elf.EM_386: "/lib32 or ", elf.EM_SPARC: "/lib or "} {
		_, err = bind.FindLibrary("", program32(t, machine))
		require.Regexp(t, "^no libcuda.so.1 in [^ ]*"+first, err.Error())
	}

	_, _ = makeSimulator(t) // skips without a compiler
	other := t.TempDir()
	makeLibrary(t, other, `int cuInit(unsigned f) { return f; }`)
	_, err = bind.FindLibrary(other, "")
	require.ErrorContains(t, err, "is not the simulator's library")
}
