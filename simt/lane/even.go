package lane

import "math/bits"

// Even returns the lanes i whose word is base plus i times stride, modulo 2^32.
func Even(a *Row, base, stride uint32) Mask {
	var m, c uint64
	word := base + (Width-1)*stride
	for i := Width - 1; i >= 0; i-- { // packs as in pack.go
		_, c = bits.Sub64(uint64(a[i]^word), 1, 0)
		m, _ = bits.Add64(m, m, c)
		word -= stride
	}
	return Mask(m)
}

// Pack moves the words of lanes m together, lowest lane first. The words of d after them are
// undefined.
func Pack(d *[2 * Width]uint32, a *Row, m Mask) {
	n := 0
	for i, v := range a { // branch-free, because masks are hard to predict
		d[n%Width] = v
		n += int(m >> i & 1)
	}
}
