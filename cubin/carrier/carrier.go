package carrier

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/binary"
	"slices"

	"jacquard/cubin"
)

// Module is one cubin or fat binary inside a file.
type Module struct {
	Contents *cubin.Contents
	Offset   int64 // bytes from the start of the file
	// Section is the ELF section that the module lies in; "" if the file is the module itself, or
	// no ELF program.
	Section string
}

// File holds the modules that Find found.
type File struct {
	Program bool     // the file is a program or library that carries the modules
	Modules []Module // in the order of the file
}

// magics are the numbers that modules inside a file begin with.
var magics = [...][]byte{
	[]byte("\x50\xed\x55\xba\x01\x00\x10\x00"), // flat container, with its version and header size
	[]byte("\x01\x5a\xe5\x1e"),                 // struct of pointers
}

// Find returns the modules in data. In a program, library, object file or archive it passes over
// bytes that only look like a module. In any other file an error is the one of [cubin.Read].
func Find(data []byte) (*File, error) {
	if !hostFile(data) {
		contents, err := cubin.Read(data)
		if err != nil {
			return nil, err
		}
		return &File{Modules: []Module{{Contents: contents}}}, nil
	}
	found := &File{Program: true}
	p := newProgram(data)
	for _, magic := range magics {
		for offset := 0; ; {
			at := bytes.Index(data[offset:], magic)
			if at < 0 {
				break
			}
			offset += at
			contents := p.module(offset)
			if contents == nil {
				offset += len(magic)
				continue
			}
			found.Modules = append(found.Modules, Module{contents, int64(offset), p.section(offset)})
			offset += max(contents.Size, len(magic))
		}
	}
	slices.SortStableFunc(found.Modules, func(a, b Module) int { return cmp.Compare(a.Offset, b.Offset) })
	return found, nil
}

// cubinMachine is the machine number of ELF cubins.
const cubinMachine = 190

// hostFile reports whether data is a file that may carry modules: a program, library, object file
// or archive.
func hostFile(data []byte) bool {
	if bytes.HasPrefix(data, []byte(elf.ELFMAG)) {
		return len(data) >= 20 && binary.LittleEndian.Uint16(data[18:]) != cubinMachine
	}
	for _, start := range []string{"!<arch>\n", "MZ", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xca\xfe\xba\xbe"} {
		if bytes.HasPrefix(data, []byte(start)) {
			return true
		}
	}
	return false
}
