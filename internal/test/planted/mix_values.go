package planted

// guesses is the number of guesses of what is where nobody wrote.
const guesses = 6

// cell is what is known of a value.
type cell struct {
	v    [guesses]uint32 // the value after each guess
	may  uint32          // bits that may depend on a guess
	from uint64          // the moves that read first what nobody wrote, as a mask of their numbers
	lost bool            // the value depends on a branch or an address that nobody knows
}

// origin of registers that nobody wrote.
const fromRegister = 1 << 63

func (c *cell) operand() operand { return operand{c.v[0], c.may} }

// depends reports whether a property of a value differs from guess to guess.
func (c *cell) depends(property func(uint32) uint32) bool {
	for _, v := range c.v[1:] {
		if property(v) != property(c.v[0]) {
			return !c.lost
		}
	}
	return false
}

// lose forgets a value that is written where nobody knows whether it is.
func (c *cell) lose() { c.may, c.from, c.lost = ^uint32(0), ^uint64(0), true }

func sure(v uint32) cell {
	var c cell
	for i := range c.v {
		c.v[i] = v
	}
	return c
}

// compute returns the result of an operation.
func (op *compute) of(a, b, c *cell) (d cell) {
	for i := range d.v {
		d.v[i] = op.eval(a.v[i], b.v[i], c.v[i])
	}
	d.lost = a.lost || b.lost || c.lost
	if d.may = op.may(a.operand(), b.operand(), c.operand()); d.may != 0 {
		d.from = a.from | b.from | c.from
	}
	return d
}

// byteOf is what is known of a byte of memory.
type byteOf struct {
	v    [guesses]byte
	may  byte
	from uint64 // 0 with may: nobody wrote the byte
	near uint64 // the same, of what was stored in the word since; a word has one origin for the checker
	lost bool
}

// near notes in the first word of some memory what was stored there.
func near(list []byteOf, from uint64) {
	for i := range min(4, len(list)) {
		list[i].near |= from
	}
}

// depends reports whether the byte differs from guess to guess.
func (b *byteOf) depends() bool {
	for _, v := range b.v[1:] {
		if v != b.v[0] {
			return !b.lost
		}
	}
	return false
}

// unknown makes bytes that nobody wrote.
func unknown(n int) []byteOf {
	list := make([]byteOf, n)
	for i := range list {
		list[i].may = 0xff
		for j := range list[i].v {
			list[i].v[j] = byte(0x9e3779b9 * uint32((i+1)*guesses+j) >> 24)
		}
		list[i].v[0], list[i].v[1] = 0, 0xff
	}
	return list
}

func (c *cell) bytes(n int) (list [4]byteOf) {
	for i := range n {
		b := &list[i]
		b.may, b.lost = byte(c.may>>(8*i)), c.lost
		for j := range b.v {
			b.v[j] = byte(c.v[j] >> (8 * i))
		}
		if b.may != 0 {
			b.from = c.from
		}
	}
	return list
}

// word joins bytes that a move read; first is that move's number. It reports whether nobody wrote
// one of them.
func word(list []byteOf, signed bool, first int) (c cell, fresh bool) {
	for i := range list {
		b := &list[i]
		c.may |= uint32(b.may) << (8 * i)
		c.lost = c.lost || b.lost
		if b.may != 0 {
			c.from |= b.from | b.near
		}
		if b.may != 0 && b.from == 0 {
			c.from |= 1 << first
			fresh = true
		}
		for j := range c.v {
			c.v[j] |= uint32(b.v[j]) << (8 * i)
		}
	}
	if shift := 32 - 8*len(list); signed && shift > 0 {
		c.may = uint32(int32(c.may<<shift) >> shift)
		for j := range c.v {
			c.v[j] = uint32(int32(c.v[j]<<shift) >> shift)
		}
	}
	return c, fresh
}
