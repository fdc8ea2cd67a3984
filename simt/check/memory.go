package check

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"jacquard/simt/lane"
	"jacquard/simt/machine"
)

// stepMemory records the accesses of a block to one memory since the last barrier. A cell is
// 1<<unit bytes: the least store of the kernel, at most a word.
type stepMemory struct {
	global bool
	unit   uint
	pages  map[stepKey]*stepPage
	free   []*stepPage
	recent [recentPages]recentPage
}

// stepPage records the accesses of a warp to neighbouring cells in an interval between barriers. As
// long as one lane accesses a cell, who is the lane and did what it did. From then on the masks
// have the lanes.
type stepPage struct {
	interval uint32
	low      uint32 // the address of data
	data     []byte // the memory from low on; nil: none is known
	who      [stepPageCells]uint8
	did      [stepPageCells]uint8
	value    [stepPageCells]uint32
	readAt   [stepPageCells]int32 // index of the last instruction that read the value
	storedAt [stepPageCells]int32 // index of the last instruction that stored the value
	read     [stepPageCells]lane.Mask
	stored   [stepPageCells]lane.Mask
}

// Values of stepPage.who: nobody, 1 more than the lane, or several.
const (
	nobody  = 0
	several = lane.Width + 1
)

// Bits of stepPage.did.
const (
	didRead   = 1 << iota // lanes read the value
	didStore              // lanes stored the value
	didChange             // the value changed in the interval
)

const (
	stepPageCells = 64
	mostStepPages = 1 << 14 // per memory; further pages are not looked at
	recentPages   = 1 << 10
)

type stepKey struct {
	warp int
	page uint32
}

// recentPage is a page that was used lately, at the place that its key gives.
type recentPage struct {
	key  stepKey
	page *stepPage
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

// recycle forgets pages if there are many. The interval of a page tells that it is old.
func (x *stepMemory) recycle() {
	if len(x.pages) <= mostStepPages/2 {
		return
	}
	for _, p := range x.pages {
		x.free = append(x.free, p)
	}
	clear(x.pages)
	x.recent = [recentPages]recentPage{}
}

// pieces returns the pieces, from first up to last, of the bytes from addr. There are none
// if the access is misaligned: it will fault.
func (x *stepMemory) pieces(addr uint32, size int) (first, last uint32) {
	if addr&uint32(size-1) != 0 {
		return 0, 0
	}
	return addr >> x.unit, (addr+uint32(size)-1)>>x.unit + 1
}

// page returns the page of piece i for warp w, nil if there is no room for it.
func (x *stepMemory) page(w int, i, interval uint32) *stepPage {
	key := stepKey{w, i / stepPageCells}
	r := &x.recent[(key.page+uint32(w)*64)%recentPages]
	if r.page == nil || r.key != key {
		p := x.open(key)
		if p == nil {
			return nil
		}
		*r = recentPage{key, p}
	}
	if p := r.page; p.interval != interval {
		p.interval, p.data = interval, nil
		p.who = [stepPageCells]uint8{}
	}
	return r.page
}

// open returns the page of a key, nil if there is no room for it.
func (x *stepMemory) open(key stepKey) *stepPage {
	p := x.pages[key]
	if p != nil {
		return p
	}
	switch last := len(x.free) - 1; {
	case last >= 0:
		p, x.free = x.free[last], x.free[:last]
		p.interval = 0
	case len(x.pages) == mostStepPages:
		return nil
	default:
		p = new(stepPage)
	}
	if x.pages == nil {
		x.pages = map[stepKey]*stepPage{}
	}
	x.pages[key] = p
	return p
}

// touch makes cell k, which is piece i, one that lane l alone has accessed, if nobody has. It reports
// whether lane l is the only one.
func (x *stepMemory) touch(st *machine.State, p *stepPage, k, i uint32, l int) bool {
	who := uint8(l + 1)
	switch p.who[k] {
	case who:
		return true
	case nobody:
		p.who[k], p.did[k], p.value[k] = who, 0, x.value(st, p, i<<x.unit)
		return true
	}
	return false
}

// cursor goes over the lanes of a row of accesses, which mostly stay on a page.
type cursor struct {
	to       *stepMemory
	warp     int
	whole    bool // each access is of one cell
	interval uint32
	number   uint32 // of the page
	page     *stepPage
}

// own returns the page and the number of the cell at addr, if an access is of that cell alone, and
// lane l is the only one that has accessed the cell. Otherwise the page is nil.
func (c *cursor) own(st *machine.State, addr uint32, l int) (p *stepPage, k uint32) {
	i := addr >> c.to.unit
	if !c.whole || addr != i<<c.to.unit {
		return nil, 0
	}
	if number := i / stepPageCells; c.page == nil || number != c.number {
		if c.page, c.number = c.to.page(c.warp, i, c.interval), number; c.page == nil {
			return nil, 0
		}
	}
	k = i % stepPageCells
	if c.page.who[k] != uint8(l+1) && !c.to.touch(st, c.page, k, i, l) {
		return nil, 0
	}
	return c.page, k
}

// spread makes the masks of a cell hold the lanes that accessed it.
func (p *stepPage) spread(k uint32) {
	who := p.who[k]
	if who == several {
		return
	}
	p.read[k], p.stored[k] = 0, 0
	if who != nobody && p.did[k]&didRead != 0 {
		p.read[k] = 1 << (who - 1)
	}
	if who != nobody && p.did[k]&didStore != 0 {
		p.stored[k] = 1 << (who - 1)
	}
	p.who[k] = several
}

// value returns the piece at addr, 0 if it does not exist: the access will fault.
func (x *stepMemory) value(st *machine.State, p *stepPage, addr uint32) (v uint32) {
	n := uint32(1) << x.unit
	if p.data == nil || addr-p.low >= uint32(len(p.data)) {
		p.low, p.data = 0, st.Shared.Bytes()
		if x.global {
			p.low, p.data = addr, st.Global.Reach(addr)
		}
	}
	at := addr - p.low
	if n == 4 && uint64(at)+4 <= uint64(len(p.data)) {
		return binary.LittleEndian.Uint32(p.data[at:])
	}
	for k := range n {
		if at := at + k; at < uint32(len(p.data)) {
			v |= uint32(p.data[at]) << (8 * k)
		}
	}
	return v
}

// line returns the page and the first cell of a row of words that all lanes access, each the next,
// if nobody else has accessed these since the last barrier; nil for other rows.
func (x *stepMemory) line(st *machine.State, w int, addr *lane.Row, m lane.Mask, size int, interval uint32) (p *stepPage, k uint32) {
	if m != lane.All || size != 4 || x.unit != 2 || addr[0]%4 != 0 {
		return nil, 0
	}
	first := addr[0] / 4
	if k = first % stepPageCells; k > stepPageCells-lane.Width || k%8 != 0 {
		return nil, 0
	}
	for l := range addr {
		if addr[l] != addr[0]+4*uint32(l) {
			return nil, 0
		}
	}
	if p = x.page(w, first, interval); p == nil {
		return nil, 0
	}
	own, none := true, true
	for g := range uint32(lane.Width / 8) {
		who := *eight(&p.who, k+8*g)
		own = own && who == lanes8[g]
		none = none && who == 0
	}
	switch {
	case own:
		return p, k
	case !none:
		return nil, 0
	}
	for g := range uint32(lane.Width / 8) {
		*eight(&p.who, k+8*g), *eight(&p.did, k+8*g) = lanes8[g], 0
	}
	for l := range uint32(lane.Width) {
		p.value[k+l] = x.value(st, p, addr[0]+4*l)
	}
	return p, k
}

// eight returns the eight bytes from an index on, which is a multiple of 8.
func eight(list *[stepPageCells]uint8, k uint32) *uint64 {
	return (*uint64)(unsafe.Pointer(&list[k]))
}

// lanes8 are the values of stepPage.who for all lanes in order, eight by eight.
var lanes8 = func() (list [lane.Width / 8]uint64) {
	for l := range lane.Width {
		list[l/8] |= uint64(l+1) << (8 * (l % 8))
	}
	return list
}()
