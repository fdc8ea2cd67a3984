package lane

// Move copies a.
func Move(d, a Rows, s *Sel) { each1(d, a, s, move) }

// Not complements a.
func Not(d, a Rows, s *Sel) { each1(d, a, s, not) }

// And is a & b.
func And(d, a, b Rows, s *Sel) { each2(d, a, b, s, and) }

// AndNot is a &^ b.
func AndNot(d, a, b Rows, s *Sel) { each2(d, a, b, s, andNot) }

// Or is a | b.
func Or(d, a, b Rows, s *Sel) { each2(d, a, b, s, or) }

// OrNot is a | ^b.
func OrNot(d, a, b Rows, s *Sel) { each2(d, a, b, s, orNot) }

// Xor is a ^ b.
func Xor(d, a, b Rows, s *Sel) { each2(d, a, b, s, xor) }

func move(d, a *Row) { *d = *a }

func not(d, a *Row) {
	for i := 0; i < Width; i += 8 {
		d, a := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:])
		d[0] = ^a[0]
		d[1] = ^a[1]
		d[2] = ^a[2]
		d[3] = ^a[3]
		d[4] = ^a[4]
		d[5] = ^a[5]
		d[6] = ^a[6]
		d[7] = ^a[7]
	}
}

func and(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = a[0] & b[0]
		d[1] = a[1] & b[1]
		d[2] = a[2] & b[2]
		d[3] = a[3] & b[3]
		d[4] = a[4] & b[4]
		d[5] = a[5] & b[5]
		d[6] = a[6] & b[6]
		d[7] = a[7] & b[7]
	}
}

func andNot(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = a[0] &^ b[0]
		d[1] = a[1] &^ b[1]
		d[2] = a[2] &^ b[2]
		d[3] = a[3] &^ b[3]
		d[4] = a[4] &^ b[4]
		d[5] = a[5] &^ b[5]
		d[6] = a[6] &^ b[6]
		d[7] = a[7] &^ b[7]
	}
}

func or(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = a[0] | b[0]
		d[1] = a[1] | b[1]
		d[2] = a[2] | b[2]
		d[3] = a[3] | b[3]
		d[4] = a[4] | b[4]
		d[5] = a[5] | b[5]
		d[6] = a[6] | b[6]
		d[7] = a[7] | b[7]
	}
}

func orNot(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = a[0] | ^b[0]
		d[1] = a[1] | ^b[1]
		d[2] = a[2] | ^b[2]
		d[3] = a[3] | ^b[3]
		d[4] = a[4] | ^b[4]
		d[5] = a[5] | ^b[5]
		d[6] = a[6] | ^b[6]
		d[7] = a[7] | ^b[7]
	}
}

func xor(d, a, b *Row) {
	for i := 0; i < Width; i += 8 {
		d, a, b := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:]), (*[8]uint32)(b[i:])
		d[0] = a[0] ^ b[0]
		d[1] = a[1] ^ b[1]
		d[2] = a[2] ^ b[2]
		d[3] = a[3] ^ b[3]
		d[4] = a[4] ^ b[4]
		d[5] = a[5] ^ b[5]
		d[6] = a[6] ^ b[6]
		d[7] = a[7] ^ b[7]
	}
}
