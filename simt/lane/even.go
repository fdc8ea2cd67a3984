package lane

// Even returns the lanes i whose word is base plus i times stride, modulo 2^32.
func Even(a *Row, base, stride uint32) (m Mask) {
	for i, v := range a {
		if v == base {
			m |= 1 << i
		}
		base += stride
	}
	return m
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
