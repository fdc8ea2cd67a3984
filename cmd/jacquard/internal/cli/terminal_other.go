//go:build !linux

package cli

import "os"

// isTerminal reports that f is none: nothing is drawn there.
func isTerminal(*os.File) bool { return false }

// sizeOf knows no size.
func sizeOf(*os.File) (rows, columns int) { return 0, 0 }

// inForeground reports that some terminal's keys reach this process's group: it may be so.
func inForeground() bool { return true }

// ours reports that no terminal is this process's.
func ours(*os.File) bool { return false }
