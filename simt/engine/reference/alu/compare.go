package alu

// Compare reports whether relations (bit 0 less, bit 1 equal, bit 2 greater) contains the relation
// of a and b (docs/isa/operations.md, ISet).
func Compare(a, b uint32, relations uint8, width int, signed bool) bool {
	x, y := number(a, width, signed), number(b, width, signed)
	return x < y && relations&1 != 0 || x == y && relations&2 != 0 || x > y && relations&4 != 0
}

// Set returns all ones if Compare holds, else 0.
func Set(a, b uint32, relations uint8, width int, signed bool) (r uint32, flags uint8) {
	if Compare(a, b, relations, width, signed) {
		r = 1<<32 - 1
	}
	return Result(r, width, 0)
}

// Min returns the lesser operand.
func Min(a, b uint32, width int, signed bool) (r uint32, flags uint8) {
	if Compare(b, a, 1, width, signed) {
		a = b
	}
	return Result(a, width, 0)
}

// Max returns the greater operand.
func Max(a, b uint32, width int, signed bool) (r uint32, flags uint8) {
	if Compare(b, a, 4, width, signed) {
		a = b
	}
	return Result(a, width, 0)
}
