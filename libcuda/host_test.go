package main_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Tests of what programs do to their process: signals, forks, descriptors and limits.

// soakSeconds is how long one process of TestSignals and TestGoClients works; "make soak" sets
// more.
var soakSeconds = flag.Float64("soak-seconds", 0.1, "seconds of each process of TestSignals and TestGoClients")

// TestSignals sends signals all the time while kernels run. Their handlers need little stack or
// much, and run only on the program's threads: otherwise they would overrun a stack of the
// simulator.
func TestSignals(t *testing.T) {
	exe := compile(t, "signals.c", "-std=gnu99")
	milliseconds := strconv.Itoa(int(*soakSeconds * 1000))
	for _, name := range []string{"alrm", "prof", "vtalrm", "urg", "usr1", "chld", "io", "pipe", "stkflt", "segv", "rt"} {
		for _, c := range []struct{ stack, threads, more string }{{"64", "1", ""}, {"60000", "8", ""}, {"1000000", "8", ""}, {"60000", "1", "before"}} {
			t.Run(strings.TrimSpace(name+" "+c.stack+" "+c.threads+" "+c.more), func(t *testing.T) {
				args := []string{vecadd, name, c.stack, milliseconds, c.threads}
				if c.more != "" {
					args = append(args, c.more)
				}
				stdout, stderr, err := runFor(t, time.Hour, nil, exe, args...)
				require.NoError(t, err, "%s%s", stdout, stderr)
				require.Equal(t, "PASSED\n", stdout)
				require.Regexp(t, `^[0-9]+ signals handled\n$`, stderr)
			})
		}
	}
}

// host runs a case of host.c.
func host(t *testing.T, exe string, args ...string) (stderr string) {
	t.Helper()
	return requirePassed(t, nil, exe, args...)
}

func TestHostPrograms(t *testing.T) {
	exe := compile(t, "host.c", "-std=gnu99")
	t.Run("a signal reaches a thread that launches", func(t *testing.T) {
		host(t, exe, "during", filepath.Join(programs, "endless.cubin"))
	})
	t.Run("a program that only links has no thread and no handler of the library", func(t *testing.T) { host(t, exe, "linked", vecadd) })
	t.Run("forks", func(t *testing.T) {
		stderr := host(t, exe, "forks", vecadd)
		require.Equal(t, 3, strings.Count(stderr, "cuInit: a forked child cannot use the simulator"), "each child says why, once")
	})
	t.Run("a daemon", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "answer")
		command := exec.Command("sh", "-c", `exec "$0" daemon "$1" 9>"$2"`, exe, vecadd, path)
		command.Env = append(cleanEnvironment(), "LD_LIBRARY_PATH="+library(t))
		// The output ends with the last process that has the pipe: the daemon.
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s", out)
		answer, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, []byte{0}, answer)
	})
	t.Run("a signal ends a thread before the library's is woken", func(t *testing.T) {
		requirePassed(t, nil, compile(t, "cut.c", "-std=gnu11"))
	})
	for _, c := range []struct{ name, what string }{
		{"all descriptors closed", "descriptors"}, {"pipes end", "untouched"}, {"ids change", "ids"},
		{"bound to a processor", "bound"}, {"the first thread ends", "first"},
		{"the first thread makes no call and ends", "idle"}, {"a thread has the library's name", "names"},
		{"signals end threads in calls", "leavers"},
	} {
		t.Run(c.name, func(t *testing.T) { host(t, exe, c.what, vecadd) })
	}
	t.Run("faults", func(t *testing.T) {
		stderr := host(t, exe, "faults", vecadd)
		require.Equal(t, 3, strings.Count(stderr, "cannot be accessed\n"), "one line for each page that cannot be read: %s", stderr)
	})
}

// TestLimits checks that a limit of the system causes an error, or none, but never the end of the
// process.
func TestLimits(t *testing.T) {
	exe := compile(t, "host.c", "-std=gnu99")
	answers := func(what string, limits ...int) map[string]bool {
		all := map[string]bool{}
		for _, limit := range limits {
			stderr := host(t, exe, what, vecadd, strconv.Itoa(limit))
			lines := strings.Split(strings.TrimSpace(stderr), "\n")
			answer := lines[len(lines)-1]
			if answer != "answer 0" {
				require.Len(t, lines, 2, "one line says why: %s", stderr)
			}
			all[answer] = true
		}
		return all
	}
	if os.Getuid() == 0 { // the program gives up its rights, and must still find its files
		open(t, filepath.Dir(exe))
		open(t, library(t))
	}
	t.Run("more threads call than can be served", func(t *testing.T) {
		stderr := host(t, exe, "crowd", vecadd)
		require.Equal(t, 1, strings.Count(stderr, "the system has no thread for the calling thread's work"), stderr)
	})
	t.Run("threads", func(t *testing.T) {
		require.Equal(t, map[string]bool{"answer 304": true, "answer 0": true}, answers("threads", 1, 2, 6, 9, 12, 4000))
	})
	if !narrow() {
		t.Run("memory", func(t *testing.T) {
			all := answers("memory", 64, 256, 512, 800, 900, 2500)
			delete(all, "answer 304") // no memory for the stacks of threads
			require.Equal(t, map[string]bool{"answer 2": true, "answer 0": true}, all)
		})
	}
	t.Run("files", func(t *testing.T) {
		stats, trace := filepath.Join(t.TempDir(), "s.json"), filepath.Join(t.TempDir(), "t.jqt")
		stderr := requirePassed(t, []string{"JACQUARD_STATS=" + stats, "JACQUARD_TRACE=" + trace}, exe, "files", vecadd)
		require.Contains(t, stderr, "answer 0\n")
		require.Contains(t, stderr, "file too large")
	})
}

// open makes a folder of a test, and the folders above it, readable for all users.
func open(t *testing.T, dir string) {
	t.Helper()
	for ; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		require.NoError(t, err)
		require.NoError(t, os.Chmod(dir, info.Mode().Perm()|0o055))
	}
}

// TestSetuid checks that a program with more rights than its user has no knobs, and no cache.
func TestSetuid(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can make a program that runs as another user")
	}
	lib := library(t)
	dir := t.TempDir()
	open(t, dir)
	open(t, lib)
	t.Setenv("LIBRARY_PATH", lib)
	exe := compile(t, "host.c", "-std=gnu99", "-Wl,-rpath,"+lib)
	data, err := os.ReadFile(exe)
	require.NoError(t, err)
	program, text := filepath.Join(dir, "program"), filepath.Join(dir, "vecadd.ptx")
	require.NoError(t, os.WriteFile(program, data, 0o755))
	data, err = os.ReadFile(filepath.Join(ptx, "vecadd.ptx"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(text, data, 0o644))
	if exec.Command("setpriv", "--version").Run() != nil {
		t.Skip("needs setpriv, of util-linux")
	}
	for _, c := range []struct {
		mode os.FileMode
		obey bool
	}{{0o755, true}, {0o755 | os.ModeSetuid, false}} {
		require.NoError(t, os.Chmod(program, c.mode))
		summary := filepath.Join(t.TempDir(), "summary")
		open(t, filepath.Dir(summary))
		require.NoError(t, os.Chmod(filepath.Dir(summary), 0o777))
		command := exec.Command("setpriv", "--reuid=27233", "--regid=27233", "--clear-groups", program, "run", text)
		cache := filepath.Join(filepath.Dir(summary), "cache")
		command.Env = append(cleanEnvironment(), "JACQUARD_SUMMARY="+summary, "JACQUARD_CROSSCHECK=", "LD_LIBRARY_PATH="+lib,
			cached, "CUDA_CACHE_PATH="+cache, "HOME="+filepath.Dir(summary))
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s", out)
		_, err = os.Stat(summary)
		require.Equal(t, c.obey, err == nil, fmt.Sprint(c.mode))
		_, err = os.Stat(cache)
		require.Equal(t, c.obey, err == nil, "the cache: %v", c.mode)
	}
}

// TestGoClients runs Go programs, each with a runtime of its own beside the library's.
func TestGoClients(t *testing.T) {
	if narrow() {
		t.Skip("a 32-bit Go program cannot load libraries without cgo, and the linked one is the same as here")
	}
	lib := library(t)
	include, err := filepath.Abs("include")
	require.NoError(t, err)
	for name, tags := range map[string]string{"opened": "", "linked": "linked"} {
		t.Run(name, func(t *testing.T) {
			exe := filepath.Join(t.TempDir(), "goclient")
			build := exec.Command("go", "build", "-tags", tags, "-o", exe, "./testdata/goclient")
			build.Env = append(os.Environ(), "CGO_CFLAGS=-I"+include, "CGO_LDFLAGS=-L"+lib+" -lcuda")
			out, err := build.CombinedOutput()
			require.NoError(t, err, "%s", out)
			seconds := time.Duration(max(1, *soakSeconds) * float64(time.Second))
			stdout, stderr, err := runFor(t, time.Hour, nil, exe, vecadd, seconds.String())
			require.NoError(t, err, "%s%s", stdout, stderr)
			require.Equal(t, "PASSED\n", stdout)
		})
	}
}

// TestHotKernels has kernels run as code for the host, if it can run that, when the program does
// something to its process.
func TestHotKernels(t *testing.T) {
	exe := compile(t, "hot.c", "-std=gnu99", "-msse")
	t.Run("memory goes away", func(t *testing.T) { host(t, exe, "unmapped", vecadd) })
	t.Run("forks", func(t *testing.T) { host(t, exe, "forks", vecadd) })
	for name, mode := range map[string]string{"plain": "1f80", "down": "3f80", "up": "5f80", "to zero": "7f80", "flushes": "9fc0"} {
		t.Run("floats: "+name, func(t *testing.T) { host(t, exe, "modes", vecadd, mode) })
	}
}
