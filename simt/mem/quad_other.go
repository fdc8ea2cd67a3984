//go:build arm64 || loong64 || ppc64le || riscv64

package mem

import "unsafe"

// loadQuad reads a 128-bit element by an access of each half.
func loadQuad(p *[4]uint32) (low, high uint64) {
	halves := (*[2]uint64)(unsafe.Pointer(p))
	return halves[0], halves[1]
}

// storeQuad writes a 128-bit element by an access of each half.
func storeQuad(p *[4]uint32, low, high uint64) {
	halves := (*[2]uint64)(unsafe.Pointer(p))
	halves[0], halves[1] = low, high
}
