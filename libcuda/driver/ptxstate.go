package driver

import (
	"crypto/sha256"
	"sync"

	"jacquard/cubin"
	"jacquard/ptx/jit"
)

// ptxState is what a driver has for PTX: the compiler, and the targets of the PTX that linkers made
// cubins of, by the cubins' checksums.
type ptxState struct {
	compiler *jit.Compiler // fixed once the driver is ready

	mu   sync.Mutex
	sums map[[sha256.Size]byte]int
}

// add remembers a linker's cubin, made of PTX for a target.
func (p *ptxState) add(file []byte, target int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sums == nil {
		p.sums = map[[sha256.Size]byte]int{}
	}
	p.sums[sha256.Sum256(file)] = target
}

// made reports whether a module is a linker's cubin, and of PTX for which target it was made.
func (p *ptxState) made(c *cubin.Contents) (target int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.sums) == 0 || c.Container != cubin.ELF {
		return 0, false
	}
	file, err := c.Entries[0].Data()
	if err != nil {
		return 0, false
	}
	target, ok = p.sums[sha256.Sum256(file)]
	return target, ok
}
