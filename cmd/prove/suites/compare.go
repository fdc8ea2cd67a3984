package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// pick selects the compared part of a program's output.
type pick func(output string) (string, error)

// between picks the text between two words, without the rest of the first word's line.
func between(from, to string) pick {
	return func(output string) (string, error) {
		rest, err := after(output, from)
		if err != nil {
			return "", err
		}
		text, _, ok := strings.Cut(rest, to)
		if !ok {
			return "", fmt.Errorf("does not print %q", to)
		}
		return text, nil
	}
}

// after returns the lines behind the line of a word.
func after(output, word string) (string, error) {
	_, rest, ok := strings.Cut(output, word)
	if !ok {
		return "", fmt.Errorf("does not print %q", word)
	}
	_, rest, _ = strings.Cut(rest, "\n")
	return rest, nil
}

// lastLine picks the last line.
func lastLine(output string) (string, error) {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	return lines[len(lines)-1], nil
}

// without removes a word from the output.
func without(word string, from pick) pick {
	return func(output string) (string, error) { return from(strings.Replace(output, word, "", 1)) }
}

// sortedLines picks the lines that have a word, sorted, each without some words.
func sortedLines(word string, drop ...string) pick {
	return func(output string) (string, error) {
		var lines []string
		for line := range strings.Lines(output) {
			if strings.Contains(line, word) {
				for _, d := range drop {
					line = strings.ReplaceAll(line, d, "")
				}
				lines = append(lines, line)
			}
		}
		slices.Sort(lines)
		return strings.Join(lines, "\n"), nil
	}
}

// matches picks the lines of MUMmer: names of queries behind ">", and matches, which are numbers.
func matches(output string) (string, error) {
	var lines []string
	for line := range strings.Lines(output) {
		if strings.HasPrefix(line, ">") || strings.Trim(line, "0123456789 \t\n") == "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, ""), nil
}

// source returns the compared text of a run: a part of the output, or a file.
type source func(*trial) (string, error)

func printed(what pick) source {
	return func(t *trial) (string, error) { return what(t.result.Output) }
}

func file(name string) source {
	return func(t *trial) (string, error) {
		text, err := os.ReadFile(filepath.Join(t.folder, name))
		return string(text), err
	}
}

// onHost returns the compared text of the version for the CPU.
func onHost(what source) source {
	return func(t *trial) (string, error) {
		h, err := t.onHost()
		if err != nil {
			return "", fmt.Errorf("the version for the CPU: %w", err)
		}
		return ofOther(what(h))
	}
}

// onceMore returns the compared text of another run in the same folder, with more arguments in
// front and more environment.
func onceMore(what source, arguments, env []string) source {
	return func(t *trial) (string, error) {
		other := *t
		var err error
		if other.result, err = t.again(slices.Concat(arguments, t.args), env...); err != nil {
			return "", err
		}
		return ofOther(what(&other))
	}
}

func ofOther(text string, err error) (string, error) {
	if err != nil {
		err = fmt.Errorf("the other run %w", err)
	}
	return text, err
}

// like requires two texts that are equal up to a tolerance.
func (t tolerance) like(got, want source) func(*trial) error {
	return func(run *trial) error {
		g, err := got(run)
		if err != nil {
			return err
		}
		w, err := want(run)
		if err != nil {
			return err
		}
		return t.compare(g, w)
	}
}

// printsAsHost compares the outputs of the two versions of a program.
func printsAsHost(what pick, near tolerance) proof {
	return proof{"prints what its version for the CPU prints", near.like(printed(what), onHost(printed(what)))}
}

// printsAsWith compares the program's output with the output under one more option, which makes the
// program compute on the CPU.
func printsAsWith(option string, what pick, near tolerance) proof {
	other := onceMore(printed(what), []string{option}, nil)
	return proof{"prints what it prints with `" + option + "`", near.like(printed(what), other)}
}

// sameOnReference compares the program's output with the output on the simulator's reference
// engine. That comparison does not prove the compiler. With kernels that do nothing the program
// prints zero.
func sameOnReference(what pick) proof {
	got := func(t *trial) (string, error) {
		text, err := what(t.result.Output)
		if shown := strings.TrimSpace(text); strings.HasSuffix(shown, "=0") {
			err = fmt.Errorf("prints %s", shown)
		}
		return text, err
	}
	other := onceMore(printed(what), nil, []string{"JACQUARD_ENGINE=reference"})
	return proof{"prints the same on another engine, not zero", tolerance{}.like(got, other)}
}

// writesAsHost compares files that the two versions of a program write.
func writesAsHost(name string, near tolerance) proof {
	return proof{fmt.Sprintf("`%s` as of its version for the CPU", name), near.like(file(name), onHost(file(name)))}
}

// writes compares a file that the program writes with a file of the suite.
func writes(name, want string, near tolerance) proof {
	ofSuite := func(t *trial) (string, error) {
		text, err := os.ReadFile(filepath.Join(t.suite.folder, t.dir, want))
		return string(text), err
	}
	return proof{fmt.Sprintf("`%s` as the suite's `%s`", name, want), near.like(file(name), ofSuite)}
}
