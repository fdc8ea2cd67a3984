package cli

import (
	"fmt"
	"os"
	"sync"

	"jacquard/internal/plain"
)

// status is a line on a terminal that says how far a long command is. While the tool alone writes to
// the terminal, the line stands where the cursor is, and goes before anything else is written. While
// a program that the tool runs writes there too, the line stands in the last row, apart from the rows
// that scroll: whatever the program writes stays as it is. The zero status draws nothing.
type status struct {
	terminal *os.File // nil: there is none

	mu    sync.Mutex
	drawn string // "" for none
	apart int    // rows of the terminal whose last one is set apart; 0 for none
}

// newStatus returns the status line of a terminal: one that is in the foreground and can move its
// cursor.
func newStatus(f *os.File) *status {
	if term := os.Getenv("TERM"); f == nil || term == "" || term == "dumb" {
		return &status{}
	}
	return &status{terminal: f}
}

// Sequences of VT100 and all that followed. They leave the cursor where it was.
const (
	eraseLine   = "\r\x1b[K"
	roomBelow   = "\x1bD\x1b[A"          // scrolls if the cursor is in the last row
	scrollFirst = "\x1b7\x1b[1;%dr\x1b8" // only the first rows scroll
	scrollAll   = "\x1b7\x1b[r\x1b8"
	inRow       = "\x1b7\x1b[%d;1H\x1b[K%s\x1b8"
)

// show replaces the text, "" removes it. apart sets the last row apart for it, until it is removed.
func (s *status) show(text string, apart bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.terminal == nil || text == "" && s.drawn == "" || text != "" && !ours(s.terminal) {
		return
	}
	rows, columns := sizeOf(s.terminal)
	shown := []rune(plain.Text(text))
	if columns > 0 {
		shown = shown[:min(len(shown), columns-1)]
	}
	if string(shown) == s.drawn && (!apart || rows == s.apart) {
		return
	}
	const leastRows = 3
	switch {
	case text == "":
		s.remove()
	case apart && rows >= leastRows:
		s.inLastRow(string(shown), rows)
	case !apart:
		fmt.Fprint(s.terminal, eraseLine+string(shown)+"\r") // an echo of the keyboard goes with the line
	}
	s.drawn = string(shown)
}

// inLastRow draws the text in the last of the terminal's rows.
func (s *status) inLastRow(text string, rows int) {
	before := ""
	if s.apart == 0 {
		before = roomBelow
	}
	if s.apart != rows {
		before += fmt.Sprintf(scrollFirst, rows-1)
		s.apart = rows
	}
	fmt.Fprintf(s.terminal, before+inRow, rows, text)
}

// remove makes the terminal as it was.
func (s *status) remove() {
	if s.apart == 0 {
		fmt.Fprint(s.terminal, eraseLine)
		return
	}
	fmt.Fprintf(s.terminal, scrollAll+inRow, s.apart, "")
	s.apart = 0
}
