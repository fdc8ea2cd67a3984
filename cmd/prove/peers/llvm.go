package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// llvm translates the .ll files of a checkout of LLVM with llc and compiles the PTX. Files that llc
// does not translate are left out: such files test llc's errors, or later releases.
func llvm(ctx context.Context, llc, folder string) (all []outcome, err error) {
	folder = filepath.Join(folder, "llvm", "test", "CodeGen", "NVPTX")
	paths, err := filesOf(folder, ".ll")
	if err != nil {
		return nil, err
	}
	if llc, err = exec.LookPath(llc); err != nil {
		return nil, err
	}
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		text, ok := translated(ctx, llc, source)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if ok {
			all = append(all, tried(filepath.Base(path), text, true))
		}
	}
	return all, nil
}

// translated returns the PTX that llc makes of a source by its first RUN line for llc.
func translated(ctx context.Context, llc string, source []byte) ([]byte, bool) {
	options, ok := options(string(source))
	if !ok {
		return nil, false
	}
	cmd := exec.CommandContext(ctx, llc, options...)
	cmd.Stdin = bytes.NewReader(source)
	out, err := cmd.Output()
	return out, err == nil && bytes.Contains(out, []byte(".target"))
}

// options returns the options of the first RUN line that runs only llc and expects success.
func options(source string) ([]string, bool) {
	for _, line := range runLines(source) {
		command, _, _ := strings.Cut(line, "|")
		words := strings.Fields(command)
		if len(words) == 0 || words[0] != "llc" {
			continue
		}
		return plainOptions(words[1:]), true
	}
	return nil, false
}

// runLines returns the commands of a test. A line that ends with \ goes on in the next line.
func runLines(source string) (all []string) {
	open := false
	for line := range strings.Lines(source) {
		_, command, ok := strings.Cut(line, "RUN:")
		if !ok {
			continue
		}
		command = strings.TrimSpace(command)
		command, more := strings.CutSuffix(command, "\\")
		if open {
			all[len(all)-1] += " " + command
		} else {
			all = append(all, command)
		}
		open = more
	}
	return all
}

// plainOptions drops the redirections and the outputs: the source comes from standard input, the
// text goes to standard output.
func plainOptions(words []string) (kept []string) {
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "<" || w == ">" || w == "-o" || w == "2>":
			i++
		case w == "%s" || w == "2>&1" || strings.HasPrefix(w, ">") || strings.HasPrefix(w, "<"):
		default:
			kept = append(kept, strings.Trim(w, `"'`))
		}
	}
	return append(kept, "-o", "-")
}
