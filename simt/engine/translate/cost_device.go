package translate

import (
	"math/bits"

	"jacquard/simt/engine/translate/x86"
)

// deviceCost counts an access to device memory of size bytes per lane.
func (e *emitter) deviceCost(size uint32) {
	e.eachHalf(func(half int) {
		e.addCount(atAccesses, x86.Imm(1))
		e.coalesce(half, size)
		e.segments(half, size)
	})
}

// coalesce is the rule of compute capability 1.0 and 1.1: see mem.Transactions10.
func (e *emitter) coalesce(half int, size uint32) {
	alone, done, v := e.a.NewLabel(), e.a.NewLabel(), e.accessor()
	if size >= 4 {
		v.lowest(half)
		e.a.Tzcnt(32, regWork0, x86.R(regWork2))
		e.a.Shl(32, x86.R(regWork0), x86.Imm(int64(bits.TrailingZeros32(size))))
		e.a.Sub(32, x86.R(regWork1), x86.R(regWork0))
		e.a.Test(32, x86.R(regWork1), x86.Imm(int64(16*size-1)))
		e.a.Jcc(x86.NE, alone)
		v.inOrder(half, size)
		e.a.Cmp(32, x86.R(regWork0), x86.R(regWork2))
		e.a.Jcc(x86.NE, alone)
		if size == 4 {
			e.addCount(atG80+by64, x86.Imm(1))
		} else {
			e.addCount(atG80+by128, x86.Imm(int64(size/8)))
		}
		e.a.Jmp(done)
	}
	e.a.Bind(alone)
	e.a.Popcnt(32, regWork0, x86.R(regWork2))
	e.addCount(atG80+by32, x86.R(regWork0))
	e.a.Bind(done)
}

// segments is the rule of compute capability 1.2 and 1.3: see mem.Transactions12.
func (e *emitter) segments(half int, size uint32) {
	log, v := min(5+bits.TrailingZeros32(size), 7), e.accessor()
	next, apart, done := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	v.ifApart(half, log, apart)
	e.sides(half, log)
	v.group(half, log)
	e.a.Lea(64, regHost, e.sizeTable())
	e.a.Bind(next)
	e.a.Tzcnt(32, regWork0, x86.R(regWork2))
	v.alike(half)
	e.a.Xor(32, x86.R(regWork2), x86.R(regWork1))
	e.a.Imul(64, regWork1, e.word64(0x0001000100010001))
	e.a.And(64, x86.R(regWork1), x86.R(regSite))
	// One bit for each field that is not 0.
	e.a.Mov(64, x86.R(regWork0), x86.R(regWork1))
	e.a.And(64, x86.R(regWork0), e.word64(0x7fff7fff7fff7fff))
	e.a.Add(64, x86.R(regWork0), e.word64(0x7fff7fff7fff7fff))
	e.a.Or(64, x86.R(regWork0), x86.R(regWork1))
	e.a.Pext(64, regWork0, regWork0, e.word64(0x8000800080008000))
	e.a.MovZX(32, regWork0, 8, x86.At(regHost, 0).Index(regWork0, 1))
	e.a.Inc(64, x86.At(regCount, int32(atGT200)).Index(regWork0, 1))
	e.a.Test(32, x86.R(regWork2), x86.R(regWork2))
	e.a.Jcc(x86.NE, next)
	e.a.Jmp(done)

	// One lane uses 32 bytes at most.
	e.a.Bind(apart)
	e.a.Popcnt(32, regWork0, x86.R(regWork2))
	e.addCount(atGT200+by32, x86.R(regWork0))
	e.a.Bind(done)
}

// sides makes regSite four fields of 16 bits: the lanes in the lower and in the upper half of a
// segment of 128 bytes, and those in the lower and in the upper half of one of 64. All lanes count
// as in the lower half of segments larger than the rule's.
func (e *emitter) sides(half, log int) {
	site, v := x86.R(regSite), e.accessor()
	e.a.Xor(32, site, site)
	if log > 6 {
		v.bit(half, 6, regSite)
	}
	if log > 5 {
		v.bit(half, 5, regWork1)
		e.a.Shl(64, x86.R(regWork1), x86.Imm(32))
		e.a.Or(64, site, x86.R(regWork1))
	}
	e.a.Mov(64, x86.R(regWork0), site)
	e.a.Not(64, x86.R(regWork0))
	e.a.And(64, x86.R(regWork0), e.word64(0x0000ffff0000ffff))
	e.a.Shl(64, site, x86.Imm(16))
	e.a.Or(64, site, x86.R(regWork0))
}

// sizeTable returns the places of the counters of transactions, by the set of fields of sides with
// lanes: a transaction is halved while only one half of it is used.
func (e *emitter) sizeTable() x86.Operand {
	var table [16]byte
	for used := range table {
		switch {
		case used&3 == 3:
			table[used] = byte(by128)
		case used&12 == 12:
			table[used] = byte(by64)
		default:
			table[used] = byte(by32)
		}
	}
	return e.a.Const(table[:], 16)
}
