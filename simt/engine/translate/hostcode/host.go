package hostcode

import (
	"runtime"
	"sync"
)

// host is the system calls that executable memory needs: the system's, or a test's.
type host struct {
	mapPages func(size int) ([]byte, error) // fresh pages, readable and writable
	protect  func(pages []byte) error       // readable and executable from now on
	unmap    func(pages []byte) error
}

// load is Load on the host h.
func (h *host) load(code []byte) (*Code, error) {
	if h.mapPages == nil || !avx() {
		e := &UnsupportedError{OS: runtime.GOOS, Arch: runtime.GOARCH}
		if h.mapPages != nil {
			e.Lacks = "AVX"
		}
		return nil, e
	}
	pages, err := h.mapPages(max(len(code), 1))
	if err != nil {
		return nil, &MemoryError{"map", len(code), err}
	}
	copy(pages, code)
	if err := h.protect(pages); err != nil {
		_ = h.unmap(pages) // the first error tells more
		return nil, &MemoryError{"protect", len(code), err}
	}
	c := &Code{pages: pages, size: len(code), unmap: h.unmap}
	unmap := h.unmap
	c.cleanup = runtime.AddCleanup(c, func(pages []byte) { _ = unmap(pages) }, pages)
	return c, nil
}

// available tries the system once: it loads code that returns, and calls it.
var available = sync.OnceValue(func() error {
	c, err := Load([]byte{0xC3})
	if err != nil {
		return err
	}
	defer c.Close()
	call(c.Entry(0))
	return nil
})
