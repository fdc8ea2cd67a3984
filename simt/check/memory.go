package check

import (
	"math/bits"

	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
)

// stepMemory records the accesses of a block to one memory since the last barrier.
type stepMemory struct {
	global bool
	unit   uint // a cell is 1<<unit bytes: the least store of the kernel, at most a word
	pages  map[stepKey]*stepPage
	free   []*stepPage
	key    stepKey // of the page last used
	page   *stepPage
}

// stepCell records the accesses of a warp to a piece of memory in an interval between barriers.
type stepCell struct {
	interval uint32 // an older one: nothing yet
	value    uint32
	changed  bool        // in the interval
	stored   lane.Mask   // lanes that stored the value
	read     lane.Mask   // lanes that read it
	storedAt *program.Op // by the last of them
	readAt   *program.Op
}

// Cells come in pages, each for one warp.
const (
	stepPageCells = 64
	mostStepPages = 1 << 13 // per memory; further pages are not looked at
)

type stepPage [stepPageCells]stepCell

type stepKey struct {
	warp int
	page uint32
}

func (x *stepMemory) name() string {
	if x.global {
		return "g"
	}
	return "s"
}

// narrow makes cells no longer than a store of size bytes.
func (x *stepMemory) narrow(size int) {
	x.unit = min(x.unit, uint(bits.TrailingZeros(uint(size))))
}

// recycle forgets everything. The interval of a cell tells that it is old.
func (x *stepMemory) recycle() {
	for _, p := range x.pages {
		x.free = append(x.free, p)
	}
	clear(x.pages)
	x.page = nil
}

// pieces returns the pieces, from first up to last, of the bytes from addr. There are none
// if the access is misaligned: it will fault.
func (x *stepMemory) pieces(addr uint32, size int) (first, last uint32) {
	if addr&uint32(size-1) != 0 {
		return 0, 0
	}
	return addr >> x.unit, (addr+uint32(size)-1)>>x.unit + 1
}

// cell returns the cell of piece i for warp w, nil if there is no room for it.
func (x *stepMemory) cell(st *machine.State, w int, i, interval uint32) *stepCell {
	key := stepKey{w, i / stepPageCells}
	if x.page == nil || x.key != key {
		if !x.open(key) {
			return nil
		}
	}
	c := &x.page[i%stepPageCells]
	if c.interval != interval {
		*c = stepCell{interval: interval, value: x.value(st, i<<x.unit)}
	}
	return c
}

// open makes the page of key the one in use, and reports whether there is room for it.
func (x *stepMemory) open(key stepKey) bool {
	p := x.pages[key]
	if p == nil {
		switch last := len(x.free) - 1; {
		case last >= 0:
			p, x.free = x.free[last], x.free[:last]
		case len(x.pages) == mostStepPages:
			return false
		default:
			p = new(stepPage)
		}
		if x.pages == nil {
			x.pages = map[stepKey]*stepPage{}
		}
		x.pages[key] = p
	}
	x.key, x.page = key, p
	return true
}

// value returns the piece at addr, 0 if it does not exist: the access will fault.
func (x *stepMemory) value(st *machine.State, addr uint32) (v uint32) {
	n := uint32(1) << x.unit
	data := st.Shared.Bytes()
	if x.global {
		data, addr = st.Global.Reach(addr), 0
	}
	for k := range n {
		if at := addr + k; at < uint32(len(data)) {
			v |= uint32(data[at]) << (8 * k)
		}
	}
	return v
}
