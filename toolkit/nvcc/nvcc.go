package nvcc

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Run runs nvcc with arguments. The steps' own output goes to stdout and stderr. The error is an
// [*exec.ExitError] if a program failed that has said why itself.
func Run(t Toolkit, args []string, stdout, stderr io.Writer) error {
	given, done, err := tool.Parse(args, stdout)
	if done || err != nil {
		return err
	}
	s, err := parse(given)
	if err != nil {
		return err
	}
	for _, text := range s.warnings {
		fmt.Fprintln(stderr, "nvcc warning : "+text)
	}
	if s.clang != "" {
		t.Clang = t.chosen(s.clang)
	}
	if t.Clang == "" {
		return fmt.Errorf("no clang++ is chosen: run make toolkit, or set %s", clangVariable)
	}
	scratch, remove, err := s.scratch()
	if err != nil {
		return err
	}
	defer remove()
	i := interruptible(remove)
	defer i.stop()
	steps, err := s.plan(t, scratch)
	if err != nil {
		return err
	}
	r := &runner{settings: s, toolkit: t, interruption: i, stdout: stdout, stderr: stderr}
	return r.all(steps)
}

// Step runs a step that no other tool has, under the name by which -dryrun prints it.
func Step(args []string) error {
	switch {
	case len(args) == 3 && args[0] == "relax":
		return Relax(args[1], args[2], false)
	case len(args) == 4 && args[0] == "relax" && args[1] == relaxRoots:
		return Relax(args[2], args[3], true)
	case len(args) == 3 && args[0] == locksStep:
		return Locks(args[1], args[2])
	case len(args) > 2 && args[0] == "respell":
		return Respell(args[1], args[2:])
	}
	return fmt.Errorf("%q is no step: want locks FROM.ll TO.ll, relax [-roots] FROM.ll TO.ll, or respell OVERLAY FILES", args)
}

// scratch returns the folder of files between the steps, and what removes it.
func (s *settings) scratch() (folder string, done func(), err error) {
	switch {
	case s.keep:
		return s.keepFolder, func() {}, nil
	case s.dryrun:
		return filepath.Join(os.TempDir(), "nvcc"), func() {}, nil
	}
	folder, err = os.MkdirTemp("", "nvcc-")
	return folder, func() { os.RemoveAll(folder) }, err
}
