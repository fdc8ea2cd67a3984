package driver

import (
	"crypto/sha256"
	"sync"

	"jacquard/cubin"
)

// linkedCode remembers the cubins that linkers made, by their checksums. The zero value is ready
// for use.
type linkedCode struct {
	mu   sync.Mutex
	sums map[[sha256.Size]byte]bool
}

func (l *linkedCode) add(file []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sums == nil {
		l.sums = map[[sha256.Size]byte]bool{}
	}
	l.sums[sha256.Sum256(file)] = true
}

// has reports whether a module is such a cubin.
func (l *linkedCode) has(c *cubin.Contents) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.sums) == 0 || c.Container != cubin.ELF {
		return false
	}
	file, err := c.Entries[0].Data()
	return err == nil && l.sums[sha256.Sum256(file)]
}
