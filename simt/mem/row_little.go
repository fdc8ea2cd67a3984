//go:build amd64 || arm64 || loong64 || ppc64le || riscv64

package mem

import (
	"unsafe"

	"jacquard/simt/lane"
)

// loadRow reads 32 consecutive little-endian words.
func loadRow(d *lane.Row, b *[4 * lane.Width]byte) {
	copy((*[4 * lane.Width]byte)(unsafe.Pointer(d))[:], b[:])
}

// storeRow writes 32 consecutive little-endian words.
func storeRow(b *[4 * lane.Width]byte, s *lane.Row) {
	copy(b[:], (*[4 * lane.Width]byte)(unsafe.Pointer(s))[:])
}
