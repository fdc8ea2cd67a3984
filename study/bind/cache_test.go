package bind

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

// cacheOf makes a cache as ldconfig does.
func cacheOf(files ...[2]string) []byte {
	data := make([]byte, cacheHeader+cacheEntry*len(files))
	copy(data, cacheMagic)
	binary.LittleEndian.PutUint32(data[len(cacheMagic):], uint32(len(files)))
	for i, f := range files {
		for k, s := range f {
			binary.LittleEndian.PutUint32(data[cacheHeader+cacheEntry*i+cacheEntryKey+4*k:], uint32(len(data)))
			data = append(data, s+"\x00"...)
		}
	}
	return data
}

func TestParseCache(t *testing.T) {
	data := cacheOf([2]string{"liba.so.1", "/x/liba.so.1"}, [2]string{"libb.so", "/y/libb.so"}, [2]string{"liba.so.1", "/z/liba.so.1"})
	want := map[string][]string{"liba.so.1": {"/x/liba.so.1", "/z/liba.so.1"}, "libb.so": {"/y/libb.so"}}
	require.Equal(t, want, parseCache(data))
	require.Equal(t, want, parseCache(append([]byte("ld.so-1.7.0\x00another table"), data...)))
	require.Nil(t, parseCache([]byte("something else")))
	for n := range data { // cut off: fewer files, never others
		for name, files := range parseCache(data[:n]) {
			require.Subset(t, want[name], files, "%d bytes", n)
		}
	}
	data[len(cacheMagic)+3] = 0xff // more entries than there is room for
	require.Nil(t, parseCache(data))
}

// The machine's own cache, if there is one, lists its C library.
func TestReadCache(t *testing.T) {
	cache := readCache(cachePath)
	if cache == nil {
		t.Skip("needs " + cachePath)
	}
	require.NotEmpty(t, cache["libc.so.6"])
	require.Nil(t, readCache("/nowhere"))
}
