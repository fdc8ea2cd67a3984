package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// pick takes what counts out of the output of a program.
type pick func(output string) (string, error)

// between picks what is between two words, without the rest of the first one's line.
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

// after returns the lines behind that of a word.
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

// without picks the same without a word.
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

// printsAsHost compares what the two versions of a program print.
func printsAsHost(what pick, near tolerance) proof {
	return proof{"prints what its version for the CPU prints", func(t *trial) error {
		output, _, err := t.onHost()
		if err != nil {
			return err
		}
		return compareOutputs(t.result.Output, output, what, near)
	}}
}

// printsAsWith compares what the program prints with what it prints with more arguments, which make
// it compute on the CPU.
func printsAsWith(option string, what pick, near tolerance) proof {
	return proof{"prints what it prints with `" + option + "`", func(t *trial) error {
		output, err := t.again(append([]string{option}, t.args...))
		if err != nil {
			return err
		}
		return compareOutputs(t.result.Output, output, what, near)
	}}
}

// sameOnReference compares what the program prints with what it prints on the reference engine of
// the simulator. It is no proof of the compiler, and kernels that do nothing print zero.
func sameOnReference(what pick) proof {
	return proof{"prints the same on another engine, not zero", func(t *trial) error {
		output, err := t.again(t.args, "JACQUARD_ENGINE=reference")
		if err != nil {
			return err
		}
		got, err := what(t.result.Output)
		if err != nil {
			return err
		}
		if strings.HasSuffix(strings.TrimSpace(got), "=0") {
			return fmt.Errorf("prints %s", strings.TrimSpace(got))
		}
		return compareOutputs(t.result.Output, output, what, tolerance{})
	}}
}

func compareOutputs(got, want string, what pick, near tolerance) error {
	got, err := what(got)
	if err != nil {
		return err
	}
	if want, err = what(want); err != nil {
		return fmt.Errorf("the other run %w", err)
	}
	return near.compare(got, want)
}

// writesAsHost compares files that the two versions of a program write.
func writesAsHost(name string, near tolerance) proof {
	return proof{fmt.Sprintf("`%s` as of its version for the CPU", name), func(t *trial) error {
		_, folder, err := t.onHost()
		if err != nil {
			return err
		}
		return compareFiles(filepath.Join(t.folder, name), filepath.Join(folder, name), near)
	}}
}

// writes compares a file that the program writes with one of the suite.
func writes(name, want string, near tolerance) proof {
	return proof{fmt.Sprintf("`%s` as the suite's `%s`", name, want), func(t *trial) error {
		other := filepath.Join(t.suite.folder, t.dir, want)
		return compareFiles(filepath.Join(t.folder, name), other, near)
	}}
}

func compareFiles(name, other string, near tolerance) error {
	got, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	want, err := os.ReadFile(other)
	if err != nil {
		return err
	}
	return near.compare(string(got), string(want))
}

// sameBytes compares two files of a run byte by byte.
func (t *trial) sameBytes(name, other string) error {
	got, err := os.ReadFile(filepath.Join(t.folder, name))
	if err != nil {
		return err
	}
	want, err := os.ReadFile(filepath.Join(t.folder, other))
	if err != nil {
		return err
	}
	if !bytes.Equal(got, want) {
		return fmt.Errorf("%s is not %s", name, other)
	}
	return nil
}
