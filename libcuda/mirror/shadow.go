package mirror

import (
	"fmt"
	"syscall"
)

// keep has b remember what both sides hold, which is content, or zeros if that is nil. The memory
// is the system's: where there is none, Go's would end the process.
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

// forget gives back what keep took.
func (b *buffer) forget() {
	if len(b.shadow) > 0 {
		syscall.Munmap(b.shadow) // it is ours, and there
	}
	b.shadow = nil
}
