package driver

import (
	"crypto/sha256"
	"sync"

	"jacquard/cubin"
	"jacquard/libcuda/driver/jit"
)

// ptxState is what a driver has for PTX: the compiler, and the cubins that linkers made, by their
// checksums.
type ptxState struct {
	compiler *jit.Compiler // fixed once the driver is ready

	mu   sync.Mutex
	sums map[[sha256.Size]byte]bool
}

// add remembers a linker's cubin.
func (p *ptxState) add(file []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sums == nil {
		p.sums = map[[sha256.Size]byte]bool{}
	}
	p.sums[sha256.Sum256(file)] = true
}

// made reports whether a module is a linker's cubin.
func (p *ptxState) made(c *cubin.Contents) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.sums) == 0 || c.Container != cubin.ELF {
		return false
	}
	file, err := c.Entries[0].Data()
	return err == nil && p.sums[sha256.Sum256(file)]
}
