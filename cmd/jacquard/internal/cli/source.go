package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"jacquard/cubin"
	"jacquard/cubin/plain"
)

// sources finds the lines of source that line tables name, in the files as they are now.
type sources struct {
	files []string // of the image
	texts map[int][]string
}

func newSources(img *cubin.Image) *sources { return &sources{img.Files, map[int][]string{}} }

// line describes a line: file and number, and its text if the file is there.
func (s *sources) line(l cubin.Line) string {
	at := plain.Text(fmt.Sprintf("%s:%d", s.files[l.File], l.Line))
	if text := s.text(l); text != "" {
		at += "\t" + plain.Text(text)
	}
	return at
}

// text returns the text of a line, "" if it cannot be found.
func (s *sources) text(l cubin.Line) string {
	lines, ok := s.texts[l.File]
	if !ok {
		lines = readLines(s.files[l.File])
		s.texts[l.File] = lines
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
