package cache

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// abandoned is the age at which the writer of an unfinished file counts as gone.
const abandoned = time.Hour

// entry is a file of the cache.
type entry struct {
	path string
	size int64
	used time.Time
}

// evict removes the least recently used entries until the rest fits into the limit, and unfinished
// files without a writer. Other processes may do the same at the same time.
func (c *Cache) evict() {
	files, err := os.ReadDir(c.settings.Dir)
	if err != nil {
		return
	}
	var entries []entry
	total := int64(0)
	for _, f := range files {
		info, err := f.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		path := filepath.Join(c.settings.Dir, f.Name())
		switch {
		case isEntry(f.Name()):
			entries = append(entries, entry{path, info.Size(), info.ModTime()})
			total += info.Size()
		case strings.HasPrefix(f.Name(), unfinished) && time.Since(info.ModTime()) > abandoned:
			os.Remove(path)
		}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.path, b.path))
	})
	for _, e := range entries {
		if total <= c.settings.MaxBytes {
			return
		}
		os.Remove(e.path)
		total -= e.size
	}
}
