package lane

// The flag kernels of shifts read the operands, so they run before the shift. Operands
// and counts of 16 bits must come extended: the count with zeros, the value by its type.
// C is the last bit shifted out while the count is below the width; at the width itself
// the hardware clears it although a defined bit leaves the word. O is a change of sign
// by a shift of one.

// ShlFlags writes the flags of a << n.
func ShlFlags(f []Flags, a, n Rows, width int, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		x, y := a.At(w), n.At(w)
		var v Flags
		for j := range x {
			n := y[j]
			v.add(j, x[j]<<n, x[j]<<(n-1)>>(width-1), x[j], n, width)
		}
		f[w].put(v, s.Mask[i])
	}
}

// ShrUFlags writes the flags of a >> n, unsigned.
func ShrUFlags(f []Flags, a, n Rows, width int, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		x, y := a.At(w), n.At(w)
		var v Flags
		for j := range x {
			n := y[j]
			v.add(j, x[j]>>n, x[j]>>(n-1), x[j], n, width)
		}
		f[w].put(v, s.Mask[i])
	}
}

// ShrSFlags writes the flags of a >> n, signed.
func ShrSFlags(f []Flags, a, n Rows, width int, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		x, y := a.At(w), n.At(w)
		var v Flags
		for j := range x {
			n := y[j]
			v.add(j, uint32(int32(x[j])>>n), uint32(int32(x[j])>>(n-1)), x[j], n, width)
		}
		f[w].put(v, s.Mask[i])
	}
}

// add sets lane i's flags for a shift of a by n: r is the result, bit 0 of last the last
// bit shifted out where 0 < n.
func (f *Flags) add(i int, r, last, a, n uint32, width int) {
	up := 32 - uint(width)
	r, a = r<<up, a<<up
	if r == 0 {
		f.Z |= 1 << i
	}
	f.S |= Mask(r>>31) << i
	if 0 < n && n < uint32(width) {
		f.C |= Mask(last&1) << i
	}
	if n == 1 {
		f.O |= Mask((r^a)>>31) << i
	}
}
