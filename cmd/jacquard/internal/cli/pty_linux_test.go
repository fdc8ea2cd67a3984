package cli

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// pty is a pseudo-terminal and what it shows.
type pty struct {
	slave *os.File

	mu sync.Mutex
	screen
}

// newPTY makes a pseudo-terminal of this size.
func newPTY(t *testing.T, rows, columns int) *pty {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	require.NoError(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { slave.Close() })
	require.NoError(t, unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(rows), Col: uint16(columns)}))
	p := &pty{slave: slave, screen: newScreen(rows, columns)}
	go func() {
		var b [1 << 12]byte
		for {
			n, err := master.Read(b[:])
			if err != nil {
				return
			}
			p.mu.Lock()
			p.write(string(b[:n]))
			p.mu.Unlock()
		}
	}()
	return p
}

// lines returns the rows of the screen without blanks at their ends.
func (p *pty) lines() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []string
	for _, row := range p.cells {
		list = append(list, strings.TrimRight(string(row), " "))
	}
	return list
}

// shows waits until the screen is as wanted.
func (p *pty) shows(t *testing.T, is func(lines []string) bool) []string {
	t.Helper()
	var lines []string
	require.Eventually(t, func() bool { lines = p.lines(); return is(lines) }, 20*time.Second, 5*time.Millisecond, "%q", p.lines())
	return lines
}

// screen is as much of a VT100 as the tool needs.
type screen struct {
	cells          [][]rune
	row, column    int
	savedRow, save int
	bottom         int // the last row that scrolls
	rest           string
}

func newScreen(rows, columns int) screen {
	s := screen{bottom: rows - 1}
	for range rows {
		s.cells = append(s.cells, []rune(strings.Repeat(" ", columns)))
	}
	return s
}

// sequence is one that the screen knows, or a character.
var sequence = regexp.MustCompile(`^(?:\x1b([78D])|\x1b\[([0-9;]*)([A-Za-z])|([^\x1b]))`)

func (s *screen) write(text string) {
	for text = s.rest + text; text != ""; {
		m := sequence.FindStringSubmatch(text)
		if m == nil {
			break // the rest comes later
		}
		text = text[len(m[0]):]
		switch {
		case m[1] == "7":
			s.savedRow, s.save = s.row, s.column
		case m[1] == "8":
			s.row, s.column = s.savedRow, s.save
		case m[1] == "D", m[4] == "\n":
			s.down()
		case m[3] != "":
			s.control(m[3], m[2])
		case m[4] == "\r":
			s.column = 0
		default:
			s.put([]rune(m[4])[0])
		}
	}
	s.rest = text
}

// down moves the cursor, or scrolls.
func (s *screen) down() {
	if s.row != s.bottom {
		s.row = min(s.row+1, len(s.cells)-1)
		return
	}
	copy(s.cells[:s.bottom], s.cells[1:s.bottom+1])
	s.cells[s.bottom] = []rune(strings.Repeat(" ", len(s.cells[0])))
}

func (s *screen) put(r rune) {
	if s.column == len(s.cells[0]) {
		s.column = 0
		s.down()
	}
	s.cells[s.row][s.column] = r
	s.column++
}

// control carries out a control sequence; one that the screen does not know is a panic.
func (s *screen) control(name, arguments string) {
	var n [2]int
	for i, text := range strings.Split(arguments, ";") {
		n[i], _ = strconv.Atoi(text)
	}
	switch name {
	case "A":
		s.row = max(0, s.row-1)
	case "H":
		s.row, s.column = max(n[0]-1, 0), max(n[1]-1, 0)
	case "K":
		for i := s.column; i < len(s.cells[0]); i++ {
			s.cells[s.row][i] = ' '
		}
	case "r":
		s.row, s.column, s.bottom = 0, 0, len(s.cells)-1
		if n[1] > 0 {
			s.bottom = n[1] - 1
		}
	default:
		panic("unknown control sequence " + name)
	}
}
