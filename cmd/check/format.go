package main

import (
	"bytes"
	"fmt"
	"go/format"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// checkFormat checks that every Go file is as gofmt writes it.
func checkFormat(root string, w io.Writer) error {
	bad := 0
	err := walk(root, func(path string) error {
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		want, err := format.Source(src)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if !bytes.Equal(src, want) {
			bad++
			fmt.Fprintf(w, "gofmt -w %s\n", path)
		}
		return nil
	})
	if err == nil && bad > 0 {
		err = fmt.Errorf("%d files are not formatted: run the lines above", bad)
	}
	return err
}

// walk calls visit for every file of the module, except in build, in testdata (some files there are
// wrong on purpose) and in hidden directories.
func walk(root string, visit func(path string) error) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			return visit(path)
		case path == root:
			return nil
		case strings.HasPrefix(d.Name(), "."), d.Name() == "testdata", path == filepath.Join(root, "build"):
			return filepath.SkipDir
		}
		return nil
	})
}
