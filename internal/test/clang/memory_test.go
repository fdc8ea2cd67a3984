package clang

var memory = []kernel{
	{name: "narrow", in: 1, out: 2, host: each(narrow)},
	{name: "wide", in: 4, out: 8, host: each(wide)},
	{name: "tables", in: 1, out: 4, host: each(tables)},
	{name: "variables", in: 1, out: 1, host: together(func(x, y []uint32) {
		for t := range y {
			y[t] = x[t^21] - x[t]
		}
	})},
	{name: "pointers", in: 1, out: 2, host: pointers},
	{name: "copies", in: 8, out: 1, host: each(copies)},
	{name: "volatiles", in: 1, out: 2, host: each(func(_ uint32, x, y []uint32) {
		own := uint64(x[0])
		for k := range uint64(5) {
			own = own*own + k
		}
		y[0], y[1] = 5*x[0], uint32(own>>32)^uint32(own)
	})},
}

func narrow(_ uint32, x, y []uint32) {
	w := x[0]
	sum := int32(int8(w)) - int32(int8(w>>24)) + int32(w)>>16
	y[0] = uint32(uint8(sum)) | w>>17&0x7f<<8 | uint32(sum*5)<<16
	y[1] = uint32(uint16(w)+1) | uint32(uint8(int8(w>>8)>>2))<<16 | 0x5a<<24
}

func wide(_ uint32, x, y []uint32) {
	copy(y, []uint32{x[3] + 1, x[2] ^ x[0], x[1], x[0] * 3, x[3], x[2]})
	put64(y[6:], get64(x)+0x100000001)
}

func tables(i uint32, x, y []uint32) {
	rules := [4]struct {
		from, to, bonus int
		mask            uint32
	}{{1, 2, -30, 0xff}, {3, 0, 500, 0xff00}, {2, 2, 7, 0x0f0f0f}, {0, 1, -1, 0xffffffff}}
	r := rules[x[0]%4]
	y[0] = x[0]&r.mask<<r.from>>r.to + uint32(r.bonus)
	y[1] = uint32([6]int{10, -20, 30, -40, 50, -60}[x[0]%6])
	put64(y[2:], [5]uint64{2, 3, 5, 7, 0x1fffffffffffffff}[i%5]*uint64(x[0]))
}

func pointers(in, out []uint32, n int) {
	summed := func(words []uint32, by uint32) (s uint32) {
		for _, w := range words[:4] {
			s = s*by + w
		}
		return s
	}
	for i, v := range in {
		first := i / block * block
		shared := append(append([]uint32{}, in[first:first+block]...), 0, 1, 2)
		own := []uint32{1, 2, 3, 4}
		own[v&3] = uint32(i)
		at := in[i&^3:]
		if v&16 != 0 {
			at = own
		} else if v&32 != 0 {
			at = shared[i-first:]
		}
		out[2*i], out[2*i+1] = summed(at, 3), summed(own, 5)
	}
}

func copies(_ uint32, x, y []uint32) {
	a := append([]uint32{0xa5a5a5a5, 0xa5a5a5a5}, x...)
	b := append([]uint32{}, a...)
	b[x[1]%10]++
	for k := range a {
		y[0] = y[0]*3 + (a[k] ^ b[9-k])
	}
	for k := range uint32(6) {
		if k == x[0]%6 {
			y[0] = y[0]*3 + 7
		} else {
			y[0] = y[0]*3 + 0xa5
		}
	}
}
