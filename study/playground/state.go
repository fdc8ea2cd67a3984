package playground

import (
	"encoding/base64"
	"errors"
	"fmt"
	"path/filepath"

	"jacquard/cubin"
	"jacquard/study/kerneltest"
	"jacquard/study/launch"
)

// MostPolicies is how many policies run side by side.
const MostPolicies = 4

// State is the content of a page, and of a link to it.
type State struct {
	Test     *kerneltest.Test `json:"test"` // with one build, whose file is Text
	Text     string           `json:"text"`
	Device   string           `json:"device,omitempty"` // a word of the device knob; "" for one of the build's architecture
	Policies []string         `json:"policies"`
	// Limit ends a launch after so many warp-instructions; 0 never does.
	Limit uint64 `json:"limit,omitempty"`
	// Steps is how many steps of each policy are played.
	Steps int `json:"steps,omitempty"`
	// Checks has runs look for mistakes of the kernel.
	Checks bool `json:"checks,omitempty"`
	// Trace is a file to play instead of a run, in base64; "" for none.
	Trace string `json:"trace,omitempty"`
}

// Problem is a mistake in the text. Lines and columns count from 1; 0 is unknown.
type Problem struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// Kernel is the kernel that the text became.
type Kernel struct {
	Name      string  `json:"name"`
	Arch      string  `json:"arch"`
	Registers int     `json:"registers"`
	Shared    int     `json:"shared"`
	Local     int     `json:"local"`
	Code      []Line  `json:"code"`
	Params    []Param `json:"params"` // null if the text does not declare them
	Pointer   int     `json:"pointer"`
}

// Param is a parameter that a kernel declares.
type Param struct {
	Offset int `json:"offset"`
	Size   int `json:"size"`
}

// Line is an instruction.
type Line struct {
	PC   string `json:"pc"`
	Text string `json:"text"`
	Line int    `json:"line"` // of the text; 0 if unknown
}

// build returns the only build of the test.
func (s *State) build() (*kerneltest.Build, error) {
	switch {
	case s.Test == nil:
		return nil, errors.New("there is no kernel to run")
	case len(s.Test.Builds) != 1:
		return nil, fmt.Errorf("a page has one build, and the test has %d", len(s.Test.Builds))
	}
	return &s.Test.Builds[0], nil
}

// job returns the launch, and the image of its kernel.
func (s *State) job() (*launch.Job, *cubin.Image, error) {
	b, err := s.build()
	if err != nil {
		return nil, nil, err
	}
	data, err := s.Test.Make(b, []byte(s.Text))
	if err != nil {
		return nil, nil, err
	}
	img, err := cubin.Parse(data)
	if err != nil {
		return nil, nil, err
	}
	j, err := launch.OfImage(s.Test, b, data)
	if err == nil && filepath.Ext(b.File) == ".ptx" {
		err = withPTX(j, s.Text)
	}
	return j, img, err
}

// withPTX adds the text that the image of j was made of, to be compiled again for a block that the
// image does not fit.
func withPTX(j *launch.Job, text string) error {
	code, err := cubin.Read(j.Image)
	if err != nil {
		return err
	}
	source, err := cubin.Read([]byte(text))
	if err != nil {
		return err
	}
	j.Images, j.PTX = code.Entries, source.Entries
	return nil
}

// bytes returns the trace's file.
func (s *State) bytes() ([]byte, error) { return base64.StdEncoding.DecodeString(s.Trace) }
