package driver

import (
	"os"
	"strconv"
	"strings"
)

// ofProcess returns a path that a knob names with the number of the process in place of %p, so that programs of several
// processes leave a file each.
func ofProcess(path string) string { return strings.ReplaceAll(path, "%p", strconv.Itoa(os.Getpid())) }

// fileKnob is the value of a knob that names a file to write and options of writing it.
type fileKnob[O any] struct {
	path    string // "" for none
	options O
}

// readFileKnob reads such a knob as parse does.
func readFileKnob[O any](value string, parse func(string) (string, O, error)) (k fileKnob[O], err error) {
	if value == "" {
		return k, nil
	}
	k.path, k.options, err = parse(value)
	k.path = ofProcess(k.path)
	return k, err
}
