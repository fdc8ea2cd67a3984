package clang

import (
	"math/big"
	"math/bits"
)

var words64 = []kernel{
	{name: "divide64", in: 4, out: 8, host: each(divide64)},
	{name: "shifts64", in: 3, out: 8, host: each(shifts64)},
	{name: "bits64", in: 2, out: 5, host: each(bits64)},
	{name: "compare64", in: 4, out: 3, host: each(compare64)},
	{name: "product128", in: 4, out: 6, host: each(product128)},
	{name: "longSum", in: 16, out: 18, host: each(longSum)},
	{name: "longProduct", in: 6, out: 6, host: each(func(_ uint32, x, y []uint32) {
		putLong(y, new(big.Int).Mul(long(x[:3]), long(x[3:])))
	})},
	{name: "root64", in: 2, out: 1, host: each(func(_ uint32, x, y []uint32) {
		y[0] = uint32(new(big.Int).Sqrt(long(x)).Uint64())
	})},
	{name: "powerModulo", in: 3, out: 1, host: each(func(_ uint32, x, y []uint32) {
		modulus := big.NewInt(int64(x[2]>>1 | 1))
		power := new(big.Int).Exp(big.NewInt(int64(x[0])), big.NewInt(int64(x[1]&0xffff)), modulus)
		y[0] = uint32(power.Uint64())
	})},
	{name: "fixedPoint", in: 2, out: 5, host: each(fixedPoint)},
}

// long is a number of several words.
func long(words []uint32) *big.Int {
	n := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		n.Or(n.Lsh(n, 32), big.NewInt(int64(words[i])))
	}
	return n
}

// putLong stores the lower words of a number, which may be negative.
func putLong(words []uint32, n *big.Int) {
	for i := range words {
		part := new(big.Int).Rsh(n, uint(32*i))
		words[i] = uint32(part.And(part, big.NewInt(1<<32-1)).Uint64())
	}
}

func divide64(_ uint32, x, y []uint32) {
	a, b := get64(x), get64(x[2:])
	c, d := int64(a), int64(b)
	if b == 0 {
		b = 10
	}
	if d == 0 || d == -1 {
		d = -3
	}
	put64(y, a/b)
	put64(y[2:], a%b)
	put64(y[4:], uint64(c/d))
	put64(y[6:], uint64(c%d))
}

func shifts64(_ uint32, x, y []uint32) {
	a, by := get64(x), x[2]%64
	put64(y, a<<by)
	put64(y[2:], a>>by)
	put64(y[4:], uint64(int64(a)>>by))
	put64(y[6:], bits.RotateLeft64(a, int(by)))
}

func bits64(_ uint32, x, y []uint32) {
	a := get64(x)
	y[0], y[1] = uint32(bits.OnesCount64(a)), uint32(bits.LeadingZeros64(a))
	y[2] = uint32(bits.TrailingZeros64(a))
	put64(y[3:], bits.ReverseBytes64(a))
}

func compare64(_ uint32, x, y []uint32) {
	a, b := get64(x), get64(x[2:])
	c, d := int64(a), int64(b)
	y[0] = bit(a < b, 0) | bit(a <= b, 1) | bit(a == b, 2) | bit(a > b, 3) |
		bit(c < d, 4) | bit(c <= d, 5) | bit(c != d, 6) | bit(c >= d, 7)
	apart := b - a
	if c < d {
		apart = a - b
	}
	put64(y[1:], apart)
}

func product128(_ uint32, x, y []uint32) {
	high, low := bits.Mul64(get64(x), get64(x[2:]))
	put64(y, low)
	put64(y[2:], high)
	put64(y[4:], high)
}

func longSum(_ uint32, x, y []uint32) {
	a, b := long(x[:8]), long(x[8:])
	putLong(y[:9], new(big.Int).Add(a, b))
	putLong(y[9:17], new(big.Int).Sub(a, b))
	y[17] = bit(a.Cmp(b) < 0, 0)
}

func fixedPoint(_ uint32, x, y []uint32) {
	a, b := int64(int32(x[0]))*0x10001, int64(x[1]>>8)+1
	put64(y, uint64((a>>16)*(b>>4)>>12))
	put64(y[2:], uint64(a*256/b))
	m := x[0] | 1<<31
	for range 8 {
		high, low := bits.Mul32(m, m)
		if high>>31 == 1 {
			m = high
		} else {
			m = high<<1 | low>>31
		}
		y[4] = y[4]<<1 | high>>31
	}
}
