package jit

import (
	"bufio"
	"debug/elf"
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"
	"syscall"
)

// build identifies this build of the compiler, "" if that is not known. Another build may compile
// the same text to other code, so the cache is not used without it.
//
// Go puts a hash of everything that is linked into a note of the file. The file is the library
// that the program has loaded, or the tool.
var build = sync.OnceValue(func() string {
	file, err := own()
	if err != nil {
		return ""
	}
	defer file.Close()
	f, err := elf.NewFile(file)
	if err != nil {
		return ""
	}
	note := f.Section(".note.go.buildid")
	if note == nil {
		return ""
	}
	id, err := note.Data()
	if err != nil {
		return ""
	}
	return string(id)
})

// own opens the file that holds this code, as the system has mapped it. The file may have been
// replaced since: then there is none.
func own() (*os.File, error) {
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return nil, err
	}
	defer maps.Close()
	here := reflect.ValueOf(own).Pointer()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		var from, to uintptr
		var inode uint64
		var access, offset, device string
		line := lines.Text()
		if n, _ := fmt.Sscanf(line, "%x-%x %s %s %s %d", &from, &to, &access, &offset, &device, &inode); n != 6 || here < from || here >= to {
			continue
		}
		path := strings.Index(line, "/")
		if path < 0 {
			break
		}
		return sameFile(line[path:], inode)
	}
	return nil, os.ErrNotExist
}

// sameFile opens a file if it has the number given.
func sameFile(path string, inode uint64) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		if s, ok := info.Sys().(*syscall.Stat_t); ok && s.Ino == inode {
			return f, nil
		}
		err = os.ErrNotExist
	}
	f.Close()
	return nil, err
}
