package sinks

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// spoken is a log that keeps its lines.
type spoken []string

func (s *spoken) add(format string, args ...any)   { *s = append(*s, fmt.Sprintf(format, args...)) }
func (s *spoken) Error(format string, args ...any) { s.add("error: "+format, args...) }
func (s *spoken) Info(format string, args ...any)  { s.add("info: "+format, args...) }
func (s *spoken) Once(format string, args ...any)  { s.add("once: "+format, args...) }

func (s *spoken) Note(format string, args ...any) { s.add("note: "+format, args...) }
func (s *spoken) Lost(err error)                  { s.add("lost: %v", err) }

func TestOpened(t *testing.T) {
	log := new(spoken)
	opened(log, "trace: it goes to", "a", "a")
	opened(log, "trace: it goes to", "a", "a.1")
	require.Equal(t, spoken{"info: trace: it goes to a", "note: another process has a: trace: it goes to a.1"}, *log)
}
