package driver

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"jacquard/cubin/plain"
	"jacquard/libcuda/driver/knobs"
)

// logger writes one line per message.
type logger struct {
	out   io.Writer
	level knobs.LogLevel // fixed before other threads know the driver

	mu   sync.Mutex
	said map[string]bool
}

func (l *logger) Error(format string, args ...any) { l.print(knobs.LogError, format, args...) }
func (l *logger) Info(format string, args ...any)  { l.print(knobs.LogInfo, format, args...) }

// Once logs an error unless it has logged the same line before.
func (l *logger) Once(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	l.onceOf(line, line)
}

// onceOf logs an error unless it has logged one about the same subject before.
func (l *logger) onceOf(subject, line string) {
	l.mu.Lock()
	known := l.said[subject]
	if l.said == nil {
		l.said = map[string]bool{}
	}
	l.said[subject] = true
	l.mu.Unlock()
	if !known {
		l.Error("%s", line)
	}
}

// tells reports whether messages of a level are logged.
func (l *logger) tells(level knobs.LogLevel) bool { return level <= l.level }

func (l *logger) print(level knobs.LogLevel, format string, args ...any) {
	if !l.tells(level) {
		return
	}
	line := plain.Text(strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " "))
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.out, "jacquard: %s\n", line)
}
