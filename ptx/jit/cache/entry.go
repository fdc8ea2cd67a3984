package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"syscall"
)

// An entry is the magic, its key, the checksum of its data, their length in 8 bytes, and the data.
const (
	magic  = "JQPTX01\n"
	header = len(magic) + len(Key{}) + sha256.Size + 8
)

// entryBytes returns the size of the entry of data.
func entryBytes(data []byte) int64 { return int64(header) + int64(len(data)) }

func encode(k Key, data []byte) []byte {
	sum := sha256.Sum256(data)
	b := make([]byte, 0, entryBytes(data))
	b = append(append(append(b, magic...), k[:]...), sum[:]...)
	return append(binary.LittleEndian.AppendUint64(b, uint64(len(data))), data...)
}

// decode returns the data of an entry, and false if the file is not a whole entry of that key.
func decode(k Key, file []byte) ([]byte, bool) {
	if len(file) < header || string(file[:len(magic)]) != magic {
		return nil, false
	}
	key, rest := file[len(magic):][:len(k)], file[len(magic)+len(k):]
	sum, data := rest[:sha256.Size], file[header:]
	n := binary.LittleEndian.Uint64(rest[sha256.Size:])
	got := sha256.Sum256(data)
	return data, n == uint64(len(data)) && bytes.Equal(key, k[:]) && bytes.Equal(sum, got[:])
}

var errNotOurs = errors.New("not a file of this user")

// read reads an entry of at most limit bytes. It reads regular files of the process's user alone,
// and never waits for a writer: the file may be a pipe.
func read(path string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unfollowed, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if s, ok := info.Sys().(*syscall.Stat_t); !ok || !info.Mode().IsRegular() || int(s.Uid) != os.Geteuid() {
		return nil, errNotOurs
	}
	if info.Size() > limit {
		return nil, errors.New("larger than the cache")
	}
	return io.ReadAll(io.LimitReader(f, limit+1))
}
