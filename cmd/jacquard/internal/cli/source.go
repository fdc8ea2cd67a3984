package cli

import (
	"io"
	"os"
	"strings"

	"jacquard/cubin"
	"jacquard/internal/plain"
	"jacquard/simt/source"
)

// sources finds the lines of source that line tables name: files as they are now, by path.
type sources map[string][]string

// line describes a line: file and number, and its text if the file is there.
func (s sources) line(l cubin.Line) string {
	at := plain.Text(l.String())
	if text := s.text(source.Line{File: l.File, Line: l.Line}); text != "" {
		at += "\t" + plain.Text(text)
	}
	return at
}

// text returns the text of a line, "" if it cannot be found.
func (s sources) text(l source.Line) string {
	lines, ok := s[l.File]
	if !ok {
		lines = readLines(l.File)
		s[l.File] = lines
	}
	if l.Line < 1 || l.Line > len(lines) {
		return ""
	}
	return strings.TrimSpace(strings.ReplaceAll(lines[l.Line-1], "\t", " "))
}

// readLines returns the lines of the file at path; nil if it is no regular file of source's size.
func readLines(path string) []string {
	const most = 16 << 20
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return nil
	}
	return strings.Split(string(text), "\n")
}
