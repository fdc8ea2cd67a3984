package translate

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// The costs of accesses, by the rules of package mem. The lanes are in regLanes, and the addresses
// where the accessor has them.

// The places of costs in mem.Access.
const (
	atDevice   = unsafe.Offsetof(mem.Access{}.Cost) + unsafe.Offsetof(mem.Cost{}.Device)
	atAccesses = atDevice + unsafe.Offsetof(mem.Traffic{}.Accesses)
	atG80      = atDevice + unsafe.Offsetof(mem.Traffic{}.G80)
	atGT200    = atDevice + unsafe.Offsetof(mem.Traffic{}.GT200)
	atShared   = unsafe.Offsetof(mem.Access{}.Cost) + unsafe.Offsetof(mem.Cost{}.Shared)
	atConst    = unsafe.Offsetof(mem.Access{}.Cost) + unsafe.Offsetof(mem.Cost{}.Const)
	by32       = unsafe.Offsetof(mem.Transactions{}.By32)
	by64       = unsafe.Offsetof(mem.Transactions{}.By64)
	by128      = unsafe.Offsetof(mem.Transactions{}.By128)
)

// countCost counts an access of a kind.
func (e *emitter) countCost(k kind) {
	switch k.space {
	case program.SpaceGlobal:
		e.accessor().ifKnown(k, func() { e.deviceCost(k.size()) })
	case program.SpaceShared:
		e.accessor().ifKnown(k, func() { e.accessor().own().sharedCost(k) })
	case program.SpaceConst:
		e.constCost()
	case program.SpaceLocal:
		e.localCost(k)
	}
}

// localCost counts an access as to device memory, word by word: see mem.Traffic.CountLocal. Words
// of an element are whole rows apart, so each costs the same.
func (e *emitter) localCost(k kind) {
	e.accessor().spreadAddresses(k)
	for range k.words() {
		e.deviceCost(min(k.size(), 4))
	}
}

// eachHalf emits code for each half-warp that has lanes, with the lanes in regWork2.
func (e *emitter) eachHalf(f func(half int)) {
	for half := range 2 {
		none := e.a.NewLabel()
		if half == 0 {
			e.a.MovZX(32, regWork2, 16, x86.R(regLanes))
			e.a.Test(32, x86.R(regWork2), x86.R(regWork2))
		} else {
			e.a.Mov(32, x86.R(regWork2), x86.R(regLanes))
			e.a.Shr(32, x86.R(regWork2), x86.Imm(16))
		}
		e.a.Jcc(x86.E, none)
		f(half)
		e.a.Bind(none)
	}
}

// constCost counts an access to constant memory: one step per address of a half-warp.
func (e *emitter) constCost() {
	e.eachHalf(func(half int) {
		e.accessor().own().distinct(half)
		e.countSteps(atConst, 1)
	})
}

// countSteps counts accesses to words, each of regHost steps.
func (e *emitter) countSteps(to uintptr, words int64) {
	several := e.a.NewLabel()
	e.addCount(to+unsafe.Offsetof(mem.Steps{}.Accesses), x86.Imm(words))
	e.a.Cmp(32, x86.R(regHost), x86.Imm(1))
	e.a.Jcc(x86.NE, several)
	e.addCount(to+unsafe.Offsetof(mem.Steps{}.Single), x86.Imm(words))
	e.a.Bind(several)
	if words > 1 {
		e.a.ImulImm(32, regHost, x86.R(regHost), int32(words))
	}
	e.addCount(to+unsafe.Offsetof(mem.Steps{}.Steps), x86.R(regHost))
}

// word64 is a word of 64 bits in memory.
func (e *emitter) word64(v uint64) x86.Operand {
	return e.a.Const(binary.LittleEndian.AppendUint64(nil, v), 8)
}

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
