package sanitizer

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"jacquard/toolkit/options"
)

// Run runs the tool called name: the process becomes "jacquard check", which is beside the toolkit
// that program, the path of this one, belongs to, or on PATH. Help and version go to stdout.
func Run(name, program string, args []string, stdout io.Writer) error {
	check, done, err := Arguments(name, args, stdout)
	if done || err != nil {
		return err
	}
	path := filepath.Join(filepath.Dir(program), "../../bin/jacquard")
	if _, err := os.Stat(path); err != nil {
		if path, err = exec.LookPath("jacquard"); err != nil {
			return errors.New("there is no jacquard beside the toolkit, and none on PATH: make tool builds it")
		}
	}
	return fmt.Errorf("%s: %w", path, syscall.Exec(path, append([]string{"jacquard"}, check...), os.Environ()))
}

// Arguments returns the command line of jacquard that does what the tool called name is asked for.
// done says that help or version were printed, and that nothing is left to do.
func Arguments(name string, args []string, stdout io.Writer) (check []string, done bool, err error) {
	given, program, done, err := toolOf(name).ParseLeading(args, stdout)
	if done || err != nil {
		return nil, done, err
	}
	if len(program) == 0 {
		return nil, false, errors.New("no program to run; --help lists the options")
	}
	s := settings{name: name, tool: "memcheck", api: true, notes: true, status: "0"}
	for _, g := range given {
		if err := s.take(g); err != nil {
			return nil, false, err
		}
	}
	kinds, err := s.checks()
	if err != nil {
		return nil, false, err
	}
	check = []string{"check", "--format", name, "--checks", kinds, "--error-exitcode", s.status, "--output", s.output()}
	if s.notes {
		check = append(check, "--notes")
	}
	return slices.Concat(check, s.more, []string{"--"}, program), false, nil
}

// settings is a command line that was understood.
type settings struct {
	name   string
	tool   string
	api    bool
	leaks  bool
	notes  bool
	status string
	log    string
	more   []string // options of jacquard check
}

func (s *settings) output() string {
	if s.log == "" {
		return "-"
	}
	return s.log
}

// checks returns the kinds of findings that the tool looks for.
func (s *settings) checks() (string, error) {
	switch s.tool {
	case "memcheck":
		kinds := "memory"
		if s.api {
			kinds += ",api"
		}
		if s.leaks {
			kinds += ",leak"
		}
		return kinds, nil
	case "racecheck":
		return "race", nil
	case "initcheck":
		return "init", nil
	case "synccheck":
		return "sync", nil
	}
	return "", fmt.Errorf("--tool %s: want memcheck, racecheck, initcheck or synccheck", s.tool)
}

// take takes an option in.
func (s *settings) take(g options.Given) error {
	if instead := refused[g.Name]; instead != "" {
		return fmt.Errorf("--%s: not supported: %s", g.Name, instead)
	}
	want := func(words ...string) error {
		if slices.Contains(words, g.Value) {
			return nil
		}
		return fmt.Errorf("--%s %s: want %s", g.Name, g.Value, strings.Join(words, " or "))
	}
	switch g.Name {
	case "tool":
		s.tool = g.Value
	case "leak-check":
		s.leaks = g.Value == "full"
		return want("full", "no")
	case "report-api-errors":
		s.api = g.Value != "no"
		return want("all", "extended", "explicit", "yes", "no")
	case "error-exitcode":
		s.status = g.Value
		return number(g)
	case "log-file":
		s.log = g.Value
		if strings.Contains(g.Value, "%") {
			return fmt.Errorf("--log-file %s: %% is not supported: one report has the findings of all processes", g.Value)
		}
	case "print-limit":
		s.more = append(s.more, "--limit", g.Value)
		return number(g)
	case "padding":
		s.more = append(s.more, "--padding", g.Value)
		return number(g)
	case "racecheck-report":
		return want("analysis")
	case "racecheck-detect-level":
		s.notes = strings.EqualFold(g.Value, "warn")
		return want("warn", "error", "WARN", "ERROR")
	case "suppressions":
		s.more = append(s.more, "--suppressions", g.Value)
	case "destroy-on-device-error":
		return want("context")
	case "require-cuda-init":
		return want("yes")
	case "kernel-name", "filter":
		return s.filter("--kernel", g)
	case "kernel-name-exclude":
		return s.filter("--kernel-exclude", g)
	}
	return nil
}

// number checks that a value is a number.
func number(g options.Given) error {
	if _, err := strconv.ParseUint(g.Value, 10, 32); err != nil {
		return fmt.Errorf("--%s %s: want a number", g.Name, g.Value)
	}
	return nil
}

// filter takes in kernels: names in full, parts of names, or regular expressions.
func (s *settings) filter(flag string, g options.Given) error {
	for _, part := range options.Split(g.Value) {
		key, value, ok := strings.Cut(part, "=")
		switch {
		case ok && (key == "kne" || key == "kernel_name"):
		case ok && (key == "kns" || key == "kernel_substring"):
			value = "*" + value + "*"
		case ok && key == "regex" && s.name == Sanitizer:
			value = "/" + value + "/"
		default:
			return fmt.Errorf("--%s %s: want kne=NAME or kns=PART", g.Name, part)
		}
		s.more = append(s.more, flag, value)
	}
	return nil
}

// sorted yields a map in the order of its keys.
func sorted(m map[string]string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}
