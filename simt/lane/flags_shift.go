package lane

// The flag kernels of shifts read the operands, so they run before the shift. Operands and counts
// of 16 bits must be extended: the count with zeros, the value by its type. C is the last bit
// shifted out while the count is below the width. At the width itself the hardware clears C,
// although a defined bit leaves the word. O is a change of sign by a shift of one.

// ShlFlags writes the flags of a << n.
func ShlFlags(f []Flags, a, n Rows, width int, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		a, n := a.At(w), n.At(w)
		var r, last Row
		shl(&r, a, n)
		for j := range last {
			last[j] = uint32(uint64(a[j]) << n[j] >> width)
		}
		f[w].put(shiftFlags(a, n, &r, &last, width), s.Mask[i])
	}
}

// ShrUFlags writes the flags of a >> n, unsigned.
func ShrUFlags(f []Flags, a, n Rows, width int, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		a, n := a.At(w), n.At(w)
		var r, last Row
		shrU(&r, a, n)
		for j := range last {
			last[j] = uint32(uint64(a[j]) << 1 >> n[j])
		}
		f[w].put(shiftFlags(a, n, &r, &last, width), s.Mask[i])
	}
}

// ShrSFlags writes the flags of a >> n, signed.
func ShrSFlags(f []Flags, a, n Rows, width int, s *Sel) {
	for i := range s.N {
		w := int(s.Warp[i])
		a, n := a.At(w), n.At(w)
		var r, last Row
		shrS(&r, a, n)
		for j := range last {
			last[j] = uint32(int64(int32(a[j])) << 1 >> n[j])
		}
		f[w].put(shiftFlags(a, n, &r, &last, width), s.Mask[i])
	}
}

// shiftFlags returns the flags of the shift of a by n. r is the result; bit 0 of last is the last
// bit shifted out.
func shiftFlags(a, n, r, last *Row, width int) Flags {
	mask, sign := fields(width)
	v := Flags{Z: ^nonzero(r, mask), S: nonzero(r, sign)}
	v.C = nonzero(last, 1) & below(n, mask32, uint64(width))
	v.O = (v.S ^ nonzero(a, sign)) & nonzero(n, mask32) & below(n, mask32, 2)
	return v
}

const mask32 = uint64(ones)
