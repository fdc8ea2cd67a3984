package codec

import "encoding/binary"

// cursor reads bytes in turn. The first mistake sets why; later reads return zeros.
type cursor struct {
	data []byte
	at   int
	why  string
}

// left reports whether bytes are left.
func (c *cursor) left() bool { return c.at != len(c.data) }

func (c *cursor) fail(why string) {
	if c.why == "" {
		c.why, c.at = why, len(c.data)
	}
}

func (c *cursor) byte() byte {
	if c.at >= len(c.data) {
		c.fail("it ends inside a part")
		return 0
	}
	c.at++
	return c.data[c.at-1]
}

func (c *cursor) word() uint32 {
	if len(c.data)-c.at < 4 {
		c.fail("it ends inside a part")
		return 0
	}
	c.at += 4
	return binary.LittleEndian.Uint32(c.data[c.at-4:])
}

// take returns the next n bytes, not copied; if they are missing, why is the mistake.
func (c *cursor) take(n int, why string) []byte {
	if n > len(c.data)-c.at {
		c.fail(why)
		return nil
	}
	c.at += n
	return c.data[c.at-n : c.at]
}

// uvarint reads an unsigned number of at most bits bits.
func (c *cursor) uvarint(bits uint) uint64 {
	if c.at < len(c.data) && c.data[c.at] < 0x80 && bits >= 7 {
		c.at++
		return uint64(c.data[c.at-1])
	}
	v, n := binary.Uvarint(c.data[c.at:])
	switch {
	case n == 0:
		c.fail("it ends inside a part")
		return 0
	case n < 0 || bits < 64 && v>>bits != 0:
		c.fail("a number is too large")
		return 0
	}
	c.at += n
	return v
}

// varint reads a signed number.
func (c *cursor) varint() int64 {
	v := c.uvarint(64)
	return int64(v>>1) ^ -int64(v&1)
}
