package cli

import (
	"io"
	"os"
)

// terminal returns the terminal that out writes to, nil if it writes to none.
func terminal(out io.Writer) *os.File {
	f, ok := direct(out).(*os.File)
	if !ok || !isTerminal(f) {
		return nil
	}
	return f
}

// widthOf returns the width in characters of the terminal that out writes to, 0 if it writes to none
// or to one of unknown width.
func widthOf(out io.Writer) int {
	if f := terminal(out); f != nil {
		_, width := sizeOf(f)
		return width
	}
	return 0
}
