package mem

import (
	"unsafe"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Rows serves accesses of several warps at once, if their patterns agree and elements have up to 32
// bits. It is scratch; a zero Rows works once Lanes is set.
type Rows struct {
	Lanes *lane.Kernels

	alike [lane.MaxWarps]lane.Mask
	low   [lane.MaxWarps]uint32
	start [lane.MaxWarps]unsafe.Pointer
	words [lane.MaxWarps]uint32
}

// LoadGlobal loads an element of type t from s for each lane of sel, and adds the cost to a if
// count is set. If it reports false, it did nothing, and the warps must load one by one.
func (r *Rows) LoadGlobal(s *Space, t tesla.Type, dst, at lane.Rows, sel *lane.Sel, a *Access, count bool) bool {
	if !r.follow(t, at, sel, a) || !r.aimGlobal(s, sel, a, false) {
		return false
	}
	if count {
		r.costDevice(at, sel, a)
	}
	r.load(t, dst, at, sel, a)
	return true
}

// StoreGlobal is LoadGlobal for stores.
func (r *Rows) StoreGlobal(s *Space, t tesla.Type, src, at lane.Rows, sel *lane.Sel, a *Access, count bool) bool {
	if !r.follow(t, at, sel, a) || !r.aimGlobal(s, sel, a, true) {
		return false
	}
	if count {
		r.costDevice(at, sel, a)
	}
	r.store(t, src, at, sel, a)
	return true
}

// LoadShared is LoadGlobal for shared memory. banks has one memory per warp, all of one size. The
// addresses are those in at plus offset, a multiple of 4.
func (r *Rows) LoadShared(banks []*Shared, t tesla.Type, dst, at lane.Rows, offset uint32, sel *lane.Sel, a *Access, count bool) bool {
	if !r.follow(t, at, sel, a) {
		return false
	}
	if a.seen == broadcast {
		return r.spreadShared(banks, t, dst, offset, sel, a, count)
	}
	if !r.aimShared(banks, offset, sel, a) {
		return false
	}
	if count {
		r.costShared(at, sel, a)
	}
	r.load(t, dst, at, sel, a)
	return true
}

// spreadShared is LoadShared of one element for all lanes of each warp.
func (r *Rows) spreadShared(banks []*Shared, t tesla.Type, dst lane.Rows, offset uint32, sel *lane.Sel, a *Access, count bool) bool {
	sh := shapeOf(t)
	for k, w := range sel.Warp[:sel.N] {
		b, low := banks[w].bytes, r.low[k]+offset
		switch {
		case uint64(low)+uint64(a.size) > uint64(len(b)):
			return false
		case sh == word:
			r.words[k] = le.Uint32(b[low:])
		default:
			r.words[k] = element(b[low:], sh)
		}
	}
	if count {
		a.Shared.AddSingle(halfWarps(sel))
	}
	r.Lanes.Spread(dst, &r.words, sel)
	return true
}

// StoreShared is LoadShared for stores.
func (r *Rows) StoreShared(banks []*Shared, t tesla.Type, src, at lane.Rows, offset uint32, sel *lane.Sel, a *Access, count bool) bool {
	if !r.follow(t, at, sel, a) || !r.aimShared(banks, offset, sel, a) {
		return false
	}
	if count {
		r.costShared(at, sel, a)
	}
	r.store(t, src, at, sel, a)
	return true
}

// LoadConst is LoadShared for a constant bank.
func (r *Rows) LoadConst(c Const, t tesla.Type, dst, at lane.Rows, offset uint32, sel *lane.Sel, a *Access, count bool) bool {
	if !r.follow(t, at, sel, a) || !r.aimConst(c, offset, sel, a) {
		return false
	}
	if count {
		for k, m := range sel.Mask[:sel.N] {
			a.Const.addConst(at.At(int(sel.Warp[k])), m, a.seen)
		}
	}
	r.load(t, dst, at, sel, a)
	return true
}

// follow reports whether the addresses of all warps have the pattern a; a learns from the first
// warp that differs. Then low has the start of each access.
func (r *Rows) follow(t tesla.Type, at lane.Rows, sel *lane.Sel, a *Access) bool {
	a.size = shapeOf(t).size()
	learned := false
	for {
		stray := 0
		if a.known {
			r.Lanes.Follow(&r.alike, &r.low, at, a.offsets(), sel)
			for stray < sel.N && r.alike[stray] == sel.Mask[stray] && r.low[stray]&(a.size-1) == 0 {
				stray++
			}
			if stray == sel.N {
				if !learned {
					a.surprise = 0
				}
				return true
			}
		}
		if learned || !a.learn(at.At(int(sel.Warp[stray])), sel.Mask[stray]) {
			return false
		}
		learned = true
	}
}

// aimGlobal finds the memory of the loads or stores that begin at low. It reports false if an
// access may not be inside one allocation.
func (r *Rows) aimGlobal(s *Space, sel *lane.Sel, a *Access, stores bool) bool {
	var in *allocation
	for k := range sel.N {
		low, n := r.low[k], uint64(a.last(sel.Mask[k]))+uint64(a.size)
		if in == nil || uint64(low-in.base)+n > uint64(len(in.data)) {
			if in = s.find(low); in == nil || uint64(low-in.base)+n > uint64(len(in.data)) {
				return false
			}
			if stores {
				in.touch()
			}
		}
		r.start[k] = unsafe.Pointer(&in.data[low-in.base])
	}
	return true
}

// aimShared is aimGlobal for shared memory.
func (r *Rows) aimShared(banks []*Shared, offset uint32, sel *lane.Sel, a *Access) bool {
	for k := range sel.N {
		b := banks[sel.Warp[k]].bytes
		low := r.low[k] + offset
		if uint64(low)+uint64(a.last(sel.Mask[k]))+uint64(a.size) > uint64(len(b)) {
			return false
		}
		r.start[k] = unsafe.Pointer(&b[low])
	}
	return true
}

// aimConst is aimGlobal for a constant bank.
func (r *Rows) aimConst(c Const, offset uint32, sel *lane.Sel, a *Access) bool {
	for k := range sel.N {
		low := r.low[k] + offset
		if uint64(low)+uint64(a.last(sel.Mask[k]))+uint64(a.size) > uint64(len(c)) {
			return false
		}
		r.start[k] = unsafe.Pointer(&c[low])
	}
	return true
}

// load reads the elements of the accesses that begin at start.
func (r *Rows) load(t tesla.Type, dst, at lane.Rows, sel *lane.Sel, a *Access) {
	sh := shapeOf(t)
	switch {
	case a.seen == broadcast:
		for k := range sel.N {
			r.words[k] = element(r.bytes(k, a.size), sh)
		}
		r.Lanes.Spread(dst, &r.words, sel)
	case sh != word:
		for k, m := range sel.Mask[:sel.N] {
			w := int(sel.Warp[k])
			load(&Data{dst.At(w)}, r.bytes(k, a.last(m)+a.size), r.low[k], at.At(w), m, sh, a.seen)
		}
	case a.seen == contiguous:
		r.Lanes.LoadRun(dst, &r.start, sel)
	default:
		r.Lanes.Gather(dst, &r.start, &a.own, sel)
	}
	clear(r.start[:sel.N]) // start must not keep memory that the program frees
}

// bytes returns the n bytes from the start of the access of the selection's k-th warp.
func (r *Rows) bytes(k int, n uint32) []byte { return unsafe.Slice((*byte)(r.start[k]), n) }

// store writes the elements of the accesses that begin at start.
func (r *Rows) store(t tesla.Type, src, at lane.Rows, sel *lane.Sel, a *Access) {
	switch sh := shapeOf(t); {
	case sh != word || a.seen == broadcast: // lane by lane, because the highest lane wins
		for k, m := range sel.Mask[:sel.N] {
			w := int(sel.Warp[k])
			store(&Data{src.At(w)}, r.bytes(k, a.last(m)+a.size), r.low[k], at.At(w), m, sh, a.seen)
		}
	case a.seen == contiguous:
		r.Lanes.StoreRun(&r.start, src, sel)
	default:
		r.Lanes.Scatter(&r.start, &a.own, src, sel)
	}
	clear(r.start[:sel.N])
}

// costDevice counts accesses to global memory.
func (r *Rows) costDevice(at lane.Rows, sel *lane.Sel, a *Access) {
	switch a.seen {
	case contiguous:
		whole := uint64(0)
		for k, m := range sel.Mask[:sel.N] {
			if m == lane.All && a.size == 4 && r.low[k]%64 == 0 { // the usual case
				whole++
			} else {
				a.Device.addRun(r.low[k], m, a.size)
			}
		}
		a.Device.Accesses += 2 * whole
		a.Device.G80.By64 += 2 * whole
		a.Device.GT200.By64 += 2 * whole
	case broadcast:
		for k, m := range sel.Mask[:sel.N] {
			a.Device.add(at.At(int(sel.Warp[k])), m, a.size, broadcast)
		}
	default:
		for k, m := range sel.Mask[:sel.N] {
			if m != a.lanes {
				a.Device.add(at.At(int(sel.Warp[k])), m, a.size, scattered)
				continue
			}
			phase := r.low[k] % 128
			known := &a.device[phase/32]
			if phase != known.phase {
				*known = costAt{phase: phase}
				known.cost.add(at.At(int(sel.Warp[k])), m, a.size, scattered)
			}
			a.Device.Add(&known.cost)
		}
	}
}

// costShared counts accesses to shared memory. Moving all addresses by some words changes nothing.
func (r *Rows) costShared(at lane.Rows, sel *lane.Sel, a *Access) {
	if a.seen == broadcast || a.seen == contiguous && a.size == 4 {
		a.Shared.AddSingle(halfWarps(sel))
		return
	}
	for k, m := range sel.Mask[:sel.N] {
		switch {
		case a.seen == contiguous:
			a.Shared.addShared(at.At(int(sel.Warp[k])), m, a.size, contiguous)
		case m != a.lanes:
			a.Shared.addShared(at.At(int(sel.Warp[k])), m, a.size, scattered)
		default: // moving elements by words moves all banks alike
			if phase := r.low[k] % 4; phase != a.shared.phase {
				a.shared = stepsAt{phase: phase}
				a.shared.steps.addShared(at.At(int(sel.Warp[k])), m, a.size, scattered)
			}
			a.Shared.Add(&a.shared.steps)
		}
	}
}
