package clang

import "slices"

var classes = []kernel{
	{name: "vectorTypes", in: 8, out: 4, host: each(vectorTypes)},
	{name: "metaprogram", in: 1, out: 2, host: each(func(_ uint32, x, y []uint32) {
		y[0] = 1
		for range 13 {
			y[0] *= x[0]
		}
		y[1] = x[0] % 6765
	})},
	{name: "lambdas", in: 5, out: 3, host: each(lambdas)},
	{name: "records", in: 2, out: 4, host: each(records)},
	{name: "jobs", in: 1, out: 1, host: func(in, out []uint32, n int) {
		for i := range n {
			out[i] = in[i]*uint32(n-i) + in[(i+1)%n]*uint32(n-i-1)
		}
	}},
	{name: "unions", in: 1, out: 3, host: each(unions)},
	{name: "queue", in: 1, out: 2, host: each(queue)},
	{name: "insertion", in: 8, out: 8, host: each(insertion)},
}

// vectorSum is (a + b) * b of vectors of T.
func vectorSum[T whole](x []uint32) (s T) {
	for k := range 4 {
		a, b := T(x[k]), T(x[k+4])
		s += (a + b) * b
	}
	return s
}

func vectorTypes(_ uint32, x, y []uint32) {
	y[0], y[1] = vectorSum[uint32](x), uint32(vectorSum[uint16](x))
	y[2], y[3] = uint32(vectorSum[uint8](x)), uint32(vectorSum[uint64](x))
}

func lambdas(_ uint32, x, y []uint32) {
	y[1] = 1
	last := uint32(0)
	for _, v := range x {
		y[0] += v
		y[1] = (y[1] ^ x[0]) * (v | 1)
		y[2] += bit(v > last, 0)
		last = v
	}
}

func records(i uint32, x, y []uint32) {
	kind, small, word, wide := uint8(x[0]), int16(x[1]), x[0], uint64(5)
	for by := i; by < i+3; by++ {
		kind += uint8(by)
		small = small*3 - int16(by)
		word ^= by << 7
		wide += uint64(word) * uint64(by)
	}
	y[0], y[1] = uint32(kind)<<16|uint32(uint16(small)), word
	put64(y[2:], wide)
}

func unions(i uint32, x, y []uint32) {
	w := x[0]
	low, middle, high := w&31, w>>5&0xfff, int32(w)>>17
	y[0] = w>>16&0xffff | uint32(at8(x, int(i&3)))<<24
	y[1] = uint32(high*7 + int32(middle) - int32(low))
	y[2] = low | (middle+9)&0xfff<<5 | 0xfffe0000
}

func queue(i uint32, x, y []uint32) {
	var ring []uint32
	pop := func() {
		y[0] = y[0]*3 + ring[0]
		ring = ring[1:]
	}
	for k := range uint32(16) {
		switch v := k*k + i; {
		case x[0]>>(2*k)&3 == 0:
			if len(ring) > 0 {
				pop()
			}
		case len(ring) == 5:
			y[1] += v
		default:
			ring = append(ring, v)
		}
	}
	for len(ring) > 0 {
		pop()
	}
}

func insertion(_ uint32, x, y []uint32) {
	words, halves := slices.Sorted(slices.Values(x)), make([]int16, 8)
	for k, w := range x {
		halves[k] = int16(w)
	}
	slices.Sort(halves)
	for k := range y {
		y[k] = words[k] ^ uint32(halves[k])
	}
}
