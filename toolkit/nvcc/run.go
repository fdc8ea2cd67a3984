package nvcc

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"jacquard/toolkit/fatbinary"
	"jacquard/toolkit/options"
	"jacquard/toolkit/ptxas"
)

// runner runs the steps of a plan.
type runner struct {
	*settings
	toolkit        Toolkit
	interruption   *interruption
	stdout, stderr io.Writer
	missing        []string // files that optional steps did not make
}

// all runs steps up to the first that fails.
func (r *runner) all(steps []step) error {
	if r.dryrun || r.show {
		r.facts()
	}
	for _, s := range steps {
		if r.dryrun || r.show {
			fmt.Fprintln(r.stderr, "#$ "+r.line(s))
		}
		if r.dryrun {
			continue
		}
		err := r.one(s)
		if found := explain(err, s.source); found != nil {
			err = found.error()
			if s.optional != "" && !found.never() {
				r.without(s, found)
				continue
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// without goes on without the missing output of a step, and says why there is no machine code.
func (r *runner) without(s step, found mistakes) {
	r.missing = append(r.missing, s.optional)
	for _, m := range found {
		fmt.Fprintf(r.stderr, "nvcc warning : no machine code, and a launch fails: %s\n", m.text)
	}
}

// facts prints lines by which CMake knows how nvcc links and which architectures it takes.
func (r *runner) facts() {
	fmt.Fprintf(r.stderr, "#$ TOP=%s\n#$ PATH=%s\n", r.toolkit.Root, os.Getenv("PATH"))
	fmt.Fprintf(r.stderr, "#$ INCLUDES=-I%s\n#$ LIBRARIES=-L%s\n", r.toolkit.include(), r.toolkit.library())
	asked := map[int]bool{}
	for _, request := range r.requests {
		if !asked[request.virtual] {
			fmt.Fprintf(r.stderr, "#$ ARCHITECTURE=-arch compute_%d\n", request.virtual)
		}
		asked[request.virtual] = true
	}
}

// line prints a step as a shell takes it.
func (r *runner) line(s step) string {
	words := []string{options.Quote(r.command(s.tool))}
	for _, a := range s.args {
		words = append(words, options.Quote(a))
	}
	return strings.Join(words, " ")
}

// command returns the program of a tool.
func (r *runner) command(tool string) string {
	if tool == "clang++" {
		return r.toolkit.Clang
	}
	return tool
}

// one runs one step. The tools of the toolkit run in this process.
func (r *runner) one(s step) error {
	switch s.tool {
	case "ptxas":
		return ptxas.Run(s.args, r.stdout, r.stderr)
	case "toolkit":
		return Step(s.args)
	case "fatbinary":
		return fatbinary.Run(slices.DeleteFunc(slices.Clone(s.args), r.absent), r.stdout)
	}
	if s.result {
		return r.program(s)
	}
	args, said := s.args, &messages{out: r.stderr}
	if s.tool == "clang++" && terminal(r.stderr) {
		args = append([]string{"-fcolor-diagnostics"}, args...)
	}
	c := exec.Command(r.command(s.tool), args...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, r.stdout, said
	if r.stdout == r.stderr { // one at a time may write
		c.Stdout = said
	}
	defer said.flush()
	return r.interruption.run(c)
}

// program runs the program that was made.
func (r *runner) program(s step) error {
	c := exec.Command(s.tool, s.args...)
	c.Stdin, c.Stdout, c.Stderr, c.Env = os.Stdin, r.stdout, r.stderr, r.toolkit.environment()
	return r.interruption.run(c)
}

// absent reports whether an argument names an image that was not made.
func (r *runner) absent(argument string) bool {
	return slices.ContainsFunc(r.missing, func(file string) bool { return strings.HasSuffix(argument, ",file="+file) })
}
