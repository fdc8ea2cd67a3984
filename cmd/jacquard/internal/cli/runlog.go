package cli

import (
	"io"
	"regexp"

	"github.com/spf13/cobra"

	"jacquard/libcuda/driver/knobs"
)

// runLog takes what the driver logs while the tool runs one kernel. What goes wrong with the
// kernel is the tool's error, so that only a user who asks for more sees these lines; but that
// a trace, statistics or a bundle broke off is in no error, and is kept to be told.
type runLog struct {
	out  io.Writer
	all  bool // pass on every line at once
	lost [][]byte
}

func newRunLog(c *cobra.Command, s knobs.Settings) *runLog {
	return &runLog{out: c.ErrOrStderr(), all: s.Log == "info"}
}

// brokeOff is a line of the driver's about a file that it could not go on writing.
var brokeOff = regexp.MustCompile("^jacquard: (trace|statistics|bundle): .*; nothing more is ")

// elsewhere is a line of the driver's about a file that has another name than it should.
var elsewhere = regexp.MustCompile("^jacquard: another process writes ")

func (l *runLog) Write(line []byte) (int, error) {
	if brokeOff.Match(line) {
		l.lost = append(l.lost, append([]byte(nil), line...))
	}
	if l.all || elsewhere.Match(line) {
		return l.out.Write(line)
	}
	return len(line), nil
}

// tell passes on which files broke off, and reports whether one did.
func (l *runLog) tell() bool {
	for _, line := range l.lost {
		if !l.all {
			l.out.Write(line)
		}
	}
	return len(l.lost) > 0
}
