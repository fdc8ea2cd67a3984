package playground

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"jacquard/asm"
	"jacquard/cubin"
	"jacquard/observe/trace"
	"jacquard/study/kerneltest"
	"jacquard/study/launch"
	"jacquard/tesla"
)

// OfTest returns the state of a build of a test. A cubin becomes assembly.
func OfTest(t *kerneltest.Test, b *kerneltest.Build) (*State, error) {
	s := &State{Policies: []string{"nvidia"}}
	one := *t
	one.Builds = []kerneltest.Build{{Arch: b.Arch, File: b.File}}
	s.Test = &one
	if b.IsText() {
		text, err := os.ReadFile(filepath.Join(t.Dir, b.File))
		s.Text = string(text)
		return s, err
	}
	img, err := t.Image(b)
	if err != nil {
		return nil, err
	}
	one.Builds[0].File = "kernel.s"
	s.Text, err = disassembled(img)
	return s, err
}

// OfImage returns the state of a launch of a kernel of img. A kernel that declares its parameters
// gets arguments if j has none: a buffer for every parameter of 8 bytes, as wide as an address,
// and zeros for the others.
func OfImage(img *cubin.Image, j *launch.Job) (*State, error) {
	text, err := disassembled(img)
	if err != nil {
		return nil, err
	}
	return ofText(text, "kernel.s", img, img.Arch, j), nil
}

// OfText returns the state of a launch of a kernel of an assembly text, or a PTX text for a device of
// an architecture, by the suffix of name. A text with mistakes has a state, too: the page shows them.
// Arguments are as OfImage makes them.
func OfText(text, name string, a tesla.Arch, j *launch.Job) *State {
	b := &kerneltest.Build{Arch: a, File: "kernel" + filepath.Ext(name)}
	img, err := b.Read([]byte(text))
	if err != nil {
		img = &cubin.Image{Arch: a}
	}
	return ofText(text, b.File, img, img.Arch, j)
}

func ofText(text, file string, img *cubin.Image, a tesla.Arch, j *launch.Job) *State {
	t := &kerneltest.Test{Name: j.Kernel, Block: j.Block, Grid: j.Grid, Shared: j.Shared, Builds: []kerneltest.Build{{Arch: a, File: file}}}
	if t.Name == "" && len(img.Kernels) > 0 {
		t.Name = img.Kernels[0].Name
	}
	if t.Name == "" {
		t.Name = "kernel"
	}
	params := j.Params
	if k := img.Kernel(t.Name); k != nil && len(params) == 0 {
		params = madeUp(k.Params, img.Pointer)
	}
	for _, p := range params {
		t.Params = append(t.Params, param(p))
	}
	for i := range t.Params {
		p := &t.Params[i]
		size := p.Size()
		p.Offset = (t.ParamBytes + size - 1) / size * size
		t.ParamBytes = p.Offset + size
	}
	return &State{Test: t, Text: text, Policies: []string{"nvidia"}}
}

// madeUp returns arguments for declared parameters.
func madeUp(declared []cubin.Param, pointer int) (params []launch.Param) {
	const bytes = 256
	for i, d := range declared {
		p := launch.Param{Name: fmt.Sprintf("arg%d", i)}
		switch {
		case d.Size == 8 && pointer == 8:
			p.Buffer = make([]byte, bytes)
		case slices.Contains([]int{1, 2, 4, 8}, d.Size):
			p.Value = make([]byte, d.Size)
		default: // a structure has several values, which the declaration does not tell
			return nil
		}
		params = append(params, p)
	}
	return params
}

// param returns a parameter as tests have it: buffers are whole words.
func param(p launch.Param) kerneltest.Param {
	if p.Buffer == nil {
		return kerneltest.Param{Name: p.Name, Value: p.Value}
	}
	words := make([]byte, (len(p.Buffer)+3)/4*4)
	copy(words, p.Buffer)
	return kerneltest.Param{Name: p.Name, Buffer: true, Init: words, Compare: kerneltest.Any}
}

// OfTrace returns the state that plays a trace.
func OfTrace(data []byte) (*State, error) {
	if _, err := trace.NewFile(bytes.NewReader(data), int64(len(data))); err != nil {
		return nil, err
	}
	return &State{Trace: base64.StdEncoding.EncodeToString(data), Policies: []string{}}, nil
}

// disassembled returns the text of an image, with labels.
func disassembled(img *cubin.Image) (string, error) {
	var text strings.Builder
	err := (&asm.Writer{Syntax: asm.Envy, Labels: true}).Write(&text, img.Arch, img)
	return text.String(), err
}
