package ptxrandom

import (
	"fmt"
	"math"
)

// number returns a number of some bits; many are special.
func (g *writer) number(bits int) uint64 {
	mask := ^uint64(0) >> (64 - bits)
	switch g.r.IntN(6) {
	case 0:
		return g.r.Uint64N(40) & mask
	case 1:
		return -g.r.Uint64N(40) & mask
	case 2:
		return uint64(1) << g.r.IntN(bits) & mask
	case 3:
		x := g.r.NormFloat64() * math.Ldexp(1, g.r.IntN(40)-10)
		if bits == 64 {
			return math.Float64bits(x)
		}
		return uint64(math.Float32bits(float32(x))) & mask
	case 4:
		return (uint64(1)<<g.r.IntN(bits) - 1) & mask
	}
	return g.r.Uint64() & mask
}

// immediate returns a number as text.
func (g *writer) immediate(t string) string {
	switch t {
	case "f32":
		return fmt.Sprintf("0f%08x", g.float32())
	case "f64":
		return fmt.Sprintf("0d%016x", g.float64())
	}
	bits := bitsOf(t)
	n := g.number(bits)
	if t[0] == 's' {
		return fmt.Sprint(int64(n<<(64-bits)) >> (64 - bits))
	}
	return fmt.Sprintf("%#x", n)
}

func (g *writer) float32() uint32 {
	if g.one(2) {
		return math.Float32bits([]float32{0, 1, -1, 0.5, 2, 3, -0.75, 1e10, 1e-10}[g.r.IntN(9)])
	}
	return uint32(g.number(32))
}

func (g *writer) float64() uint64 {
	if g.one(2) {
		return math.Float64bits([]float64{0, 1, -1, 0.5, 2, 3, -0.75, 1e10, 1e-10}[g.r.IntN(9)])
	}
	return g.number(64)
}

// source returns a register or a number.
func (g *writer) source(t string) string {
	if t != "pred" && g.one(5) {
		return g.immediate(t)
	}
	return g.register(t)
}
