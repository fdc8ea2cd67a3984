package otherdriver

import (
	"bufio"
	"debug/elf"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"

	"github.com/ebitengine/purego"
)

// deepBind is RTLD_DEEPBIND of Linux: the library finds its own symbols before the process's, which
// may have another libcuda.
const deepBind = 8

// Driver is another libcuda. Any thread may call its methods; see the package about contexts.
type Driver struct {
	path string
	api  api
}

// Open loads the library at path, which stays loaded. The error is a [*LoadError].
func Open(path string) (*Driver, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, &LoadError{path, err.Error(), err}
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, &LoadError{path, "there is no such file", err}
	}
	if !info.Mode().IsRegular() {
		return nil, &LoadError{path, "this is no file: name the library itself, as in DIR/libcuda.so.1", nil}
	}
	if why := unfit(path); why != "" {
		return nil, &LoadError{path, why, nil}
	}
	if loaded(info) {
		return nil, &LoadError{path, "this library is in use by the process already, and would be compared with itself: name another, or a copy", nil}
	}
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL|deepBind)
	if err != nil {
		return nil, &LoadError{path, unloadable(path, err), err}
	}
	d := &Driver{path: path}
	if missing := d.api.bind(handle); missing != nil {
		return nil, &LoadError{path, "lacks " + strings.Join(missing, ", ") + ": a libcuda of CUDA 4.0 or later is needed", nil}
	}
	return d, nil
}

// Path returns the library's path.
func (d *Driver) Path() string { return d.path }

// unfit returns why a file is no library for this process, or "".
func unfit(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	var start [elf.EI_CLASS + 1]byte
	if _, err := io.ReadFull(f, start[:]); err != nil || string(start[:elf.EI_CLASS]) != elf.ELFMAG {
		return "this is no library: name a libcuda, as in DIR/libcuda.so.1"
	}
	bits := map[elf.Class]int{elf.ELFCLASS32: 32, elf.ELFCLASS64: 64}[elf.Class(start[elf.EI_CLASS])]
	if bits != strconv.IntSize {
		return fmt.Sprintf("this library is for programs of %d bits, and this one has %d", bits, strconv.IntSize)
	}
	return ""
}

// unloadable explains why the system did not load a library, with a remedy if another is missing.
func unloadable(path string, err error) string {
	text := "cannot be loaded: " + strings.TrimPrefix(err.Error(), path+": ")
	if strings.Contains(text, "cannot open shared object file") {
		text += "; put the folder of that file into LD_LIBRARY_PATH"
	}
	return text
}

// loaded reports whether the process has mapped a file.
func loaded(file os.FileInfo) bool {
	stat, ok := file.Sys().(*syscall.Stat_t)
	maps, err := os.Open("/proc/self/maps")
	if !ok || err != nil {
		return false // the loader decides
	}
	defer maps.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		// address permissions offset device inode path
		fields := strings.Fields(lines.Text())
		if len(fields) < 6 || fields[4] != fmt.Sprint(stat.Ino) {
			continue
		}
		if mapped, err := os.Stat(fields[5]); err == nil && os.SameFile(mapped, file) {
			return true
		}
	}
	return false
}

// bind looks up the functions in the tags of a's fields, and returns the required ones that are
// missing.
func (a *api) bind(handle uintptr) (missing []string) {
	functions := reflect.ValueOf(a).Elem()
	for i := range functions.NumField() {
		names, optional := strings.CutSuffix(functions.Type().Field(i).Tag.Get("cuda"), ",optional")
		found := false
		for _, name := range strings.Split(names, "|") {
			if symbol, err := purego.Dlsym(handle, name); err == nil && symbol != 0 {
				purego.RegisterFunc(functions.Field(i).Addr().Interface(), symbol)
				found = true
				break
			}
		}
		if !found && !optional {
			missing = append(missing, names)
		}
	}
	return missing
}
