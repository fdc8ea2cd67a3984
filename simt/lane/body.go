package lane

// The bodies of the integer kernels. The compiler inlines map1, map2 and map3, and the function
// that computes a lane. Rows are read once before the loop, so that it tests no pointer: without
// that it takes twice the time. Eight lanes per round, written out, would take a tenth less.

func map1(d, a *Row, f func(x uint32) uint32) {
	_, _ = *d, *a
	for i := range d {
		d[i] = f(a[i])
	}
}

func map2(d, a, b *Row, f func(x, y uint32) uint32) {
	_, _, _ = *d, *a, *b
	for i := range d {
		d[i] = f(a[i], b[i])
	}
}

func map3(d, a, b, c *Row, f func(x, y, z uint32) uint32) {
	_, _, _, _ = *d, *a, *b, *c
	for i := range d {
		d[i] = f(a[i], b[i], c[i])
	}
}

func move(d, a *Row)      { *d = *a }
func not(d, a *Row)       { map1(d, a, func(x uint32) uint32 { return ^x }) }
func and(d, a, b *Row)    { map2(d, a, b, func(x, y uint32) uint32 { return x & y }) }
func andNot(d, a, b *Row) { map2(d, a, b, func(x, y uint32) uint32 { return x &^ y }) }
func or(d, a, b *Row)     { map2(d, a, b, func(x, y uint32) uint32 { return x | y }) }
func orNot(d, a, b *Row)  { map2(d, a, b, func(x, y uint32) uint32 { return x | ^y }) }
func xor(d, a, b *Row)    { map2(d, a, b, func(x, y uint32) uint32 { return x ^ y }) }

func lowU(d, a *Row)  { map1(d, a, func(x uint32) uint32 { return uint32(uint16(x)) }) }
func lowS(d, a *Row)  { map1(d, a, func(x uint32) uint32 { return uint32(int16(x)) }) }
func highU(d, a *Row) { map1(d, a, func(x uint32) uint32 { return x >> 16 }) }
func highS(d, a *Row) { map1(d, a, func(x uint32) uint32 { return uint32(int32(x) >> 16) }) }
func byteU(d, a *Row) { map1(d, a, func(x uint32) uint32 { return uint32(uint8(x)) }) }
func byteS(d, a *Row) { map1(d, a, func(x uint32) uint32 { return uint32(int8(x)) }) }

func insertLow(d, a *Row) {
	map2(d, d, a, func(x, y uint32) uint32 { return x&^0xffff | y&0xffff })
}

func insertHigh(d, a *Row) {
	map2(d, d, a, func(x, y uint32) uint32 { return x&0xffff | y<<16 })
}

func add(d, a, b *Row) { map2(d, a, b, func(x, y uint32) uint32 { return x + y }) }
func sub(d, a, b *Row) { map2(d, a, b, func(x, y uint32) uint32 { return x - y }) }
func mul(d, a, b *Row) { map2(d, a, b, func(x, y uint32) uint32 { return x * y }) }

func mulAdd(d, a, b, c *Row) {
	map3(d, a, b, c, func(x, y, z uint32) uint32 { return x*y + z })
}

func mul24LoU(d, a, b *Row) {
	map2(d, a, b, func(x, y uint32) uint32 { return u24(x) * u24(y) })
}

func mul24LoS(d, a, b *Row) {
	map2(d, a, b, func(x, y uint32) uint32 { return uint32(s24(x) * s24(y)) })
}

func mul24HiU(d, a, b *Row) {
	map2(d, a, b, func(x, y uint32) uint32 { return uint32(uint64(u24(x)) * uint64(u24(y)) >> 16) })
}

func mul24HiS(d, a, b *Row) {
	map2(d, a, b, func(x, y uint32) uint32 { return uint32(top24(x) * top24(y) >> 32) })
}

func mulLowLow(d, a, b *Row) {
	map2(d, a, b, func(x, y uint32) uint32 { return (x & 0xffff) * (y & 0xffff) })
}

func mulHighLow(d, a, b *Row) {
	map2(d, a, b, func(x, y uint32) uint32 { return (x >> 16) * (y & 0xffff) })
}

func mulLowHigh(d, a, b *Row) { mulHighLow(d, b, a) }

func mulHighHigh(d, a, b *Row) {
	map2(d, a, b, func(x, y uint32) uint32 { return (x >> 16) * (y >> 16) })
}

func mulAddLowLow(d, a, b, c *Row) {
	map3(d, a, b, c, func(x, y, z uint32) uint32 { return (x&0xffff)*(y&0xffff) + z })
}

func mulAddHighLow(d, a, b, c *Row) {
	map3(d, a, b, c, func(x, y, z uint32) uint32 { return (x>>16)*(y&0xffff) + z })
}

func mulAddLowHigh(d, a, b, c *Row) { mulAddHighLow(d, b, a, c) }

func mulAddHighHigh(d, a, b, c *Row) {
	map3(d, a, b, c, func(x, y, z uint32) uint32 { return (x>>16)*(y>>16) + z })
}

func minU(d, a, b *Row) { map2(d, a, b, func(x, y uint32) uint32 { return min(x, y) }) }
func maxU(d, a, b *Row) { map2(d, a, b, func(x, y uint32) uint32 { return max(x, y) }) }

func minS(d, a, b *Row) {
	map2(d, a, b, func(x, y uint32) uint32 { return uint32(min(int32(x), int32(y))) })
}

func maxS(d, a, b *Row) {
	map2(d, a, b, func(x, y uint32) uint32 { return uint32(max(int32(x), int32(y))) })
}

func absDiffU(d, a, b *Row) {
	map2(d, a, b, func(x, y uint32) uint32 { return max(x, y) - min(x, y) })
}

func absDiffS(d, a, b *Row) {
	map2(d, a, b, func(x, y uint32) uint32 {
		return uint32(max(int32(x), int32(y))) - uint32(min(int32(x), int32(y)))
	})
}

func shl(d, a, b *Row)  { map2(d, a, b, func(x, y uint32) uint32 { return x << y }) }
func shrU(d, a, b *Row) { map2(d, a, b, func(x, y uint32) uint32 { return x >> y }) }
func shrS(d, a, b *Row) { map2(d, a, b, func(x, y uint32) uint32 { return uint32(int32(x) >> y) }) }
