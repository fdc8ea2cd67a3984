//go:build !(amd64 || arm64 || loong64 || ppc64le || riscv64)

package mem

import "jacquard/simt/lane"

// loadRow reads 32 consecutive little-endian words.
func loadRow(d *lane.Row, b *[4 * lane.Width]byte) {
	for i := range d {
		d[i] = le.Uint32(b[4*i:])
	}
}

// storeRow writes 32 consecutive little-endian words.
func storeRow(b *[4 * lane.Width]byte, s *lane.Row) {
	for i, v := range s {
		le.PutUint32(b[4*i:], v)
	}
}
