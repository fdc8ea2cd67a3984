package translate

import (
	"math"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
)

// A vector register holds one part of one row of the warp, or a value that is in no row. Changed
// parts are written to memory where the code may leave, and where control flow merges.
//
// Registers are right only in the lanes that run. The words of idle lanes are in memory; writing
// back leaves them alone.

// mostVectors is the most vector registers of a host.
const mostVectors = 32

// mostParts is the most parts of a row.
const mostParts = 4

// cell is the content of a vector register.
type cell struct {
	row   int16 // noRow: nothing of the warp
	part  uint8
	dirty bool // memory has an older word
	used  int32
}

const noRow = -1

// laneMask is the vector register for the lanes that run in AVX2 code for some lanes.
const laneMask = 15

// cells is the state of all vector registers.
type cells [mostVectors]cell

// cache knows which rows are in registers.
type cache struct {
	cells
	at  [][mostParts]uint8 // by row: 1 plus the register of each part, 0 for none
	now int32              // counts uses
}

func newCache(rows int) cache {
	c := cache{at: make([][mostParts]uint8, rows)}
	for i := range c.cells {
		c.cells[i].row = noRow
	}
	return c
}

// rowAt returns the memory of a part of a row.
func (e *emitter) rowAt(row, part int) x86.Operand {
	return x86.At(regRows, int32(row)*rowBytes-rowBias+int32(part)*e.bytes)
}

// step begins another use of the cache: registers that get has returned may be evicted.
func (e *emitter) step() { e.cache.now++ }

// get returns a register with a part of a row. The register is valid until the next step, and must
// not be changed.
func (e *emitter) get(row, part int) vector.Vec {
	if r := e.at[row][part]; r != 0 {
		e.cells[r-1].used = e.now
		return vector.Vec(r - 1)
	}
	v := e.Vec()
	e.a.V(x86.Ins{Op: x86.VMOVDQU32, L: e.width, D: uint8(v), RM: e.rowAt(row, part)})
	e.hold(v, row, part, false)
	return v
}

// assign makes v, which the caller owns, a part of a row in the lanes of the present instruction.
func (e *emitter) assign(row, part int, v vector.Vec) {
	if e.guarded {
		m := e.FromMemory(e.lanes, part)
		d := e.Select(m, e.get(row, part), v)
		e.FreeMask(m)
		e.Free(v)
		v = d
	}
	if own, ok := e.ofLoop(row, part); ok {
		e.moveTo(own, v)
		e.Free(v)
		e.cells[own].dirty = true
		return
	}
	if r := e.at[row][part]; r != 0 {
		e.drop(int(r - 1))
	}
	e.hold(v, row, part, true)
}

func (e *emitter) hold(v vector.Vec, row, part int, dirty bool) {
	e.cells[v] = cell{int16(row), uint8(part), dirty, e.now}
	e.at[row][part] = uint8(v) + 1
}

// drop forgets a register.
func (e *emitter) drop(v int) {
	c := &e.cells[v]
	e.at[c.row][c.part] = 0
	c.row = noRow
	e.Free(vector.Vec(v))
}

// evict frees the least recently used register, but no register of this step. It is the
// builder's Evict.
func (e *emitter) evict() bool {
	oldest, at := int32(math.MaxInt32), -1
	for i := range e.cells {
		if c := &e.cells[i]; c.row != noRow && c.used < e.now && c.used < oldest && !e.keeps(i) {
			oldest, at = c.used, i
		}
	}
	if at < 0 {
		return false
	}
	e.save(at)
	e.drop(at)
	return true
}

// save writes a register to memory if memory is older.
func (e *emitter) save(v int) {
	if c := &e.cells[v]; c.dirty {
		e.store(c, v)
		c.dirty = false
	}
}

// store writes a register to its row, in the lanes that run.
func (e *emitter) store(c *cell, v int) {
	to := e.rowAt(int(c.row), int(c.part))
	e.storeLanes(to, vector.Vec(v), int(c.part))
}

// storeLanes writes the lanes that run of part of a row to memory.
func (e *emitter) storeLanes(to x86.Operand, v vector.Vec, part int) {
	switch {
	case e.full:
		e.a.V(x86.Ins{Op: x86.VMOVDQU32Store, L: e.width, D: uint8(v), RM: to})
	case e.Level == vector.AVX512:
		e.a.V(x86.Ins{Op: x86.VMOVDQU32Store, L: e.width, D: uint8(v), RM: to, K: uint8(maskLow + part)})
	default:
		e.a.V(x86.Ins{Op: x86.VMOVDQU32, L: e.width, D: laneMask, RM: lanesAt(int32(part) * e.bytes)})
		e.a.V(x86.Ins{Op: x86.VPMASKMOVDStore, L: e.width, D: uint8(v), S: laneMask, RM: to})
	}
}

// saveAll writes every changed register to memory.
func (e *emitter) saveAll() {
	for i := range e.cells {
		if e.cells[i].row != noRow {
			e.save(i)
		}
	}
}

// forget drops every register.
func (e *emitter) forget() {
	for i := range e.cells {
		if e.cells[i].row != noRow {
			e.drop(i)
		}
	}
}

// blank forgets every register, and writes nothing, after a piece of code in the cold part.
func (e *emitter) blank() {
	for i := range e.cells {
		e.cells[i].row = noRow
	}
	clear(e.cache.at)
}

// saveCopy is saveAll for the registers of an earlier state, in cold code.
func (e *emitter) saveCopy(s *cells) {
	for i := range s {
		if c := &s[i]; c.row != noRow && c.dirty {
			e.store(c, i)
		}
	}
}

// loadCopy loads the registers of an earlier state, in cold code.
func (e *emitter) loadCopy(s *cells) {
	for i := range s {
		if c := &s[i]; c.row != noRow {
			e.a.V(x86.Ins{Op: x86.VMOVDQU32, L: e.width, D: uint8(i), RM: e.rowAt(int(c.row), int(c.part))})
		}
	}
}
