package translate

import (
	"math/bits"
	"unsafe"

	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// costOfRuns counts an access of half-warps that each access consecutive words, or jumps to cost,
// the code that counts any access. The places of the words are in regWork0 and regWork2.
func (e *emitter) costOfRuns(k kind, cost x86.Label) {
	if k.space == program.SpaceShared {
		e.addCount(unsafe.Offsetof(mem.Access{}.Singles), x86.Imm(2))
		return
	}
	e.a.Or(32, x86.R(regWork0), x86.R(regWork2))
	e.a.Test(32, x86.R(regWork0), x86.Imm(63)) // allocations begin at whole pages
	e.a.Jcc(x86.NE, cost)
	var c mem.Traffic
	c.Count(elements(4), lane.All, 4)
	c.GT200 = mem.Transactions{By64: 2}
	e.addTraffic(c)
}

// costOfRun counts an access of a whole warp to consecutive elements, or jumps to cost.
func (e *emitter) costOfRun(k kind, cost x86.Label) {
	size := k.size()
	switch {
	case k.space == program.SpaceGlobal:
		e.trafficOfRun(size)
	case size < 4: // lanes share words
		e.a.Jmp(cost)
	default:
		var c mem.Steps
		c.CountShared(elements(size), lane.All, size)
		e.addSteps(atShared, c)
	}
}

// trafficOfRun counts an access of a whole warp to consecutive elements of global memory. The
// transactions depend on the start of the access, modulo the largest segment.
func (e *emitter) trafficOfRun(size uint32) {
	whole, done := e.a.NewLabel(), e.a.NewLabel()
	e.accessor().first(regWork0, addresses, 0)
	if size >= 4 {
		e.a.Test(32, x86.R(regWork0), x86.Imm(int64(16*size-1)))
		e.a.Jcc(x86.E, whole)
	}
	var table []byte
	var c mem.Traffic
	for start := uint32(0); start < segment; start += size {
		row := elements(size)
		for i := range row {
			row[i] += start
		}
		c = mem.Traffic{}
		c.Count(row, lane.All, size)
		n := c.GT200
		table = append(table, byte(n.By32), byte(n.By64), byte(n.By128), 0)
	}
	c.GT200 = mem.Transactions{} // the rest is the same for accesses that begin inside a segment
	e.addTraffic(c)
	e.a.And(32, x86.R(regWork0), x86.Imm(segment-1))
	if size > 4 {
		e.a.Shr(32, x86.R(regWork0), x86.Imm(int64(bits.TrailingZeros32(size/4))))
	}
	e.a.Lea(64, regHost, e.a.Const(table, 16))
	for i, to := range []uintptr{by32, by64, by128} {
		e.a.MovZX(32, regWork2, 8, x86.At(regHost, int32(i)).Index(regWork0, uint8(max(1, 4/size))))
		e.addCount(atGT200+to, x86.R(regWork2))
	}
	if size < 4 {
		return
	}
	e.a.Jmp(done)
	e.a.Bind(whole)
	if size == 4 {
		e.addCount(unsafe.Offsetof(mem.Access{}.Wholes), x86.Imm(1))
	} else {
		c = mem.Traffic{}
		c.Count(elements(size), lane.All, size)
		e.addTraffic(c)
	}
	e.a.Bind(done)
}

// segment is the size of the largest transaction.
const segment = 128

// elements is a row of the offsets of consecutive elements.
func elements(size uint32) *lane.Row {
	r := new(lane.Row)
	for i := range r {
		r[i] = size * uint32(i)
	}
	return r
}

// addSteps adds known steps.
func (e *emitter) addSteps(to uintptr, c mem.Steps) {
	if to == atShared && c.Steps == c.Accesses {
		e.addCount(unsafe.Offsetof(mem.Access{}.Singles), x86.Imm(int64(c.Steps)))
		return
	}
	e.addKnown(to+unsafe.Offsetof(c.Accesses), c.Accesses)
	e.addKnown(to+unsafe.Offsetof(c.Single), c.Single)
	e.addKnown(to+unsafe.Offsetof(c.Steps), c.Steps)
}

// addTraffic adds known traffic.
func (e *emitter) addTraffic(c mem.Traffic) {
	e.addKnown(atAccesses, c.Accesses)
	for _, t := range [...]struct {
		to uintptr
		mem.Transactions
	}{{atG80, c.G80}, {atGT200, c.GT200}} {
		e.addKnown(t.to+by32, t.By32)
		e.addKnown(t.to+by64, t.By64)
		e.addKnown(t.to+by128, t.By128)
	}
}

func (e *emitter) addKnown(field uintptr, n uint64) {
	if n != 0 {
		e.addCount(field, x86.Imm(int64(n)))
	}
}
