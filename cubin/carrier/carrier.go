package carrier

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"jacquard/cubin"
)

// Module is one cubin or fat binary inside a file.
type Module struct {
	Contents *cubin.Contents
	Offset   int64 // bytes from the start of the file
	// Section is the section that the module lies in; "" if the file is the module itself, or has no
	// sections.
	Section string
	Member  string // of the archive that the module lies in; "" outside of archives
	Pointer int    // bytes of an address in the host code around the module; 0 if not known
}

// File holds the modules that Find found.
type File struct {
	Program bool     // the file is a program, library, object file or archive that carries the modules
	Kind    string   // of such a file, in words; otherwise the kind of the module
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
	if bytes.HasPrefix(data, []byte(thinMagic)) {
		return nil, ErrThin
	}
	kind := kindOf(data)
	if kind == notHost {
		contents, err := cubin.Read(data)
		if err != nil {
			return nil, err
		}
		return &File{Kind: contents.Container.String(), Modules: []Module{{Contents: contents}}}, nil
	}
	found := &File{Program: true, Kind: kind.String()}
	reading := &allowance{left: 32*int64(len(data)) + 64<<20} // a struct of 1 KiB takes nine reads of a page
	members := membersOf(data, kind)
	if len(members) == 0 { // or it is a broken archive
		found.Modules = search(data, kind, reading)
	}
	for _, m := range members {
		for _, module := range inMember(m.data, reading) {
			module.Member = m.name
			module.Offset += int64(m.offset)
			found.Modules = append(found.Modules, module)
		}
	}
	slices.SortStableFunc(found.Modules, func(a, b Module) int { return cmp.Compare(a.Offset, b.Offset) })
	return found, nil
}

// inMember returns the modules in a member of an archive. A member may be a module itself.
func inMember(data []byte, reading *allowance) []Module {
	kind := kindOf(data)
	if kind != notHost {
		return search(data, kind, reading)
	}
	contents, err := cubin.Read(data)
	if err != nil || len(contents.Entries) == 0 {
		return nil
	}
	return []Module{{Contents: contents}}
}

// search returns the modules in a host file.
func search(data []byte, kind hostKind, reading *allowance) (found []Module) {
	l := layOut(data, kind)
	for _, magic := range magics {
		for offset := 0; ; {
			at := bytes.Index(data[offset:], magic)
			if at < 0 {
				break
			}
			offset += at
			contents := l.module(offset, reading)
			if contents == nil {
				offset += len(magic)
				continue
			}
			found = append(found, Module{Contents: contents, Offset: int64(offset), Section: l.section(offset, reading), Pointer: l.word})
			offset += max(contents.Size, len(magic))
		}
	}
	return found
}

// hostKind is a kind of file that may carry modules.
type hostKind int

const (
	notHost hostKind = iota
	archive
	elfFile
	elfObject
	peFile
	coffObject
	otherFile // of macOS: only flat containers are found
)

// String returns the kind in words.
func (k hostKind) String() string {
	return [...]string{"module", "archive", "program", "object file", "Windows program", "Windows object file", "program"}[k]
}

const (
	cubinMachine = 190 // the machine number of ELF cubins
	relocatable  = 1   // the type of ELF object files
)

// kindOf tells what kind of host file data is, judged by its headers alone.
func kindOf(data []byte) hostKind {
	switch starts := func(s string) bool { return bytes.HasPrefix(data, []byte(s)) }; {
	case starts(archiveMagic):
		return archive
	case starts("\x7fELF"):
		switch {
		case len(data) < 20 || binary.LittleEndian.Uint16(data[18:]) == cubinMachine:
			return notHost
		case binary.LittleEndian.Uint16(data[16:]) == relocatable:
			return elfObject
		}
		return elfFile
	case starts("MZ"):
		return peFile
	case starts("\xcf\xfa\xed\xfe"), starts("\xce\xfa\xed\xfe"), starts("\xca\xfe\xba\xbe"):
		return otherFile
	case isCOFF(data):
		return coffObject
	}
	return notHost
}

// layOut lays a host file out. A defect in it only means that fewer modules are found.
func layOut(data []byte, kind hostKind) *layout {
	l := &layout{data: data, room: 2*len(data) + 1<<16, records: len(data)/8 + 1<<10}
	switch kind {
	case elfFile, elfObject:
		l.layELF()
	case peFile:
		l.layPE()
	case coffObject:
		l.layCOFF()
	}
	return l
}
