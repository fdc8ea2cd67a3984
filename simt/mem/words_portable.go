//go:build !(amd64 || arm64 || loong64 || ppc64le || riscv64)

package mem

import "jacquard/simt/lane"

// words is bytes seen as little-endian words.
type words []byte

// wordsOf returns the whole words of b.
func wordsOf(b []byte) words { return b }

// at returns the word at byte off, a multiple of 4.
func (w words) at(off uint32) uint32 { return le.Uint32(w[off:]) }

// set writes the word at byte off, a multiple of 4.
func (w words) set(off, v uint32) { le.PutUint32(w[off:], v) }

// loadRow reads 32 consecutive words from byte off on, a multiple of 4.
func (w words) loadRow(d *lane.Row, off uint32) {
	for i := range d {
		d[i] = w.at(off + 4*uint32(i))
	}
}

// storeRow writes 32 consecutive words from byte off on, a multiple of 4.
func (w words) storeRow(off uint32, s *lane.Row) {
	for i, v := range s {
		w.set(off+4*uint32(i), v)
	}
}

// pairs sees a row as 16 pairs of words, the lower lane in the lower half.
func pairs(r *lane.Row) (p [lane.Width / 2]uint64) {
	for k := range p {
		p[k] = uint64(r[2*k]) | uint64(r[2*k+1])<<32
	}
	return p
}
