package bind

import (
	"bytes"
	"encoding/binary"
	"os"
)

// cachePath is the file of ldconfig in which the loader looks libraries up.
const cachePath = "/etc/ld.so.cache"

// The layout of the cache: a header, nlibs entries, strings. Offsets of strings count from the
// header, which in old files follows another table.
const (
	cacheMagic    = "glibc-ld.so.cache1.1"
	cacheHeader   = 48
	cacheEntry    = 24
	cacheEntryKey = 4 // offset of the name's offset; the path's offset follows
)

// readCache returns the files of each library name in the loader's cache, in the cache's order. An
// absent or malformed cache gives none.
func readCache(path string) map[string][]string {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return parseCache(data)
}

func parseCache(data []byte) map[string][]string {
	start := bytes.Index(data, []byte(cacheMagic))
	if start < 0 {
		return nil
	}
	data = data[start:]
	if len(data) < cacheHeader {
		return nil
	}
	order := binary.LittleEndian
	libs := uint64(order.Uint32(data[len(cacheMagic):]))
	if libs > uint64(len(data)-cacheHeader)/cacheEntry {
		return nil
	}
	files := map[string][]string{}
	for i := range libs {
		entry := data[cacheHeader+i*cacheEntry+cacheEntryKey:]
		name, file := cacheString(data, order.Uint32(entry)), cacheString(data, order.Uint32(entry[4:]))
		if name != "" && file != "" {
			files[name] = append(files[name], file)
		}
	}
	return files
}

// cacheString returns the string at an offset, "" if there is none.
func cacheString(data []byte, at uint32) string {
	if uint64(at) >= uint64(len(data)) {
		return ""
	}
	text, _, ok := bytes.Cut(data[at:], []byte{0})
	if !ok {
		return ""
	}
	return string(text)
}
