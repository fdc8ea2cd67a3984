package x86

import "fmt"

// pool holds the constants that follow the code. A constant gets its place in the pool at once; the
// pool gets its place after the code in Finish.
type pool struct {
	data  []byte
	known map[string]int32 // where each constant is
	align int              // the largest alignment
}

// maxAlign is the largest alignment of a constant: a cache line, or a vector of 512 bits.
const maxAlign = 64

func (p *pool) reset() {
	p.data = p.data[:0]
	clear(p.known)
	p.align = 0
}

// Const puts data into the constant pool and returns the memory where it is, relative to RIP. The
// alignment is a power of two up to 64. Equal constants share their place.
func (a *Assembler) Const(data []byte, align int) Operand {
	if align < 1 || align > maxAlign || align&(align-1) != 0 || len(data) == 0 {
		panic(fmt.Sprintf("x86: constant of %d bytes, aligned to %d", len(data), align))
	}
	p := &a.pool
	at, ok := p.known[string(data)]
	if !ok || int(at)&(align-1) != 0 {
		p.data = pad(p.data, align, 0)
		at = int32(len(p.data))
		p.data = append(p.data, data...)
		if p.known == nil {
			p.known = map[string]int32{}
		}
		p.known[string(data)] = at
	}
	p.align = max(p.align, align)
	return Operand{kind: memory, flags: toPool, val: int64(at)}
}

// placePool appends the pool to the code and returns its position.
func (a *Assembler) placePool() int {
	if len(a.pool.data) == 0 {
		return len(a.buf)
	}
	a.buf = pad(a.buf, a.pool.align, 0xCC) // INT3: nothing runs there
	start := len(a.buf)
	a.buf = append(a.buf, a.pool.data...)
	return start
}

// pad appends fill to b until its length is a multiple of align.
func pad(b []byte, align int, fill byte) []byte {
	for len(b)&(align-1) != 0 {
		b = append(b, fill)
	}
	return b
}
