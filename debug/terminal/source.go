package terminal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"jacquard/debug"
)

// lines returns the lines of a source, nil if it is not found.
func (t *Source) lines(file string) []string {
	if file == "" {
		return nil
	}
	if list, ok := t.files[file]; ok {
		return list
	}
	if t.files == nil {
		t.files = map[string][]string{}
	}
	paths := []string{file}
	for _, f := range t.Folders {
		paths = append(paths, filepath.Join(f, file), filepath.Join(f, filepath.Base(file)))
	}
	for _, p := range paths {
		if data, err := os.ReadFile(p); err == nil {
			t.files[file] = strings.Split(strings.ReplaceAll(string(data), "\t", "    "), "\n")
			return t.files[file]
		}
	}
	t.files[file] = nil
	return nil
}

// line returns a line of source, "" if it is not known.
func (t *Source) line(file string, line int) string {
	list := t.lines(file)
	if line < 1 || line > len(list) {
		return ""
	}
	return list[line-1]
}

func doDirectory(t *Terminal, r request) error {
	if r.rest == "" {
		return errors.New("want a folder")
	}
	t.Source.Folders, t.Source.files = append(t.Source.Folders, r.rest), nil
	return nil
}

// doList prints ten lines of source: around a line, or further ones.
func doList(t *Terminal, r request) error {
	const shown = 10
	first := t.Source.at.line
	switch {
	case r.rest != "":
		b, err := t.parseWhere(r.rest)
		if err != nil || b.Line == 0 {
			return errors.Join(err, errors.New("want list FILE:LINE or LINE"))
		}
		t.Source.at.file, first = b.File, b.Line-shown/2
	case t.Source.at.fresh:
		first -= shown / 2
	}
	first = max(first, 1)
	list := t.Source.lines(t.Source.at.file)
	if list == nil {
		return fmt.Errorf("no source %q: see directory", t.Source.at.file)
	}
	if first > len(list) {
		return fmt.Errorf("%s has %d lines", t.Source.at.file, len(list))
	}
	for n := first; n < first+shown && n <= len(list); n++ {
		here := t.stop != nil && t.stop.Frame.Line == n && t.stop.Frame.File == t.Source.at.file
		t.say("%s %-6d%s", mark(here), n, list[n-1])
	}
	t.Source.at.line, t.Source.at.fresh = first+shown, false
	return nil
}

// doDisassemble prints the instructions of the line, or of the kernel.
func doDisassemble(t *Terminal, r request) error {
	frames, err := t.frames()
	if err != nil {
		return err
	}
	all, err := t.target.Disassemble(0, 1<<20)
	if err != nil {
		return err
	}
	at := frames[min(t.frame, len(frames)-1)]
	for _, in := range all {
		if r.format != "" || r.rest != "" || at.Line == 0 || in.Line == at.Line && in.File == at.File {
			t.sayInstruction(&in, at.PC)
		}
	}
	return nil
}

// instructions prints instructions from a pc on.
func (t *Terminal) instructions(pc uint32, count int) error {
	all, err := t.target.Disassemble(0, 1<<20)
	if err != nil {
		return err
	}
	for _, in := range all {
		if in.PC >= pc && count > 0 {
			t.sayInstruction(&in, t.stop.Frame.PC)
			count--
		}
	}
	return nil
}

func (t *Terminal) sayInstruction(in *debug.Instruction, pc uint32) {
	sign := "  "
	if in.PC == pc {
		sign = "=>"
	}
	line := ""
	if in.Line > 0 {
		line = strconv.Itoa(in.Line)
	}
	t.say("%s 0x%04x  %-5s %s", sign, in.PC, line, in.Text)
}
