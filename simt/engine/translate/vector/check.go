package vector

import "jacquard/simt/engine/translate/x86"

// check tests f32 results of AVX512: out-of-line code computes them again if one is a NaN or is
// unusual in another way.
type check struct {
	usual   Mask // the lanes with usual results; 0 means no such mask
	results []Vec
	again   []func()
}

// Together runs f, which computes one or two vectors, each by one operation on f32, and checks both
// vectors at once. Each operation settles one result. Operands must stay until Together returns.
// AVX512 only.
func (b *Builder) Together(f func()) {
	c := &check{}
	b.checks = c
	f()
	b.checks = nil
	if len(c.results) > 0 {
		b.look(c)
	}
}

// check returns the check that an operation adds its result to, by settle.
func (b *Builder) check() *check {
	if b.checks != nil {
		return b.checks
	}
	return &check{}
}

// need makes lanes unusual in which x&bits is zero.
func (b *Builder) need(c *check, x Vec, bits uint32) {
	if c.usual == 0 {
		c.usual = b.nonzero(x, b.Literal(bits))
		return
	}
	b.narrow(c.usual, x86.VPTESTMD, x, b.Literal(bits), 0)
}

// narrow removes from m the lanes in which a comparison does not hold.
func (b *Builder) narrow(m Mask, op x86.VOp, x Vec, y Source, imm int) {
	b.a.V(x86.Ins{Op: op, L: x86.Z, D: uint8(m), S: uint8(x), RM: operand(y), K: uint8(m), Imm: uint8(imm)})
}

// settle adds a result to a check, with the code that computes it again.
func (b *Builder) settle(c *check, d Vec, again func()) {
	c.results, c.again = append(c.results, d), append(c.again, again)
	if c != b.checks {
		b.look(c)
	}
}

// look emits a check. One comparison finds the NaNs of both operands.
func (b *Builder) look(c *check) {
	x, y := c.results[0], c.results[len(c.results)-1]
	again := func() {
		for _, f := range c.again {
			f()
		}
	}
	if c.usual == 0 {
		nan := b.compareFloat(predicateUnordered, x, y)
		b.a.V(x86.Ins{Op: x86.KORTESTW, D: uint8(nan), RM: x86.K(uint8(nan))})
		b.FreeMask(nan)
		b.Cold(x86.NE, 0, again)
		return
	}
	b.narrow(c.usual, x86.VCMPPS, x, y, predicateOrdered)
	b.Spare(1)
	b.a.V(x86.Ins{Op: x86.KORTESTW, D: uint8(c.usual), RM: x86.K(uint8(c.usual))})
	b.FreeMask(c.usual)
	b.Cold(x86.AE, 1, again) // not all ones
}
