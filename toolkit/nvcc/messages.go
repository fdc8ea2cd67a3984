package nvcc

import (
	"bytes"
	"io"
	"os"
	"regexp"
)

// messages passes on clang's messages. It drops the target from the count of errors, as the user
// asked for no target.
type messages struct {
	out  io.Writer
	line []byte // begun
}

var compiledFor = regexp.MustCompile(`( generated) when compiling for (host|sm_\d+)(\.\s*)$`)

// Write passes on whole lines.
func (m *messages) Write(text []byte) (int, error) {
	m.line = append(m.line, text...)
	for {
		end := bytes.IndexByte(m.line, '\n')
		if end < 0 {
			return len(text), nil
		}
		line := m.line[:end+1]
		m.line = m.line[end+1:]
		if _, err := m.out.Write(compiledFor.ReplaceAll(line, []byte("$1$3"))); err != nil {
			return 0, err
		}
	}
}

// flush passes on what has no end of a line.
func (m *messages) flush() {
	m.out.Write(m.line)
	m.line = nil
}

// terminal reports whether the output goes to a terminal. If so, nvcc tells clang, which writes
// into a pipe, to use colors.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}
