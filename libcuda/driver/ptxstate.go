package driver

import (
	"crypto/sha256"
	"sync"

	"jacquard/cubin"
	"jacquard/ptx/jit"
)

// ptxState is the PTX part of a driver: the compiler, and the inputs of linkers by the checksums
// of their cubins.
type ptxState struct {
	compiler *jit.Compiler // fixed once the driver is ready

	mu   sync.Mutex
	sums map[[sha256.Size]byte]linked
}

// linked is the PTX that a linker made a cubin of.
type linked struct {
	target  int
	sources []jit.Source
	options jit.Options
}

// add remembers the inputs of a linker's cubin.
func (p *ptxState) add(file []byte, of linked) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sums == nil {
		p.sums = map[[sha256.Size]byte]linked{}
	}
	p.sums[sha256.Sum256(file)] = of
}

// made reports whether a module is a linker's cubin, and returns the PTX that it was made from.
func (p *ptxState) made(c *cubin.Contents) (of linked, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.sums) == 0 || c.Container != cubin.ELF {
		return of, false
	}
	file, err := c.Entries[0].Data()
	if err != nil {
		return of, false
	}
	of, ok = p.sums[sha256.Sum256(file)]
	return of, ok
}
