package ptxas

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"jacquard/cubin"
	"jacquard/ptx/jit"
	"jacquard/tesla"
)

// Error lists the mistakes of PTX, one line each, mostly "file:line:column: message".
type Error struct{ Lines []string }

// Error puts the name of the tool before each line, as users of NVIDIA's know it.
func (e *Error) Error() string {
	return "ptxas fatal   : " + strings.Join(e.Lines, "\nptxas fatal   : ")
}

// Run runs ptxas with arguments. Reports go to stderr and the help to stdout. The error is an
// [*Error] for mistakes in the PTX.
func Run(args []string, stdout, stderr io.Writer) error {
	given, done, err := tool.Parse(args, stdout)
	if done || err != nil {
		return err
	}
	s, err := parse(given)
	if err != nil {
		return err
	}
	return s.compile(stderr)
}

func (s *settings) compile(stderr io.Writer) error {
	text, err := os.ReadFile(s.input)
	if err != nil {
		return err
	}
	if s.arch < tesla.SM13 {
		var demoted bool
		if text, demoted = demote(text); demoted {
			fmt.Fprintf(stderr, "ptxas warning : %s has no double precision: demoted to float in %s\n", s.arch, s.input)
		}
	}
	o := jit.Options{Arch: s.arch, MaxRegisters: s.registers, Lines: s.lines}
	code, err := new(jit.Compiler).Compile(o, jit.Source{Name: s.input, Text: text})
	var mistakes *jit.Error
	if errors.As(err, &mistakes) {
		return &Error{mistakes.Lines}
	}
	if err != nil {
		return err
	}
	if s.verbose {
		for _, line := range jit.Report(code.Image) {
			fmt.Fprintln(stderr, line)
		}
	}
	file, err := s.record(code)
	if err != nil {
		return err
	}
	return os.WriteFile(s.output, file, 0o666)
}

// record returns the cubin with the architecture that the source was compiled for.
func (s *settings) record(code *jit.Code) ([]byte, error) {
	if s.virtual == 0 || s.virtual == code.Image.Target() {
		return code.Cubin, nil
	}
	image := *code.Image
	image.Virtual = s.virtual
	return cubin.FormatELF(&image)
}
