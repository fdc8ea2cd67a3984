package nvcc

import (
	"bytes"
	"io"
	"os"
	"regexp"
)

// messages passes on what clang says, but for the target of its count of errors: the user has asked
// for no such target, and the file is one.
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

// terminal reports whether a person reads what is written: clang, which writes into a pipe, is then
// told to use colors as it would by itself.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}
