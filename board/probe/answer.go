package probe

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"jacquard/board/verify"
	"jacquard/observe/bundle"
)

// Write prints the answer for people: the rows, or the words that threads left. Consecutive threads
// with the same words make a group; at most most groups are printed.
func (a *Answer) Write(out io.Writer, p *Probe, most int) error {
	switch {
	case a.Vectors != nil:
		return a.writeRows(out)
	case a.Outcome.Result != bundle.Success:
		_, err := fmt.Fprintf(out, "the launch ended with %s: %s\n", a.Outcome.Result, a.Outcome.Message)
		return err
	}
	groups := 0
	for first := 0; first < len(a.Threads); {
		end := first + 1
		for end < len(a.Threads) && slices.Equal(a.Threads[end], a.Threads[first]) {
			end++
		}
		if groups++; groups > most {
			_, err := fmt.Fprintf(out, "and %d threads more\n", len(a.Threads)-first)
			return err
		}
		if _, err := fmt.Fprintf(out, "%s: %s\n", threads(first, end-1), p.describe(a.Threads[first])); err != nil {
			return err
		}
		first = end
	}
	return nil
}

func (a *Answer) writeRows(out io.Writer) error {
	for _, l := range a.Vectors.LeftOut {
		if _, err := fmt.Fprintf(out, "left out: %s: %s\n", &l.Row, l.Why); err != nil {
			return err
		}
	}
	return verify.WriteRows(out, a.Vectors.Rows)
}

func threads(first, last int) string {
	if first == last {
		return fmt.Sprintf("thread %d", first)
	}
	return fmt.Sprintf("threads %d-%d", first, last)
}

// describe names the words of a thread.
func (p *Probe) describe(words []uint32) string {
	var parts []string
	for i, w := range words {
		if p.Columns[i] == "" {
			continue
		}
		text := fmt.Sprintf("%08x", w)
		if w == unwritten {
			text = "untouched"
		}
		parts = append(parts, p.Columns[i]+" "+text)
	}
	return strings.Join(parts, ", ")
}

// Compare prints the places where a board's answer differs from the simulator's, at most so many
// lines, and reports whether there is any. Columns that depend on time are expected to differ.
func (p *Probe) Compare(out io.Writer, board, here *Answer, most int) (same bool, err error) {
	var lines []string
	switch {
	case board.Vectors != nil:
		for i := range board.Vectors.Rows {
			if b, h := &board.Vectors.Rows[i], &here.Vectors.Rows[i]; b.Want != h.Want {
				lines = append(lines, fmt.Sprintf("%s: the board answers %s, the simulator %s", b, b.Want, h.Want))
			}
		}
	case board.Outcome.Result != here.Outcome.Result:
		lines = []string{fmt.Sprintf("the launch ended with %s on the board, with %s on the simulator", board.Outcome.Result, here.Outcome.Result)}
	default:
		for t := range board.Threads {
			if !slices.Equal(board.Threads[t], here.Threads[t]) {
				lines = append(lines, fmt.Sprintf("thread %d: the board: %s; the simulator: %s", t, p.describe(board.Threads[t]), p.describe(here.Threads[t])))
			}
		}
	}
	for i, line := range lines {
		if i == most {
			_, err = fmt.Fprintf(out, "and %d more\n", len(lines)-most)
			break
		}
		if _, err = fmt.Fprintln(out, line); err != nil {
			break
		}
	}
	return len(lines) == 0, err
}
