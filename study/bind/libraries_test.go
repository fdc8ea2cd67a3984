package bind_test

import (
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

// library builds a library called name in dir that links others.
func library(t *testing.T, dir, name string, flags ...string) {
	t.Helper()
	cc(t, `int f(void) { return 1; }`, filepath.Join(dir, name), append([]string{"-shared", "-fPIC", "-Wl,--no-as-needed", "-Wl,-soname," + name}, flags...)...)
}

// TestAbsentLibraries compares the libraries reported absent with the loader's own message when it
// starts the program.
func TestAbsentLibraries(t *testing.T) {
	lib, dir := makeSimulator(t)
	// The folder to link from, and the folder to run from.
	const rpath, runpath = "-Wl,--disable-new-dtags,-rpath,", "-Wl,--enable-new-dtags,-rpath,"
	store := t.TempDir()
	gone := t.TempDir()
	library(t, gone, "libcudart.so.3")
	library(t, gone, "libglut.so.3")
	library(t, store, "libouter.so.1", "-L"+gone, "-l:libglut.so.3")
	library(t, store, "libplain.so.1")
	library(t, store, "libnext.so.1", "-L"+store, "-l:libplain.so.1")
	library(t, store, "libself.so.1", "-L"+store, "-l:libplain.so.1", runpath+"$ORIGIN")
	apart := t.TempDir()
	for _, below := range []string{"lib64", "lib/x86_64-linux-gnu", "glibc-hwcaps/x86-64-v2"} {
		require.NoError(t, os.MkdirAll(filepath.Join(apart, below), 0o777))
		library(t, filepath.Join(apart, below), "libplain.so.1")
	}
	plain := []string{"-L" + store, "-l:libplain.so.1"}

	for _, c := range []struct {
		name    string
		flags   []string
		env     bind.Environment
		verdict bind.Verdict
		absent  []bind.Absent // By is "" for the program
		in      string        // the working folder
		beside  bool          // libplain.so.1 stands beside the program
	}{
		{name: "an empty folder is the working folder", flags: plain, env: bind.Environment{LibraryPath: ":/nowhere"}, in: store, verdict: bind.MayRun},
		{name: "an empty folder of an rpath", flags: append(plain, runpath+"/nowhere:"), in: store, verdict: bind.MayRun},
		{name: "$LIB", flags: append(plain, runpath+filepath.Join(apart, "$LIB")), verdict: bind.MayRun},
		{name: "$ORIGIN in LD_LIBRARY_PATH", flags: plain, env: bind.Environment{LibraryPath: "$ORIGIN"}, beside: true, verdict: bind.MayRun},
		{name: "for some processors", flags: plain, env: bind.Environment{LibraryPath: apart}, verdict: bind.MayRun},
		{name: "the runtime", flags: []string{"-L" + gone, "-l:libcudart.so.3"}, verdict: bind.Cannot,
			absent: []bind.Absent{{Name: "libcudart.so.3", Hint: "make runtime builds it"}}},
		{name: "found by LD_LIBRARY_PATH", flags: []string{"-L" + gone, "-l:libcudart.so.3"}, env: bind.Environment{LibraryPath: gone}, verdict: bind.Runs},
		{name: "found by rpath", flags: []string{"-L" + gone, "-l:libcudart.so.3", rpath + gone}, verdict: bind.Runs},
		{name: "loaded by LD_PRELOAD", flags: []string{"-L" + gone, "-l:libcudart.so.3"}, env: bind.Environment{Preload: "none.so " + filepath.Join(gone, "libcudart.so.3")}, verdict: bind.Runs},
		{name: "of a library", flags: []string{"-L" + store, "-l:libouter.so.1", runpath + store}, verdict: bind.Cannot,
			absent: []bind.Absent{{Name: "libglut.so.3", By: filepath.Join(store, "libouter.so.1"), Hint: "Debian's package libglut3.12 (freeglut3 in older releases) has it"}}},
		{name: "a program's rpath is its libraries', too", flags: []string{"-L" + store, "-l:libnext.so.1", rpath + store}, verdict: bind.MayRun},
		{name: "a program's runpath is its own", flags: []string{"-L" + store, "-l:libnext.so.1", runpath + store}, verdict: bind.Cannot,
			absent: []bind.Absent{{Name: "libplain.so.1", By: filepath.Join(store, "libnext.so.1"), Hint: "Debian's package libplain1 may have it (apt-file search libplain.so.1)"}}},
		{name: "$ORIGIN is the library's folder", flags: []string{"-L" + store, "-l:libself.so.1", runpath + store}, verdict: bind.MayRun},
		{name: "loaded by another", flags: []string{"-L" + store, "-l:libplain.so.1", "-l:libnext.so.1", runpath + store}, verdict: bind.MayRun},
		{name: "libcuda and another", flags: []string{"-L" + dir, "-lcuda", "-L" + gone, "-l:libcudart.so.3"}, verdict: bind.Cannot,
			absent: []bind.Absent{{Name: "libcudart.so.3", Hint: "make runtime builds it"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "program")
			if c.in != "" {
				t.Chdir(c.in)
			}
			if c.beside {
				library(t, filepath.Dir(program), "libplain.so.1")
			}
			cc(t, `int main(void) { return 0; }`, program, append([]string{"-Wl,--no-as-needed", "-Wl,--allow-shlib-undefined"}, c.flags...)...)
			r, err := bind.Examine(program, lib, c.env)
			require.NoError(t, err)
			require.Equal(t, c.verdict, r.Verdict, "%q", r.Problems)
			for i := range c.absent {
				if c.absent[i].By == "" {
					c.absent[i].By = program
				}
			}
			require.Equal(t, c.absent, r.Absent)

			cmd := exec.Command(program)
			cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+dir+":"+c.env.LibraryPath, "LD_PRELOAD="+c.env.Preload)
			out, err := cmd.CombinedOutput()
			require.Equal(t, len(c.absent) == 0, err == nil, "the loader says: %s", out)
			for _, a := range c.absent {
				require.Contains(t, string(out), a.Name+": cannot open shared object file")
			}
		})
	}
}

// A libcuda that is preloaded takes the simulator's place.
func TestPreloadedLibcuda(t *testing.T) {
	lib, dir := makeSimulator(t)
	other := t.TempDir()
	makeLibrary(t, other, `int cuInit(unsigned f) { return f; }`)
	program := filepath.Join(t.TempDir(), "program")
	cc(t, `int cuInit(unsigned); int main(void) { return cuInit(0); }`, program, "-L"+dir, "-lcuda")
	path := filepath.Join(other, "libcuda.so.1")

	r, err := bind.Examine(program, lib, bind.Environment{LibraryPath: other})
	require.NoError(t, err)
	require.Equal(t, bind.Runs, r.Verdict)
	require.Equal(t, path, r.Now)

	r, err = bind.Examine(program, lib, bind.Environment{Preload: path})
	require.NoError(t, err)
	require.Equal(t, bind.Cannot, r.Verdict)
	require.Equal(t, path, r.Now)
	require.Equal(t, []string{"LD_PRELOAD makes the loader take " + path + ": unset it"}, r.Problems)

	r, err = bind.Examine(program, lib, bind.Environment{Preload: lib.Path})
	require.NoError(t, err)
	require.Equal(t, bind.Runs, r.Verdict)
}

// A shared object is judged by the libraries that it links, as a program is.
func TestSharedObjects(t *testing.T) {
	lib, dir := makeSimulator(t)
	gone := t.TempDir()
	library(t, gone, "libcublas.so.4")
	const linked = `int cuInit(unsigned); int start(void) { return cuInit(0); }`
	for _, c := range []struct {
		name, source string
		flags        []string
		verdict      bind.Verdict
		problems     []string
		conclusion   string
	}{
		{"linked", linked, []string{"-L" + dir, "-lcuda"}, bind.Runs, nil, "binds to the simulator in a program that runs under jacquard exec"},
		{"nothing", `int f(void) { return 0; }`, nil, bind.MayRun, nil, "no trace of libcuda in it: it uses the simulator only if something that it loads or starts asks for libcuda"},
		{"no libraries", `int f(void) { return 0; }`, []string{"-nostdlib"}, bind.MayRun, nil, "no trace of libcuda in it: it uses the simulator only if something that it loads or starts asks for libcuda"},
		{"absent", linked, []string{"-L" + dir, "-lcuda", "-Wl,--no-as-needed", "-L" + gone, "-l:libcublas.so.4"}, bind.Cannot,
			[]string{"it links libcublas.so.4, which the loader does not find: NVIDIA's CUDA Toolkit 4.x has it"}, "cannot be loaded on the simulator"},
	} {
		t.Run(c.name, func(t *testing.T) {
			module := filepath.Join(t.TempDir(), "module.so")
			cc(t, c.source, module, append([]string{"-shared", "-fPIC"}, c.flags...)...)
			require.True(t, bind.SharedObject(module))
			r, err := bind.Examine(module, lib, bind.Environment{})
			require.NoError(t, err)
			require.True(t, r.Shared)
			require.Contains(t, r.Kind, " shared object")
			require.Equal(t, c.verdict, r.Verdict)
			require.Equal(t, c.problems, r.Problems)
			require.Equal(t, c.conclusion, r.Conclusion())
		})
	}
	for _, flag := range []string{"-static", "-static-pie", "-pie", "-no-pie"} {
		program := filepath.Join(t.TempDir(), "program")
		cc(t, `int main(void) { return 0; }`, program, flag, "-fPIE")
		require.False(t, bind.SharedObject(program), flag)
		r, err := bind.Examine(program, lib, bind.Environment{})
		require.NoError(t, err)
		require.Equal(t, flag == "-static" || flag == "-static-pie", r.Verdict == bind.Cannot, flag)
	}
}

// TestOwnRuntime has programs that need a runtime library, which the simulator has beside its own
// folder. Another that the loader finds comes first.
func TestOwnRuntime(t *testing.T) {
	_, made := makeSimulator(t)
	top := t.TempDir()
	dir, runtimes := filepath.Join(top, "lib"), filepath.Join(top, "runtime", "lib64")
	require.NoError(t, os.Rename(made, dir))
	require.NoError(t, os.MkdirAll(runtimes, 0o777))
	lib, err := bind.FindLibrary(dir, "")
	require.NoError(t, err)
	library(t, runtimes, "libcudart.so.3")
	other := t.TempDir()
	library(t, other, "libcudart.so.3")
	library(t, other, "libcudart.so.5.5")
	library(t, other, "libmiddle.so.1", "-L"+other, "-l:libcudart.so.3")
	middle := t.TempDir()
	require.NoError(t, os.Rename(filepath.Join(other, "libmiddle.so.1"), filepath.Join(middle, "libmiddle.so.1")))

	for _, c := range []struct {
		name, needs, env, file, path string
		verdict                      bind.Verdict
	}{
		{name: "none found", needs: "libcudart.so.3", file: runtimes, path: dir + ":" + runtimes, verdict: bind.Runs},
		{name: "LD_LIBRARY_PATH without one", needs: "libcudart.so.3", env: middle, file: runtimes, path: dir + ":" + middle + ":" + runtimes, verdict: bind.Runs},
		{name: "another found", needs: "libcudart.so.3", env: other, file: other, path: dir + ":" + other, verdict: bind.Runs},
		{name: "a library needs it", needs: "libmiddle.so.1", env: middle, file: runtimes, path: dir + ":" + middle + ":" + runtimes, verdict: bind.Runs},
		{name: "of another release", needs: "libcudart.so.5.5", path: dir, verdict: bind.Cannot},
		{name: "not needed", needs: "libm.so.6", path: dir, verdict: bind.MayRun},
	} {
		t.Run(c.name, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "program")
			cc(t, `int main(void) { return 0; }`, program, "-Wl,--no-as-needed", "-Wl,--allow-shlib-undefined",
				"-L"+other, "-L"+middle, "-l:"+c.needs)
			r, err := bind.Examine(program, lib, bind.Environment{LibraryPath: c.env})
			require.NoError(t, err)
			require.Equal(t, c.verdict, r.Verdict, "%q", r.Problems)
			require.Equal(t, c.path, r.LibraryPath)
			if c.file == "" {
				require.Empty(t, r.RuntimeFile)
			} else {
				require.Equal(t, filepath.Join(c.file, "libcudart.so.3"), r.RuntimeFile)
			}
			cmd := exec.Command(program)
			cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+r.LibraryPath)
			out, err := cmd.CombinedOutput()
			require.Equal(t, c.verdict != bind.Cannot, err == nil, "the loader says: %s", out)
		})
	}
}

// TestRelease has programs that link libcudart.so: the library chooses a release by their imports
// and by their images.
func TestRelease(t *testing.T) {
	_, made := makeSimulator(t)
	top := t.TempDir()
	dir, runtimes := filepath.Join(top, "lib"), filepath.Join(top, "runtime", "lib64")
	require.NoError(t, os.Rename(made, dir))
	require.NoError(t, os.MkdirAll(runtimes, 0o777))
	lib, err := bind.FindLibrary(dir, "")
	require.NoError(t, err)
	functions := func(names ...string) string {
		source := ""
		for _, name := range names {
			source += "void " + name + "(void) {}\n"
		}
		return source
	}
	build := func(folder, name, source string, flags ...string) {
		cc(t, source, filepath.Join(folder, name), append([]string{"-shared", "-fPIC"}, flags...)...)
	}
	all := []string{"cudaMalloc", "cudaHostAlloc", "cudaDeviceReset", "cudaLaunchKernel", "cudaLater"}
	for i, release := range []string{"2.0", "2", "4", "10.0"} {
		names := all[:i+1]
		if i < 2 {
			names = append([]string{"cudaEarly"}, names...)
		}
		build(runtimes, "libcudart.so."+release, functions(names...))
	}
	mark := `const char *mark = "jacquard: release %s of the CUDA runtime has no %s";` + "\n"
	build(runtimes, "libcudart.so", mark+functions(all...), "-Wl,-soname,libcudart.so.10.0")
	later, old := t.TempDir(), t.TempDir()
	build(later, "libcudart.so", functions(all...), "-Wl,-soname,libcudart.so.4")
	build(old, "libcudart.so", functions(append(all, "cudaEarly")...))
	helpers := t.TempDir()
	build(helpers, "libhelper.so", functions("cudaMyHelper"))

	flat := cubintest.Flat(cubintest.CUDA4, cubintest.Entry{Container: cubin.PTX, Arch: 13, Data: []byte(".version 1.4")})
	for _, c := range []struct {
		name, calls, env string
		image            []byte
		file             string // of libcudart
		verdict          bind.Verdict
		says             string
	}{
		{name: "of 2.0", calls: "cudaMalloc", file: runtimes + "/libcudart.so.2.0", verdict: bind.Runs, says: "are of release 2.0 or later"},
		{name: "of 2.3", calls: "cudaHostAlloc", file: runtimes + "/libcudart.so.2", verdict: bind.Runs, says: "are of release 2.3 or later"},
		{name: "of 10.0", calls: "cudaLaunchKernel", file: runtimes + "/libcudart.so.10.0", verdict: bind.Runs, says: "10.0"},
		{name: "images of 4.0", calls: "cudaMalloc", image: flat, file: runtimes + "/libcudart.so.4", verdict: bind.Runs, says: "4.2"},
		{name: "of no release", calls: "cudaLater", file: runtimes + "/libcudart.so.2.0", verdict: bind.Runs, says: "lacks functions that it links: cudaLater"},
		{name: "of two releases", calls: "cudaEarly", image: flat, file: runtimes + "/libcudart.so", verdict: bind.Cannot, says: "no release has all functions"},
		{name: "the program's own", calls: "cudaMyHelper", file: runtimes + "/libcudart.so.2.0", verdict: bind.Runs, says: "are of release 2.0 or later"},
		{name: "another release found", calls: "cudaMalloc", env: later, file: later + "/libcudart.so", verdict: bind.Cannot, says: "of a later release: take its folder"},
		{name: "NVIDIA's own", calls: "cudaMalloc", env: old, file: old + "/libcudart.so", verdict: bind.Runs},
	} {
		t.Run(c.name, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "program")
			cc(t, "void "+c.calls+"(void); int main(void) { "+c.calls+"(); return 0; }", program, "-L"+old, "-L"+helpers, "-Wl,-z,lazy", "-Wl,--no-as-needed", "-lcudart", "-lhelper", "-Wl,-rpath,"+helpers)
			if c.image != nil {
				data, err := os.ReadFile(program)
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(program, append(data, c.image...), 0o777))
			}
			r, err := bind.Examine(program, lib, bind.Environment{LibraryPath: c.env})
			require.NoError(t, err)
			require.Equal(t, c.file, r.RuntimeFile)
			said := append(r.Problems, r.Notes...)
			require.Equal(t, c.verdict, r.Verdict, "%q", said)
			require.Contains(t, strings.Join(said, "\n"), c.says)
			require.NotContains(t, strings.Join(said, "\n"), "cudaMyHelper")
		})
	}
}

// TestEmulation has a program that runs its kernels on the processor.
func TestEmulation(t *testing.T) {
	lib, _ := makeSimulator(t)
	dir := t.TempDir()
	cc(t, "void __cudaSynchronizeThreads(void) {}", filepath.Join(dir, "libcudart.so.2"), "-shared", "-fPIC", "-Wl,-soname,libcudart.so.2")
	program := filepath.Join(t.TempDir(), "program")
	cc(t, "void __cudaSynchronizeThreads(void); int main(void) { __cudaSynchronizeThreads(); return 0; }", program, "-L"+dir, "-l:libcudart.so.2")
	r, err := bind.Examine(program, lib, bind.Environment{LibraryPath: dir})
	require.NoError(t, err)
	require.Equal(t, bind.Cannot, r.Verdict)
	require.Contains(t, r.Problems[0], "compiled for device emulation")
}

// TestRuntimeLacks has a program that imports a function which its runtime library does not have.
func TestRuntimeLacks(t *testing.T) {
	lib, _ := makeSimulator(t)
	with, without := t.TempDir(), t.TempDir()
	for folder, source := range map[string]string{with: "void cudaOne(void) {} void cudaTwo(void) {}", without: "void cudaOne(void) {}"} {
		cc(t, source, filepath.Join(folder, "libcudart.so.4"), "-shared", "-fPIC", "-Wl,-soname,libcudart.so.4")
	}
	for flag, verdict := range map[string]bind.Verdict{"-Wl,-z,lazy": bind.Runs, "-Wl,-z,now": bind.Cannot} {
		program := filepath.Join(t.TempDir(), "program")
		cc(t, "void cudaTwo(void); int main(void) { cudaTwo(); return 0; }", program, flag, "-L"+with, "-l:libcudart.so.4")
		r, err := bind.Examine(program, lib, bind.Environment{LibraryPath: without})
		require.NoError(t, err)
		require.Equal(t, verdict, r.Verdict)
		require.Contains(t, strings.Join(append(r.Problems, r.Notes...), "\n"), "lacks functions that it links: cudaTwo")
		r, err = bind.Examine(program, lib, bind.Environment{LibraryPath: with})
		require.NoError(t, err)
		require.Equal(t, bind.Runs, r.Verdict)
		require.NotContains(t, strings.Join(r.Notes, "\n"), "lacks")
	}
}
