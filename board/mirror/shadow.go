package mirror

import (
	"fmt"
	"syscall"
)

// keep stores in b the content on which both sides agree, or zeros if content is nil. The memory is
// the operating system's, because Go's runtime would end the process without memory.
func (b *buffer) keep(content []byte) error {
	b.shadow = []byte{}
	if len(b.memory) == 0 {
		return nil
	}
	pages, err := syscall.Mmap(-1, 0, len(b.memory), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return fmt.Errorf("there is no memory on the host to remember %d bytes: %w", len(b.memory), err)
	}
	copy(pages, content)
	b.shadow = pages
	return nil
}

// forget frees the memory of keep.
func (b *buffer) forget() {
	if len(b.shadow) > 0 {
		syscall.Munmap(b.shadow) // cannot fail: the mapping is ours
	}
	b.shadow = nil
}
