package driver

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"jacquard/cubin/plain"
)

// logLevel says how much is logged; the values are in the order of the log knob's.
type logLevel int

const (
	logOff logLevel = iota
	logError
	logInfo
)

// logger writes one line a message.
type logger struct {
	out   io.Writer
	level logLevel // fixed before other threads know the driver

	mu   sync.Mutex
	said map[string]bool
}

func (l *logger) error(format string, args ...any) { l.print(logError, format, args...) }
func (l *logger) info(format string, args ...any)  { l.print(logInfo, format, args...) }

// once logs an error unless the same line has been logged by once before.
func (l *logger) once(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	l.onceOf(line, line)
}

// onceOf logs an error unless one with the same subject has been logged by onceOf before.
func (l *logger) onceOf(subject, line string) {
	l.mu.Lock()
	known := l.said[subject]
	if l.said == nil {
		l.said = map[string]bool{}
	}
	l.said[subject] = true
	l.mu.Unlock()
	if !known {
		l.error("%s", line)
	}
}

// writes logs that something, as said in words, goes to a file. That it is not the file that was
// asked for, because another process has that, is worth a line whatever the level.
func (d *Driver) writes(what, asked, path string) {
	if path == asked {
		d.log.info("%s %s", what, path)
		return
	}
	d.log.error("another process writes %s: %s %s", asked, what, path)
}

func (l *logger) print(level logLevel, format string, args ...any) {
	if level > l.level {
		return
	}
	line := plain.Text(strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " "))
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.out, "jacquard: %s\n", line)
}
