package compile_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
)

// bitsOf returns the width of a type of the language.
func bitsOf(t string) int {
	switch t {
	case "pred":
		return 1
	case "f16x2", "bf16x2", "u16x2", "s16x2":
		return 32
	}
	n := 0
	for _, c := range t {
		if c >= '0' && c <= '9' {
			n = 10*n + int(c-'0')
		}
	}
	return n
}

var integerSpecials = []uint64{
	0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 0x7f, 0x80, 0x81, 0xff, 0x100,
	0x7fff, 0x8000, 0x8001, 0xffff, 0x10000, 0x7fffff, 0x800000, 0xffffff, 0x1000000, 0x1000001,
	0x12345678, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x100000000,
	0xffffff7f, 0xffffff80, 0xffff7fff, 0xffff8000, 0x7fffffffffffffff, 0x8000000000000000,
	0x8000000000000001, 0x8080000000000001, 0x8080000000000000, 0x1010001, 0xffffffff00000000, 0xffffffff80000000, 0xffffffffffffffff, ^uint64(1),
	0x0123456789abcdef,
}

var singleSpecials = []uint32{
	0, 1 << 31, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7fffffff, 0xffc01234,
	0x7f800001, 0xff812345, 0x00800000, 0x80800000, 0x007fffff, 0x807fffff, 1, 0x80000001,
	0x7f7fffff, 0xff7fffff, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0xc0200000, 0x3f7fffff,
	0x3f800001, 0x4b000000, 0x4b000001, 0x4affffff, 0x4f000000, 0x4effffff, 0xcf000000, 0xcf000001,
	0x4f800000, 0x4f7fffff, 0x5f000000, 0xdf000000, 0x5f800000, 0x42fe0000, 0x42ff0000, 0x437f0000,
	0x437f8000, 0x43000000, 0xc3000000, 0xc3008000, 0x477fff00, 0x477fff80, 0x47000000, 0xc7000000,
	0x40490fdb, 0x7e800000, 0x00ffffff, 0x01000000, 0x33800000, 0x33800001, 0x33000001, 0x477fefff,
	0x477ff000, 0x3f801000, 0x3f803000, 0x3f808000, 0x3f808001, 0x3f818000, 0x7f7f8000, 0x387fdfff,
}

var doubleSpecials = []uint64{
	0, 1 << 63, 0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000, 0xfff0000000000000,
	0x7ff8000000000000, 0xfff8000000012345, 0x7ff0000000000001, 0xfff4000000000000, 1,
	0x800fffffffffffff, 0x0010000000000000, 0x8010000000000000, 0x7fefffffffffffff,
	0xffefffffffffffff, 0x3fe0000000000000, 0xbfe0000000000000, 0x3ff8000000000000,
	0x4004000000000000, 0xc004000000000000, 0x41dfffffffc00000, 0x41e0000000000000,
	0xc1e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000, 0x41f0000000000000,
	0x43e0000000000000, 0xc3e0000000000000, 0x43f0000000000000, 0x4330000000000001,
	0x432fffffffffffff, 0x47efffffe0000000, 0x47effffff0000000, 0x3810000000000000,
	0x380fffffe0000000, 0x36a0000000000000, 0x400921fb54442d18, 0x3fefffffffffffff,
	0x3ff0000010000000, 0x3ff0000030000000, 0x405fc00000000000, 0x406fe00000000000,
	0x3ff0100000000000, 0x3ff0100000000001, 0x3ff0020000000000, 0x3ff0020000000001, 0x40effdffffffffff,
	0x40effe0000000000, 0x3e60000000000000, 0x3e60000000000001, 0x37a0000000000001, 0x47efe00000000001,
}

// halfSpecials are magnitudes for f16 and bf16: zeros, subnormal numbers, ends of ranges, ones, ties.
var halfSpecials = []uint16{
	0, 1, 2, 3, 0x40, 0x7f, 0x80, 0x81, 0xff, 0x100, 0x3ff, 0x400, 0x401, 0x7ff, 0x800, 0x3800, 0x3c00,
	0x3c01, 0x3f00, 0x3f80, 0x3f81, 0x3fff, 0x4000, 0x4049, 0x4248, 0x4300, 0x4780, 0x477f, 0x4e00,
	0x6400, 0x6401, 0x7800, 0x7bff, 0x7c00, 0x7c01, 0x7e00, 0x7f7f, 0x7f80, 0x7f81, 0x7fc0, 0x7fff,
	0x0d7f, 0x0d80, 0x1fc0, 0x2000, 0x2001, 0x5f7f, 0x5f80, 0x6000,
}

// oneHalf returns a number of 16 bits.
func (s *operandSource) oneHalf() uint64 {
	u := s.random.Uint64()
	sign := u & 0x8000
	switch s.random.IntN(4) {
	case 0, 1:
		return sign | uint64(halfSpecials[u>>16%uint64(len(halfSpecials))])
	case 2: // near 1
		return sign | (0x3c00+u>>16&0x7ff-0x400)&0x7fff
	}
	return u & 0xffff
}

// operands makes operands of kernels.
type operandSource struct {
	random *rand.Rand
	mapped bool // f64 stands for f32
	// quotient says that integers are no zeros: a quotient by zero may be anything.
	quotient bool
}

// one returns an operand, special ones more often than others.
func (s *operandSource) one(t string) uint64 {
	x := s.any(t)
	if x == 0 && s.quotient && t[0] != 'f' {
		return 3
	}
	return x
}

func (s *operandSource) any(t string) uint64 {
	u := s.random.Uint64()
	special := s.random.IntN(8) < 5
	switch {
	case t == "f16" || t == "bf16":
		return s.oneHalf()
	case t == "f16x2" || t == "bf16x2":
		return s.oneHalf()<<16 | s.oneHalf()
	case t == "f32" || t == "f64" && s.mapped:
		if special {
			return uint64(singleSpecials[u%uint64(len(singleSpecials))])
		}
		if u>>40&1 == 0 { // near 1
			return u&0x87ffffff | 0x38000000
		}
		return u & 0xffffffff
	case t == "f64":
		if special {
			return doubleSpecials[u%uint64(len(doubleSpecials))]
		}
		if u&1 == 0 {
			return u&0x80ffffffffffffff | 0x3f00000000000000
		}
		return u
	case special:
		return integerSpecials[u%uint64(len(integerSpecials))] & (1<<bitsOf(t) - 1)
	}
	return u >> s.random.IntN(bitsOf(t)) & (1<<bitsOf(t) - 1)
}

// rows returns the rows of a kernel.
func (s *operandSource) rows(types []string) []byte {
	out := make([]byte, 0, rowBytes*rowThreads)
	for range rowThreads {
		var row [rowOperands]uint64
		for i := range row {
			row[i] = s.random.Uint64()
		}
		for i, t := range types {
			row[i] = s.one(t)
			if i > 0 && types[i-1] == t && s.random.IntN(6) == 0 {
				row[i] = row[i-1]
			}
		}
		for _, x := range row {
			out = binary.LittleEndian.AppendUint64(out, x)
		}
	}
	return out
}

// immediate returns a number as the text has it.
func (s *operandSource) immediate(t string) string {
	if s.mapped && t == "f64" {
		x := float64(math.Float32frombits(uint32(s.one(t))))
		return fmt.Sprintf("0d%016x", math.Float64bits(x))
	}
	x := s.one(t)
	switch t {
	case "f32":
		return fmt.Sprintf("0f%08x", x)
	case "f64":
		return fmt.Sprintf("0d%016x", x)
	case "s8", "s16", "s32", "s64":
		n := 64 - bitsOf(t)
		return fmt.Sprint(int64(x<<n) >> n)
	}
	return fmt.Sprintf("0x%x", x)
}
