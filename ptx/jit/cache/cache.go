package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Key identifies an entry by everything that it is made of.
type Key [sha256.Size]byte

// NewKey returns the key of something that is made of parts, in their order.
func NewKey(parts ...[]byte) Key {
	h := sha256.New()
	for _, p := range parts {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(p))))
		h.Write(p)
	}
	return Key(h.Sum(nil))
}

// Cache is a cache on disk. Any number of goroutines and processes may use one folder. A nil Cache
// keeps nothing.
type Cache struct{ settings Settings }

// Open returns a cache; nil for the zero Settings. It touches no file.
func Open(s Settings) *Cache {
	if s.Dir == "" || s.MaxBytes <= 0 {
		return nil
	}
	return &Cache{s}
}

const (
	suffix = ".code"
	// unfinished begins the names of files that are being written.
	unfinished = "new-"
)

func (c *Cache) path(k Key) string {
	return filepath.Join(c.settings.Dir, hex.EncodeToString(k[:])+suffix)
}

// Get returns what Put kept under a key, and makes it the most recently used entry. It removes a
// damaged entry.
func (c *Cache) Get(k Key) ([]byte, bool) {
	if c == nil {
		return nil, false
	}
	path := c.path(k)
	file, err := read(path, c.settings.MaxBytes)
	if err != nil {
		return nil, false
	}
	data, ok := decode(k, file)
	if !ok {
		os.Remove(path)
		return nil, false
	}
	now := time.Now()
	os.Chtimes(path, now, now) // without it, the entry goes earlier
	return data, true
}

// Put keeps data under a key if that is possible, and removes the least recently used entries until
// all fit into the limit.
func (c *Cache) Put(k Key, data []byte) {
	if c == nil || entryBytes(data) > c.settings.MaxBytes {
		return
	}
	dir := c.settings.Dir
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(dir, unfinished+"*")
	if err != nil {
		return
	}
	_, err = f.Write(encode(k, data))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), c.path(k))
	}
	if err != nil {
		os.Remove(f.Name())
		return
	}
	c.evict()
}

// isEntry reports whether a file of this name is an entry.
func isEntry(name string) bool {
	key, ok := strings.CutSuffix(name, suffix)
	return ok && len(key) == hex.EncodedLen(len(Key{}))
}
