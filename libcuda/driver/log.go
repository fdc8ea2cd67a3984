package driver

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"jacquard/internal/plain"
	"jacquard/libcuda/driver/knobs"
	"jacquard/simt/check"
)

// logger writes one line per message. A program may make the same mistake in a loop: each error is
// written once and then counted.
type logger struct {
	out   io.Writer
	level knobs.LogLevel // fixed before other threads know the driver
	noted func(Note)     // may be nil

	mu    sync.Mutex
	said  map[string]*repeated
	lines []*repeated // the values of said, in the order of their lines
}

// repeated is an error with the number of times that it came.
type repeated struct {
	line  string // "" if the number is not reported
	times int
}

// mostSaid is the number of errors that a logger remembers.
const mostSaid = 10000

// Error logs an error. If it has logged the same line before, it only counts it.
func (l *logger) Error(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if l.count(line, line) == 1 {
		l.print(knobs.LogError, "%s", line)
	}
}

func (l *logger) Info(format string, args ...any) { l.print(knobs.LogInfo, format, args...) }

// Once is Error without the count.
func (l *logger) Once(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	l.onceOf(line, line)
}

// Note is a line of the log that no call's error repeats.
type Note struct {
	Line string
	Lost bool // a trace, statistics or a bundle broke off; else it is no error
}

// Note logs news that is no error, at the level of errors.
func (l *logger) Note(format string, args ...any) { l.note(Note{Line: fmt.Sprintf(format, args...)}) }

// Lost logs once that a file broke off.
func (l *logger) Lost(err error) {
	if line := err.Error(); l.count(line, "") == 1 {
		l.note(Note{line, true})
	}
}

// note logs a note, and tells the configuration's Noted: of a loss even if nothing is logged.
func (l *logger) note(n Note) {
	n.Line = oneLine(n.Line)
	l.print(knobs.LogError, "%s", n.Line)
	if l.noted != nil && (n.Lost || l.tells(knobs.LogError)) {
		l.noted(n)
	}
}

// onceOf logs an error unless it has logged one about the same subject before.
func (l *logger) onceOf(subject, line string) {
	if l.count(subject, "") == 1 {
		l.print(knobs.LogError, "%s", line)
	}
}

// count notes that a subject came up, with the line whose repetitions are reported, and returns how
// often it has; 1 for all subjects above the most that are remembered.
func (l *logger) count(subject, line string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.said[subject]
	if r == nil {
		if len(l.lines) == mostSaid {
			return 1
		}
		if l.said == nil {
			l.said = map[string]*repeated{}
		}
		r = &repeated{line: line}
		l.said[subject], l.lines = r, append(l.lines, r)
	}
	r.times++
	return r.times
}

// end logs how often the errors came that came more than once.
func (l *logger) end() {
	l.mu.Lock()
	lines := slices.Clone(l.lines)
	l.mu.Unlock()
	for _, r := range lines {
		if r.times > 1 && r.line != "" {
			l.print(knobs.LogError, "%d times: %s", r.times, r.line)
		}
	}
}

// tells reports whether messages of a level are logged.
func (l *logger) tells(level knobs.LogLevel) bool { return level <= l.level }

// found takes in what a checker found, if the check knob asks for findings of its kind.
func (d *Driver) found(f check.Finding) { d.findings.Add(f) }

// oneLine makes a text fit for a line of the log.
func oneLine(text string) string { return plain.Text(strings.ReplaceAll(text, "\n", " ")) }

func (l *logger) print(level knobs.LogLevel, format string, args ...any) {
	if !l.tells(level) {
		return
	}
	line := oneLine(fmt.Sprintf(format, args...))
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.out, "jacquard: %s\n", line)
}
