package clang

var groups = []kernel{
	{name: "groupSum", in: 1, out: 1, host: func(in, out []uint32, _ int) {
		for i, v := range in {
			group := out[i/block*2:]
			put64(group, get64(group)+uint64(v)*uint64(v))
		}
	}},
	{name: "groupScan", in: 1, out: 1, host: together(func(x, y []uint32) {
		most := int32(x[0])
		for t, v := range x {
			most = max(most, int32(v))
			y[t] = uint32(most)
		}
	})},
	{name: "convolution", in: 1, out: 1, host: func(in, out []uint32, n int) {
		for i := range out {
			sum := int32(8)
			for k, weight := range []int32{-1, 4, 10, 4, -1} {
				sum += weight * (int32(in[min(max(i+k-2, 0), n-1)]) >> 8)
			}
			out[i] = uint32(sum >> 4)
		}
	}},
	{name: "permutation", in: 1, out: 1, host: together(func(x, y []uint32) {
		order := [16]int{3, 9, 15, 0, 1, 8, 2, 14, 5, 4, 11, 6, 13, 7, 10, 12}
		for t := range y {
			y[t] = x[t&^15+order[t%16]]
		}
	})},
	{name: "ranks", in: 1, out: 1, host: together(sorted)},
	{name: "gram", in: 1, out: 1, host: together(func(x, y []uint32) {
		for t := range y {
			sum := float32(0.5)
			for k := range 8 {
				a, b := int32(x[t/8*8+k])>>20, int32(x[t%8*8+k])>>20
				sum += float32(a * b)
			}
			y[t] = bits32(sum)
		}
	})},
	{name: "automaton", in: 1, out: 1, host: together(automaton)},
	{name: "links", in: 1, out: 1, host: together(func(x, y []uint32) {
		for t := range y {
			at := t
			for range t%7 + 1 {
				y[t] = y[t]*5 + x[at]>>6
				at = int(x[at] % 64)
				if at == t {
					break
				}
			}
		}
	})},
}

func automaton(x, y []uint32) {
	cells := make([]uint32, len(x))
	for t, v := range x {
		cells[t] = v & 1
	}
	for range 20 {
		next := make([]uint32, len(cells))
		for t := range cells {
			around := cells[(t+63)%64]<<2 | cells[t]<<1 | cells[(t+1)%64]
			next[t] = [8]uint32{0, 1, 1, 1, 0, 1, 1, 0}[around]
			y[t] = y[t]<<1 | next[t]
		}
		cells = next
	}
}
