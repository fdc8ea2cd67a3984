package asm

import (
	"errors"

	"jacquard/cubin"
	"jacquard/tesla"
)

// Line prints an instruction as one line that Assemble can read.
func (s *Syntax) Line(a tesla.Arch, in tesla.Instruction) string {
	list := []line{s.line(a, in)}
	force(list, Pairs)
	return list[0].String()
}

// Assemble returns the words of one line. The error is a *SyntaxError.
func (s *Syntax) Assemble(a tesla.Arch, line string) ([]uint32, error) {
	r := source{syntax: *s, img: &cubin.Image{Arch: a, Kernels: make([]cubin.Kernel, 1)}, line: 1, labels: map[string]labelled{}}
	r.kernel = &r.img.Kernels[0]
	if err := r.read(line); err != nil {
		return nil, err
	}
	r.finish()
	return r.img.Kernels[0].Code, errors.Join(r.errs...)
}
