package playground

import (
	"errors"
	"fmt"

	"jacquard/asm"
	"jacquard/cubin"
	"jacquard/observe/stats"
	"jacquard/ptx"
	"jacquard/simt"
	"jacquard/simt/load"
)

// Checked is the outcome of a check.
type Checked struct {
	Problems []Problem `json:"problems"`
	Kernels  []string  `json:"kernels"` // of the text
	Kernel   *Kernel   `json:"kernel"`  // null if there is a problem
}

// Check assembles or compiles the text. A text without mistakes may still be no kernel of the test:
// that is a problem without a line.
func (s *State) Check() *Checked {
	c := &Checked{Problems: []Problem{}, Kernels: []string{}}
	_, img, err := s.job()
	if img == nil && err == nil {
		err = errors.New("the text is empty")
	}
	if err != nil {
		c.Problems = problems(err)
		c.Kernels = s.kernels()
		return c
	}
	c.Kernels = names(img)
	k := img.Kernel(s.Test.Name)
	c.Kernel, err = describe(img, k)
	if err != nil {
		c.Problems = problems(err)
	}
	return c
}

// kernels returns the names of the kernels in an assembly or PTX text that is no build of the test.
func (s *State) kernels() []string {
	b, err := s.build()
	if err != nil {
		return []string{}
	}
	img, err := b.Read([]byte(s.Text))
	if err != nil {
		return []string{}
	}
	return names(img)
}

func names(img *cubin.Image) []string {
	list := []string{}
	for i := range img.Kernels {
		list = append(list, img.Kernels[i].Name)
	}
	return list
}

// problems lists the mistakes that an error joins.
func problems(err error) []Problem {
	var several interface{ Unwrap() []error }
	if errors.As(err, &several) {
		var list []Problem
		for _, e := range several.Unwrap() {
			list = append(list, problems(e)...)
		}
		return list
	}
	if e := new(asm.SyntaxError); errors.As(err, &e) {
		return []Problem{{e.Line, e.Column, e.Message}}
	}
	if e := new(ptx.Error); errors.As(err, &e) {
		return []Problem{{e.Pos.Line, e.Pos.Column, e.Message}}
	}
	return []Problem{{Message: err.Error()}}
}

// describe lists the code of a kernel as the image's architecture decodes it.
func describe(img *cubin.Image, k *cubin.Kernel) (*Kernel, error) {
	p, err := load.Program(img.Arch, k, simt.Host{})
	if err != nil {
		return nil, err
	}
	d := stats.Describe(&p.Kernel)
	out := &Kernel{Name: k.Name, Arch: img.Arch.String(), Registers: k.Registers, Shared: k.Shared, Local: k.Local, Code: lines(d), Pointer: img.Pointer}
	if k.Params != nil {
		out.Params = []Param{}
	}
	for _, p := range k.Params {
		out.Params = append(out.Params, Param{p.Offset, p.Size})
	}
	return out, nil
}

// lines lists the instructions of a kernel.
func lines(k *stats.Kernel) []Line {
	var list []Line
	for i := range k.Code {
		list = append(list, Line{fmt.Sprintf("%04x", k.PCs[i]), k.Code[i].String(), k.Source.At(i).Line})
	}
	return list
}
