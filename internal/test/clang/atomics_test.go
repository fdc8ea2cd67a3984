package clang

var atomics = []kernel{
	{name: "histogramByAtomics", in: 1, out: 1, host: func(in, out []uint32, _ int) {
		for _, v := range in {
			for k := range 8 {
				out[v>>(4*k)&15]++
			}
		}
	}},
	{name: "operations", in: 1, out: 1, host: operations},
	{name: "tickets", in: 1, out: 2, host: func(in, out []uint32, n int) {
		out[0] = uint32(n)
		for place, v := range in {
			out[1+place] = v ^ uint32(place)
		}
	}},
	{name: "compareAndSwap", in: 1, out: 1, host: func(in, out []uint32, _ int) {
		product := [4]uint64{1, 1, 1, 1}
		for i, v := range in {
			product[i%4] = product[i%4] * (uint64(v)%65520 + 1) % 65521
			out[i%4] = uint32(product[i%4])
		}
	}},
}

func operations(in, out []uint32, n int) {
	for i, v := range in {
		out[0] = uint32(max(int32(out[0]), int32(v)))
		out[1] = uint32(min(int32(out[1]), int32(v)))
		out[2] = max(out[2], v)
		out[3] |= 1 << (v % 32)
		out[4] ^= v
		out[7+v%2] -= uint32(i)
	}
	out[5] = uint32(n % 7)           // counts to 6, then from 0
	out[6] = uint32((1000 - n) % 10) // counts down from 9
}
