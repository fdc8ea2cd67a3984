package nvcc

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Toolkit is where the parts of the toolkit are.
type Toolkit struct {
	Root  string // has bin, include, lib64 and nvvm
	Clang string // clang++
}

// clangVariable is the environment variable that names another clang++.
const clangVariable = "JACQUARD_CLANG"

// profile is the file beside nvcc that names clang++, which "make toolkit" found.
const profile = "nvcc.profile"

// Find returns the toolkit that a program in its folder bin belongs to. Clang is "" if none is
// chosen.
func Find(program string) (Toolkit, error) {
	bin := filepath.Dir(program)
	t := Toolkit{Root: filepath.Dir(bin), Clang: os.Getenv(clangVariable)}
	if t.Clang != "" {
		return t, nil
	}
	text, err := os.ReadFile(filepath.Join(bin, profile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return t, err
	}
	for line := range bytes.Lines(text) {
		if name, value, ok := strings.Cut(string(line), "="); ok && strings.TrimSpace(name) == "CLANG" {
			t.Clang = strings.TrimSpace(value)
		}
	}
	return t, nil
}

// Clang returns the clang++ for code that needs no toolkit: the one that the environment names, or
// clang++-19, or clang++.
func Clang() (string, error) {
	if named := os.Getenv(clangVariable); named != "" {
		return exec.LookPath(named)
	}
	path, err := exec.LookPath("clang++-19")
	if err != nil {
		path, err = exec.LookPath("clang++")
	}
	return path, err
}

// libdevice returns the mathematics of devices, as bitcode.
func (t Toolkit) libdevice() string {
	return filepath.Join(t.Root, "nvvm", "libdevice", "libdevice.10.bc")
}

// linked are the options that link libdevice. Clang finds it without options for sm_30 and later
// only.
func (t Toolkit) linked() []string {
	return []string{"-nocudalib", "-Xclang", "-mlink-builtin-bitcode", "-Xclang", t.libdevice()}
}

// include and library return the folders of headers and of libraries.
func (t Toolkit) include() string { return filepath.Join(t.Root, "include") }
func (t Toolkit) library() string { return filepath.Join(t.Root, "lib64") }

// environment returns the environment of a program that finds the driver and the runtime library.
func (t Toolkit) environment() []string {
	const variable = "LD_LIBRARY_PATH"
	path := t.library()
	if driver, err := filepath.EvalSymlinks(filepath.Join(t.library(), "libcuda.so")); err == nil {
		path = filepath.Dir(driver) + string(filepath.ListSeparator) + path
	}
	if old := os.Getenv(variable); old != "" {
		path += string(filepath.ListSeparator) + old
	}
	return append(os.Environ(), variable+"="+path)
}

// chosen returns the clang++ of -ccbin: the file itself, or the one in a folder. Another compiler
// does not count, as it cannot compile CUDA.
func (t Toolkit) chosen(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, "clang++")
		if _, err := os.Stat(path); err != nil {
			return t.Clang
		}
	}
	if strings.HasPrefix(filepath.Base(path), "clang") {
		return path
	}
	return t.Clang
}
