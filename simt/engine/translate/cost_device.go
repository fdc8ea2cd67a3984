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
		e.accessor().own().segments(half, min(5+bits.TrailingZeros32(size), 7))
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
