package driver

import (
	"os"
	"strconv"
	"strings"
)

// ofProcess returns a path that a knob names with the number of the process in place of %p, so that programs of several
// processes leave a file each.
func ofProcess(path string) string { return strings.ReplaceAll(path, "%p", strconv.Itoa(os.Getpid())) }
