package programs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Place is a folder that must have something; Has is a path in it, or "".
type Place struct{ Dir, Has string }

// Folders returns the absolute paths of places.
func Folders(places ...Place) (paths []string, err error) {
	for _, p := range places {
		dir, err := filepath.Abs(p.Dir)
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(filepath.Join(dir, p.Has)); err != nil {
			return nil, err
		}
		paths = append(paths, dir)
	}
	return paths, nil
}

// Environment is this process's environment plus more, for a program that looks for libraries in
// folders first, then in the user's.
func Environment(folders []string, more ...string) []string {
	const variable = "LD_LIBRARY_PATH"
	if users := os.Getenv(variable); users != "" {
		folders = append(slices.Clip(folders), users)
	}
	return slices.Concat(os.Environ(), []string{variable + "=" + strings.Join(folders, ":")}, more)
}

// Short returns the beginning of a text, for a cell of a table.
func Short(text string, longest int) string {
	if len(text) > longest {
		return text[:longest] + "..."
	}
	return text
}
