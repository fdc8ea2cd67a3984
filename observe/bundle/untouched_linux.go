package bundle

import (
	"encoding/binary"
	"os"
	"unsafe"
)

// Bits of an entry of pagemap, which has eight bytes per page of the system: see "pagemap" in the
// kernel's documentation. Every process may read them for itself.
const (
	present = 1 << 63
	swapped = 1 << 62
)

// untouched returns for each page of memory whether nothing was ever written to it. Such a page
// holds zeros, and to read it may cost memory: some systems give it a page of its own. memory is
// neither empty nor a mapped file. The result is nil if the system does not tell.
func untouched(memory []byte) []bool {
	file, err := os.Open("/proc/self/pagemap")
	if err != nil {
		return nil
	}
	defer file.Close()
	begin, size := uintptr(unsafe.Pointer(unsafe.SliceData(memory))), uintptr(os.Getpagesize())
	first, last := begin/size, (begin+uintptr(len(memory))-1)/size
	entries := make([]byte, 8*(last-first+1))
	if _, err := file.ReadAt(entries, 8*int64(first)); err != nil {
		return nil
	}
	taken := func(page uintptr) bool {
		return binary.NativeEndian.Uint64(entries[8*(page-first):])&(present|swapped) != 0
	}
	list := make([]bool, (len(memory)+pageSize-1)/pageSize)
	for i := range list { // memory need not begin with a page of the system
		at := begin + uintptr(i*pageSize)
		list[i] = !taken(at/size) && !taken(min((at+pageSize-1)/size, last))
	}
	return list
}
