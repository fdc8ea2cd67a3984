package alu

// Shl shifts left by the whole of n (docs/isa/operations.md, Shl).
func Shl(a, n uint32, width int) (r uint32, flags uint8) {
	a = Extend(a, width, false)
	if 0 < n && n < uint32(width) && a>>(uint32(width)-n)&1 != 0 {
		flags = C
	}
	if n < uint32(width) {
		r = a << n
	}
	return shifted(a, r, n, width, flags)
}

// Shr shifts right by the whole of n, drawing in sign bits if signed (docs/isa/operations.md, Shr).
func Shr(a, n uint32, width int, signed bool) (r uint32, flags uint8) {
	v := number(a, width, signed)
	if 0 < n && n < uint32(width) && v>>(n-1)&1 != 0 {
		flags = C
	}
	return shifted(a, uint32(v>>min(n, 63)), n, width, flags)
}

func shifted(a, r, n uint32, width int, flags uint8) (uint32, uint8) {
	if n == 1 && (r^a)>>(width-1)&1 != 0 {
		flags |= O
	}
	return Result(r, width, flags)
}
