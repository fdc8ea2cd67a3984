package difference

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Difference is the first word in which two contents differ, and the number of words that differ.
type Difference struct {
	Offset    int    // of the word in bytes, a multiple of 4
	Got, Want uint32 // the words; bytes past the end of the memory are 0

	// The aligned pair of words around it, as 64-bit numbers; 0 and 0 if the memory ends within the
	// pair.
	GotPair, WantPair uint64

	Words int // words that differ
	Total int // words compared
}

const wordSize = 4

// Find compares two contents of the same length and returns nil if they are equal. It panics if the
// lengths differ.
func Find(got, want []byte) *Difference {
	if len(got) != len(want) {
		panic("difference: contents of different lengths")
	}
	var d *Difference
	const stride = 1 << 12 // compared at once, because most strides are equal
	for at := 0; at < len(got); at += stride {
		g, w := got[at:min(at+stride, len(got))], want[at:min(at+stride, len(want))]
		if bytes.Equal(g, w) {
			continue
		}
		for i := 0; i < len(g); i += wordSize {
			if word(g, i) == word(w, i) {
				continue
			}
			if d == nil {
				d = differ(got, want, at+i)
			}
			d.Words++
		}
	}
	return d
}

// FindWithSlack is Find for contents that end in the slack of an allocation. It compares the slack
// only if the rest is equal, so the counts cover one or the other.
func FindWithSlack(got, want []byte, slack int) *Difference {
	size := len(got) - slack
	if d := Find(got[:size], want[:len(want)-slack]); d != nil || slack == 0 {
		return d
	}
	from := size &^ 7 // keeps words and pairs aligned
	d := Find(got[from:], want[from:])
	if d != nil {
		d.Offset += from
	}
	return d
}

// differ returns the difference at offset of two contents.
func differ(got, want []byte, offset int) *Difference {
	d := &Difference{Offset: offset, Got: word(got, offset), Want: word(want, offset), Total: (len(got) + wordSize - 1) / wordSize}
	if pair := offset &^ 7; pair+8 <= len(got) {
		d.GotPair, d.WantPair = binary.LittleEndian.Uint64(got[pair:]), binary.LittleEndian.Uint64(want[pair:])
	}
	return d
}

// word returns the word at offset of b.
func word(b []byte, offset int) uint32 {
	var w [wordSize]byte
	copy(w[:], b[offset:])
	return binary.LittleEndian.Uint32(w[:])
}

// String gives both words, and the distance of floating-point numbers: "0x3f800001, want 0x3f800000
// (1.0000001, want 1: 1 ulp); 3 of 256 words differ". The caller says where.
func (d *Difference) String() string {
	s := fmt.Sprintf("0x%08x, want 0x%08x", d.Got, d.Want)
	if n := d.Number(); n != nil {
		s += " (" + n.String() + ")"
	}
	return s + fmt.Sprintf("; %d of %d words differ", d.Words, d.Total)
}
