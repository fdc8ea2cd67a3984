package clang

var vectors = []kernel{
	{name: "sums", in: 8, out: 4, host: each(func(i uint32, x, y []uint32) {
		less := [4]uint32{1, 2, 3, i}
		for k := range y {
			y[k] = x[k]*3 + (x[4+k] ^ x[3-k]) - less[k]
		}
	})},
	{name: "swizzles", in: 4, out: 4, host: each(func(_ uint32, a, y []uint32) {
		z := a[3] + a[0]
		x := z * a[1]
		y[0], y[1], y[2], y[3] = z, x, a[3]*a[3], x
	})},
	{name: "pixels", in: 2, out: 3, host: each(func(_ uint32, x, y []uint32) {
		for k := range 4 {
			a, b := uint32(at8(x, k)), uint32(at8(x, 4+k))
			y[0] |= min(a+b, 255) << (8 * k)
			y[1] |= (a + b) / 2 << (8 * k)
			y[2] |= (max(a, b) - min(a, b)) << (8 * k)
		}
	})},
	{name: "masks", in: 8, out: 4, host: each(masks)},
	{name: "longs", in: 4, out: 8, host: each(func(_ uint32, x, y []uint32) {
		a, b := get64(x), get64(x[2:])
		put64(y, a*b+a>>7)
		put64(y[2:], a*b+b>>40)
		put64(y[4:], uint64(int64(a)>>3%1000))
		put64(y[6:], uint64(int64(b)>>3%-77))
	})},
	{name: "shorts", in: 4, out: 1, host: each(func(_ uint32, x, y []uint32) {
		for k := range 8 {
			by := int16(2*k + 2)
			if k%2 == 1 {
				by = -by
			}
			y[0] = y[0]*7 + uint32(int16(x[k/2]>>(16*(k%2)))+by)
		}
	})},
	{name: "geometry", in: 8, out: 8, host: each(geometry)},
	{name: "shapes", in: 2, out: 2, host: each(func(_ uint32, x, y []uint32) {
		for _, w := range x {
			area := uint32(uint16(w)) + 77
			if w&1 == 1 {
				area = uint32(uint16(w>>3)) * uint32(uint16(w>>9))
			}
			y[0] = y[0]*3 + area
		}
		y[1] = uint32((int32(x[0])>>20-int32(x[1])>>20)*1000 + 1)
	})},
}

func masks(_ uint32, x, y []uint32) {
	last := [4]uint32{bit(int32(x[0]) < int32(x[4]), 0), 0, 2, 4}
	for k := range y {
		a, b := x[k], x[4+k]
		if a&1 == 1 {
			y[k] = a - b
		} else if int32(a) < int32(b) {
			y[k] = 0xffffffff
		}
		y[k] |= last[k]
	}
}

func geometry(_ uint32, x, y []uint32) {
	var a, b [4]float32
	dot := float32(0)
	for k := range 4 {
		a[k], b[k] = float32(int32(x[k])>>8), float32(int32(x[4+k])>>8)
		y[4+k] = bits32(a[k] / (float32(b[k]*b[k]) + 1))
	}
	for k := range 3 {
		p, q := (k+1)%3, (k+2)%3
		y[k] = bits32(float32(a[p]*b[q]) - float32(a[q]*b[p]))
		dot += float32(a[k] * b[k])
	}
	y[3] = bits32(dot)
}
