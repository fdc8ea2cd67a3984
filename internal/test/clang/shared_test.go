package clang

import "slices"

var shared = []kernel{
	{name: "reduction", in: 1, out: 1, host: together(func(x, y []uint32) {
		for _, v := range x {
			y[0] += v
		}
		y[1] = slices.Max(x)
	})},
	{name: "scanByDoubling", in: 1, out: 1, host: together(func(x, y []uint32) {
		sum := uint32(0)
		for t, v := range x {
			sum += v
			y[t] = sum
		}
	})},
	{name: "scanByTree", in: 1, out: 1, host: together(func(x, y []uint32) {
		sum := uint32(0)
		for t, v := range x {
			y[t] = sum
			sum += v
		}
	})},
	{name: "transpose", in: 1, out: 1, host: together(func(x, y []uint32) {
		for t := range y {
			y[t] = x[t%8*8+t/8]
		}
	})},
	{name: "bitonic", in: 1, out: 1, host: together(sorted)},
	{name: "oddEven", in: 1, out: 1, host: together(func(x, y []uint32) {
		s := make([]int8, len(x))
		for t, v := range x {
			s[t] = int8(v)
		}
		slices.Sort(s)
		for t, v := range s {
			y[t] = uint32(v)
		}
	})},
	{name: "matrixProduct", in: 2, out: 1, host: together(func(x, y []uint32) {
		for t := range y {
			for k := range 8 {
				y[t] += x[t/8*8+k] * x[64+8*k+t%8]
			}
		}
	})},
	{name: "stencil", in: 1, out: 1, host: together(stencil)},
	{name: "life", in: 1, out: 1, host: together(life)},
	{name: "histogram", in: 1, out: 1, host: together(func(x, y []uint32) {
		for _, v := range x {
			for k := range 10 {
				y[v>>(3*k)&7]++
			}
		}
	})},
	{name: "halfWarps", in: 1, out: 1, host: together(halfWarps)},
}

func sorted(x, y []uint32) {
	copy(y, x)
	slices.Sort(y)
}

func stencil(x, y []uint32) {
	for t := range y {
		for k, weight := range []int32{1, -6, 15, -20, 15, -6, 1} {
			if from := t + k - 3; from >= 0 && from < len(x) {
				y[t] += uint32(weight * int32(x[from]>>8))
			}
		}
	}
}

func life(x, y []uint32) {
	for t := range y {
		y[t] = x[t] & 1
	}
	for range 4 {
		old := slices.Clone(y)
		for t := range y {
			around := uint32(0)
			for d := range 9 {
				if d != 4 {
					around += old[(t/8+d/3+7)%8*8+(t+d%3+7)%8]
				}
			}
			y[t] = bit(around == 3 || around == 2 && old[t] == 1, 0)
		}
	}
}

func halfWarps(x, y []uint32) {
	for first := 0; first < len(y); first += 16 {
		sum := uint32(0)
		for lane := range 16 {
			y[first+lane] = x[first+(lane+5)%16]
			sum += y[first+lane] ^ uint32(lane)
		}
		y[first] = sum
	}
}
