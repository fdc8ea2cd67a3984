package main_test

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/api"
)

// TestCudartPrograms runs programs of each chapter on each runtime library, with kernels in the
// containers of that release.
func TestCudartPrograms(t *testing.T) {
	forCudarts(t, func(t *testing.T, c cudart) {
		for _, name := range []string{"memory", "arrays", "symbols", "textures", "launches", "streams", "errors", "contexts", "guards"} {
			t.Run(name, func(t *testing.T) {
				stderr := c.requirePassed(t, c.compile(t, "runtime_"+name+".c"))
				require.NotContains(t, stderr, "internal error")
			})
		}
	})
}

// TestCudartDevices runs the program of contexts where there are two devices.
func TestCudartDevices(t *testing.T) {
	forCudarts(t, func(t *testing.T, c cudart) {
		environment := append(c.environment(t), "JACQUARD_DEVICE=gtx280,c1060")
		requirePassed(t, environment, c.compile(t, "runtime_contexts.c"))
	})
}

// TestCudartContainers registers PTX in every container, whatever the release.
func TestCudartContainers(t *testing.T) {
	forCudarts(t, func(t *testing.T, c cudart) {
		for _, container := range []string{"STRUCTURE", "FLAT", "BARE"} {
			c.requirePassed(t, c.compile(t, "runtime_symbols.c", "-DCONTAINER="+container))
		}
	})
}

// TestCudartProcess has programs fork, handle signals, and load and close plugins.
func TestCudartProcess(t *testing.T) {
	forCudarts(t, func(t *testing.T, c cudart) {
		plugin := c.compile(t, "runtime_plugin.c", "-shared", "-fPIC")
		c.requirePassed(t, c.compile(t, "runtime_process.c"), plugin)
	})
}

// TestCudartStatic links the static library.
func TestCudartStatic(t *testing.T) {
	if narrow() {
		t.Skip("there is no 32-bit one")
	}
	c := cudart{"10000", "libcudart_static.a"}
	for _, name := range []string{"symbols", "contexts"} {
		c.requirePassed(t, c.compile(t, "runtime_"+name+".c"))
	}
}

// TestCudartRelease has a program of release 4.0 ask for properties.
func TestCudartRelease(t *testing.T) {
	c := cudart{"4020", "libcudart.so.4"}
	c.requirePassed(t, c.compile(t, "runtime_release.c"))
}

// TestCudartUnnumbered runs programs that ask for libcudart.so: they get the first release that has
// all functions they import, and that knows their containers.
func TestCudartUnnumbered(t *testing.T) {
	forCudarts(t, func(t *testing.T, c cudart) {
		c.requirePassed(t, c.compileUnnumbered(t, "runtime_guards.c"))
	})
	old := cudarts[0]
	for _, name := range []string{"symbols", "textures", "launches", "streams", "errors"} {
		t.Run(name, func(t *testing.T) {
			old.requirePassed(t, old.compileUnnumbered(t, "runtime_"+name+".c"))
		})
	}
	t.Run("container", func(t *testing.T) { // of a later release than the imports
		exe := old.compileUnnumbered(t, "runtime_symbols.c", "-DCONTAINER=FLAT")
		stderr := requirePassed(t, append(old.environment(t), "LD_DEBUG=files"), exe)
		require.Contains(t, stderr, "/libcudart.so.4 [0]", "the first release with flat containers")
	})
}

// TestCudartNames runs programs whose imports do not tell their release, and one program whose
// functions no single release has.
func TestCudartNames(t *testing.T) {
	old, dir := cudarts[0], t.TempDir()
	helper := cudart{version: old.version}.compile(t, "runtime_names.c", "-shared", "-fPIC", "-DHELPER", "-Wl,-soname,libhelper.so")
	require.NoError(t, os.Rename(helper, filepath.Join(dir, "libhelper.so")))
	run := func(flags ...string) string {
		exe := old.compileUnnumbered(t, "runtime_names.c", append(flags, "-Wl,-z,lazy", "-L"+dir, "-lhelper", "-Wl,-rpath,"+dir)...)
		return requirePassed(t, append(old.environment(t), "LD_DEBUG=files"), exe)
	}
	stderr := run()
	require.Contains(t, stderr, "/libcudart.so.2.0 [0]")
	require.NotContains(t, stderr, "/libcudart.so.2 [0]")
	require.NotContains(t, stderr, "jacquard: no release")
	require.Contains(t, run("-DTORN"), "jacquard: no release of the CUDA runtime has all functions that the process links: it gets ")
}

// TestCudartOldProgram runs a program as CUDA 1.x made it: a text cubin in the first struct of
// pointers, and a library without a number.
func TestCudartOldProgram(t *testing.T) {
	old := cudarts[0]
	old.requirePassed(t, old.compileUnnumbered(t, "runtime_old.c", "-DCUBIN=../testdata/demo/vectoradd.cubin"))
}

// TestCudartGuards runs programs of releases that share a library with a later one. Programs of 4.0
// are told apart by their images alone: TestCudartRelease.
func TestCudartGuards(t *testing.T) {
	for version, name := range map[string]string{"2010": "2", "2020": "2", "3000": "3", "3010": "3", "4010": "4"} {
		t.Run(version, func(t *testing.T) {
			c := cudart{version, "libcudart.so." + name}
			c.requirePassed(t, c.compile(t, "runtime_guards.c"))
		})
	}
}

// TestCudartChoice checks the library that chooses: its exports, the name that programs record when
// they link it, and that make builds all libraries.
func TestCudartChoice(t *testing.T) {
	table, err := api.LoadRuntime(os.DirFS("runtime"))
	require.NoError(t, err)
	var want []string
	for _, f := range table.Functions {
		want = append(want, f.Name)
	}
	slices.Sort(want)
	last := cudarts[len(cudarts)-1]
	if narrow() {
		last = cudarts[len(cudarts)-2]
	}
	name, exported := exports(t, "libcudart.so")
	require.Equal(t, []string{last.name}, name)
	require.Equal(t, want, exported)
	forCudarts(t, func(t *testing.T, c cudart) { require.FileExists(t, filepath.Join(cudartFolder(t), c.name)) })
}

// exports returns the name of a runtime library for itself, and the symbols that it exports, sorted.
func exports(t testing.TB, library string) (name, symbols []string) {
	t.Helper()
	file, err := elf.Open(filepath.Join(cudartFolder(t), library))
	require.NoError(t, err)
	defer file.Close()
	name, err = file.DynString(elf.DT_SONAME)
	require.NoError(t, err)
	all, err := file.DynamicSymbols()
	require.NoError(t, err)
	for _, s := range all {
		if s.Section != elf.SHN_UNDEF && elf.ST_BIND(s.Info) != elf.STB_LOCAL {
			symbols = append(symbols, s.Name)
		}
	}
	slices.Sort(symbols)
	return name, symbols
}

// TestCudartZeros calls every function with zeros, ones, and pointers that cannot be used. Each must
// return.
func TestCudartZeros(t *testing.T) {
	if narrow() {
		t.Skip("the program is of release 10, of which there is no 32-bit library")
	}
	c := cudarts[len(cudarts)-1]
	stdout, stderr, err := run(t, c.environment(t), c.compile(t, "runtime_zeros_gen.c"))
	require.NoError(t, err, "%s%s", stdout, stderr)
	require.NotContains(t, stderr, "internal error")
	requireGolden(t, "runtime-zeros.golden", stdout)
}

// TestCudartSymbols checks that each library exports exactly the names of its release.
func TestCudartSymbols(t *testing.T) {
	table, err := api.LoadRuntime(os.DirFS("runtime"))
	require.NoError(t, err)
	forCudarts(t, func(t *testing.T, c cudart) {
		name, exported := exports(t, c.name)
		require.Equal(t, []string{c.name}, name)
		var want []string
		version, err := strconv.Atoi(c.version)
		require.NoError(t, err)
		for _, f := range table.Functions {
			if f.Since <= api.Version(version) && (f.Until == 0 || api.Version(version) < f.Until) {
				want = append(want, f.Name)
			}
		}
		slices.Sort(want)
		require.Equal(t, want, exported)
	})
}

// TestCudartWithoutDriver checks what programs get where there is no libcuda.
func TestCudartWithoutDriver(t *testing.T) {
	forCudarts(t, func(t *testing.T, c cudart) {
		exe := c.compile(t, "runtime_memory.c")
		stdout, _, err := run(t, []string{"LD_LIBRARY_PATH=" + cudartFolder(t)}, exe)
		require.Error(t, err)
		want := "answered 35, not 0"
		if c.version == "2000" { // which does not know that error
			want = "answered 3, not 0"
		}
		require.True(t, strings.Contains(stdout, want), "%s", stdout)
	})
}

// TestCudartLayout compares the layouts of all structures with golden files.
func TestCudartLayout(t *testing.T) {
	for _, c := range cudarts {
		t.Run(c.version, func(t *testing.T) {
			exe := filepath.Join(t.TempDir(), "layout")
			args := append([]string{"-DCUDART_VERSION=" + c.version, "-I../toolkit/include"}, strict...)
			golden := "runtime-layout-" + c.version + ".golden"
			if narrow() {
				args = append(args, "-m32")
				golden = "32bit-" + golden
			}
			args = append(args, filepath.Join(programs, "runtime_layout_gen.c"), "-o", exe)
			out, err := exec.Command(compiler(t, "CC", "cc"), args...).CombinedOutput()
			require.NoError(t, err, "%s", out)
			stdout, _, err := run(t, nil, exe)
			require.NoError(t, err)
			requireGolden(t, golden, stdout)
		})
	}
}

// TestCudartHeaders compiles the headers for every release in which a function or field is new.
func TestCudartHeaders(t *testing.T) {
	source := filepath.Join(t.TempDir(), "headers.c")
	text := "#include \"cuda_runtime_api.h\"\n#include \"cuda_gl_interop.h\"\n#include \"cuda_profiler_api.h\"\n"
	require.NoError(t, os.WriteFile(source, []byte(text), 0o666))
	table, err := api.LoadRuntime(os.DirFS("runtime"))
	require.NoError(t, err)
	releases := map[api.Version]bool{}
	for _, f := range table.Functions {
		releases[f.Since] = true
	}
	for _, s := range table.Structs {
		for _, f := range s.Fields {
			releases[f.Since] = true
		}
	}
	for version := range releases {
		args := append([]string{fmt.Sprintf("-DCUDART_VERSION=%d", int(version)), "-I../toolkit/include", "-fsyntax-only"}, strict...)
		out, err := exec.Command(compiler(t, "CC", "cc"), append(args, source)...).CombinedOutput()
		require.NoError(t, err, "release %s: %s", version, out)
	}
}
