package load

import (
	"jacquard/cubin"
	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/source"
	"jacquard/tesla"
)

// Kernel returns k with its code as a device of architecture a decodes it.
func Kernel(a tesla.Arch, k *cubin.Kernel) simt.Kernel {
	return simt.Kernel{
		Name: k.Name, Arch: a, Code: decoder.Kernel(a, k.Code),
		Registers: k.Registers, Shared: k.Shared, Local: k.Local, Source: lines(k), Debug: k.Debug,
	}
}

// lines returns what finds lines of source in the line table of k, nil if there is none.
func lines(k *cubin.Kernel) func(pc uint32) source.Line {
	if k.Lines == nil {
		return nil
	}
	return func(pc uint32) source.Line {
		l, _ := k.LineAt(pc)
		return source.Line{File: l.File, Line: l.Line}
	}
}

// Program lowers k for a device of architecture a. Errors are as for [simt.Lower].
func Program(a tesla.Arch, k *cubin.Kernel, h simt.Host) (*simt.Program, error) {
	kernel := Kernel(a, k)
	kernel.Host = h
	return simt.Lower(kernel)
}

// Fill copies segments into the banks that they name. Banks grow as needed.
func Fill(banks *[16][]byte, segments []cubin.Segment) {
	for _, s := range segments {
		b := &banks[s.Bank]
		if missing := s.Offset + s.Bytes - len(*b); missing > 0 {
			*b = append(*b, make([]byte, missing)...)
		}
		copy((*b)[s.Offset:], s.Init)
	}
}
