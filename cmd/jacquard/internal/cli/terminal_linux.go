package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// isTerminal reports whether f is a terminal.
func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}

// sizeOf returns rows and columns of a terminal, 0 if they are not known.
func sizeOf(f *os.File) (rows, columns int) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0
	}
	return int(size.Row), int(size.Col)
}

// inForeground reports whether the keys of a terminal send their signals to this process's group.
func inForeground() bool {
	f, err := os.Open("/dev/tty")
	if err != nil {
		return false // no terminal controls this process
	}
	defer f.Close()
	return ours(f)
}

// ours reports whether this process is in the foreground of a terminal: a shell that started it in
// the background has the terminal for itself.
func ours(f *os.File) bool {
	group, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}
