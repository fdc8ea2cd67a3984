package clang

import "math/bits"

var integers = []kernel{
	{name: "divide32", in: 2, out: 4, host: each(divide32)},
	{name: "divide16", in: 1, out: 4, host: each(divide16)},
	{name: "divideByNumbers", in: 1, out: 8, host: each(divideByNumbers)},
	{name: "shifts", in: 2, out: 6, host: each(shifts)},
	{name: "bits", in: 1, out: 6, host: each(allBits)},
	{name: "bitsByHand", in: 1, out: 3, host: each(func(_ uint32, x, y []uint32) {
		y[0], y[1] = uint32(bits.OnesCount32(x[0])), uint32(bits.LeadingZeros32(x[0]))
		y[2] = bits.Reverse32(x[0])
	})},
	{name: "bytes", in: 2, out: 5, host: each(bytes)},
	{name: "minMax", in: 2, out: 6, host: each(minMax)},
	{name: "saturation", in: 2, out: 6, host: each(saturation)},
}

// whole is an integer of any width.
type whole interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

func divided[T whole](a, b T) (quotient, rest T) {
	if b == 0 {
		return 0, a
	}
	return a / b, a % b
}

func divide32(_ uint32, x, y []uint32) {
	y[0], y[1] = divided(x[0], x[1])
	d := int32(x[1])
	if d == -1 {
		d = 1
	}
	q, r := divided(int32(x[0]), d)
	y[2], y[3] = uint32(q), uint32(r)
}

func divide16(_ uint32, x, y []uint32) {
	a, b := uint16(x[0]), uint16(x[0]>>16)
	q, r := divided(a, b)
	y[0] = uint32(q)<<16 | uint32(r)
	sq, sr := divided(int16(a), int16(b))
	y[1] = uint32(uint16(sq))<<16 | uint32(uint16(sr))
	e, f := uint8(x[0]), uint8(x[0]>>8)
	bq, br := divided(e, f)
	y[2] = uint32(bq)<<8 | uint32(br)
	cq, cr := divided(int8(e), int8(f))
	y[3] = uint32(uint8(cq))<<8 | uint32(uint8(cr))
}

func divideByNumbers(_ uint32, x, y []uint32) {
	a, b := x[0], int32(x[0])
	y[0], y[1], y[2] = a/3, a/7+a%7, a%1000
	y[3], y[4] = uint32(b/5), uint32(b%10)
	y[5], y[6], y[7] = uint32(b/16), uint32(b%64), uint32(b/-641)
}

func shifts(_ uint32, x, y []uint32) {
	a, by := x[0], x[1]%32
	y[0], y[1], y[2] = a<<by, a>>by, uint32(int32(a)>>by)
	y[3] = bits.RotateLeft32(a, int(by))
	h, c := uint16(a), uint8(a)
	y[4] = uint32(h<<(by%16))<<16 | uint32(uint16(int16(h)>>(by%16)))
	y[5] = uint32(c<<(by%8))<<8 | uint32(uint8(int8(c)>>(by%8)))
}

func allBits(_ uint32, x, y []uint32) {
	a := x[0]
	y[0], y[1] = uint32(bits.OnesCount32(a)), uint32(bits.LeadingZeros32(a))
	y[2], y[3] = uint32(bits.TrailingZeros32(a)), bits.Reverse32(a)
	y[4], y[5] = a&-a, a^a>>1
}

func bytes(_ uint32, x, y []uint32) {
	chosen := func(which uint32) (r uint32) {
		for k := range 4 {
			r |= uint32(at8(x, int(which>>(4*k)&7))) << (8 * k)
		}
		return r
	}
	y[0], y[1], y[2] = bits.ReverseBytes32(x[0]), chosen(0x6240), chosen(x[1])
	y[3] = uint32(bits.ReverseBytes16(uint16(x[0])))
	for k := range 4 {
		a, b := at8(x, k), at8(x, 4+k)
		y[4] += uint32(max(a, b) - min(a, b))
	}
}

func minMax(_ uint32, x, y []uint32) {
	a, b := x[0], x[1]
	c, d := int32(a), int32(b)
	y[0], y[1] = min(a, b), max(a, b)
	y[2], y[3] = uint32(min(c, d)), uint32(max(c, d))
	y[4] = uint32(max(-100, min(c, 100)))
	y[5] = uint32(uint16(min(int16(a), int16(b))))<<16 | uint32(max(uint16(a), uint16(b)))
}

func saturation(_ uint32, x, y []uint32) {
	a, b := uint64(x[0]), uint64(x[1])
	c, d := int64(int32(x[0])), int64(int32(x[1]))
	y[0] = uint32(min(a+b, 1<<32-1))
	y[1] = uint32(max(-1<<31, min(c+d, 1<<31-1)))
	y[2] = uint32((a + b) / 2)
	y[3], y[4] = uint32(a*b>>32), uint32(c*d>>32)
	y[5] = uint32(a%(1<<24)) * uint32(b%(1<<24))
}
