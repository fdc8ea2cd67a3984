package cli

import (
	"os"
	"path/filepath"
)

// output is a file that a command writes.
type output struct {
	what string // a flag, or words
	path string // "" for none
}

// apart refuses an output that is also an input, and two outputs that are one file: the first
// content would be lost. Devices and pipes are no files.
func apart(inputs []string, outputs ...output) error {
	for i, o := range outputs {
		if o.path == "" {
			continue
		}
		for _, in := range inputs {
			if same(o.path, in) {
				return usagef("%s %q is a file that is read: name another", o.what, o.path)
			}
		}
		for _, other := range outputs[:i] {
			if same(o.path, other.path) {
				return usagef("%s and %s are one file, %q: name two", other.what, o.what, o.path)
			}
		}
	}
	return nil
}

// same reports whether two paths lead to one regular file, which may not exist yet.
func same(a, b string) bool {
	if a == "" || b == "" || a == standardOutput {
		return false
	}
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	if err == nil && err2 == nil {
		return x.Mode().IsRegular() && os.SameFile(x, y)
	}
	return err != nil && err2 != nil && place(a) == place(b)
}

// place returns the absolute path of a file that does not exist, without links in its folder.
func place(path string) string {
	folder, name := filepath.Split(path)
	if real, err := filepath.EvalSymlinks(filepath.Clean(folder)); err == nil {
		folder = real
	}
	if abs, err := filepath.Abs(folder); err == nil {
		folder = abs
	}
	return filepath.Join(folder, name)
}
