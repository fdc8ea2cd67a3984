package callers

import (
	"bufio"
	"bytes"
	"os"
	"strconv"
	"strings"
)

// mapping is a part of the process's memory.
type mapping struct {
	first, end uintptr // the end is behind the last byte
	offset     uint64  // of the first byte in the file
	path       string  // of the file; "" if there is none
	code       bool
	readable   bool
}

// mappings reads the map of the process's memory. It is empty where the system has none to read.
func mappings() (list []mapping) {
	text, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return nil
	}
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		if m, ok := parseMapping(s.Text()); ok {
			list = append(list, m)
		}
	}
	return list
}

// parseMapping reads a line: first-end permissions offset device inode path.
func parseMapping(line string) (m mapping, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 5 {
		return m, false
	}
	from, to, _ := strings.Cut(fields[0], "-")
	first, err1 := strconv.ParseUint(from, 16, 64)
	end, err2 := strconv.ParseUint(to, 16, 64)
	offset, err3 := strconv.ParseUint(fields[2], 16, 64)
	if err1 != nil || err2 != nil || err3 != nil {
		return m, false
	}
	m = mapping{first: uintptr(first), end: uintptr(end), offset: offset}
	m.readable, m.code = strings.HasPrefix(fields[1], "r"), strings.Contains(fields[1], "x")
	if at := strings.IndexByte(line, '/'); at >= 0 {
		m.path = line[at:]
	}
	return m, true
}

// Readable reports whether the process has memory at an address.
func Readable(at uintptr) bool {
	for _, m := range mappings() {
		if at >= m.first && at < m.end {
			return m.readable
		}
	}
	return false
}

// find returns the mapping of code that holds pc.
func (p *Process) find(pc uintptr) (mapping, bool) {
	for fresh := false; ; fresh = true {
		for _, m := range p.maps {
			if pc >= m.first && pc < m.end && m.code {
				return m, true
			}
		}
		if fresh {
			return mapping{}, false
		}
		p.maps = mappings()
	}
}

// file returns what is known of a file of code.
func (p *Process) file(path string) *file {
	f := p.files[path]
	if f == nil {
		f = open(path)
		if p.files == nil {
			p.files = map[string]*file{}
		}
		p.files[path] = f
	}
	return f
}
