package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"

	"jacquard/cubin"
)

// The places that hide changes in a fat binary of NVIDIA's compiler of 2012.
const (
	fatSection   = ".nv_fatbin"
	fatMagic     = 0xba55ed50
	fatPTX       = 1  // kind of an entry
	fatSize      = 8  // where its size is, 64 bits; the size of its header is 32 bits at 4
	fatArch      = 28 // where its architecture is, 32 bits
	hiddenTarget = 99 // no device runs code for it, and any other PTX comes first
)

// hidden writes a copy of a program to folder, whose only visible code is the PTX for one target,
// and returns its path.
func (s *setup) hidden(name, folder string) (string, error) {
	from := filepath.Join(s.release, name)
	data, err := os.ReadFile(from)
	if err != nil {
		return "", err
	}
	if err := hide(data, s.target); err != nil {
		return "", fmt.Errorf("%s: %w", from, err)
	}
	to := filepath.Join(folder, name)
	return to, os.WriteFile(to, data, 0o777)
}

// hide hides code in the fat binaries of a program.
func hide(program []byte, target int) error {
	f, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		return err
	}
	section := f.Section(fatSection)
	switch {
	case section == nil:
		return nil // a program without device code
	case section.Offset+section.Size > uint64(len(program)):
		return fmt.Errorf("section %s is cut off", fatSection)
	}
	return hideIn(program[section.Offset:section.Offset+section.Size], target)
}

// hideIn changes the architecture of all code in fat binaries except PTX for the target.
func hideIn(section []byte, target int) error {
	const aligned = 8
	le := binary.LittleEndian
	for len(section) >= aligned {
		if le.Uint32(section) != fatMagic {
			section = section[aligned:]
			continue
		}
		contents, err := cubin.Read(section)
		if err != nil {
			return err
		}
		entry := section[int(le.Uint16(section[6:])):]
		for range contents.Entries {
			if le.Uint16(entry) != fatPTX || int(le.Uint32(entry[fatArch:])) != target {
				le.PutUint32(entry[fatArch:], hiddenTarget)
			}
			entry = entry[uint64(le.Uint32(entry[4:]))+le.Uint64(entry[fatSize:]):]
		}
		section = entry
	}
	return nil
}
