package branch

import "jacquard/simt/lane"

// gma keeps two counters per lane, of ifs and of loops: the height of the lane's column of ones in
// a stack of masks. The warp keeps the heights of the stacks; a lane is active if both its columns
// reach the top. Intel's GMA before Sandy Bridge worked so: S. Collange, M. Daumas, D. Defour, D.
// Parello, "Étude comparée et simulation d'algorithmes de branchements pour le GPGPU" (2009),
// section 5.1.
//
// A loop is two masks high, the lanes that have not left it and the lanes in the round: a break
// lowers the lane's column by two, a continue by one.
type gma struct {
	ifs, loops heights
	most       int
}

// heights is a stack of masks kept as the heights of its columns.
type heights struct {
	top    uint32
	column [lane.Width]uint32 // 0 if the lane has ended
	mask   lane.Mask          // lanes whose columns reach the top
}

// start makes a stack of one mask.
func (h *heights) start(m lane.Mask) {
	h.top, h.mask = 1, m
	for l := range h.column {
		h.column[l] = uint32(m >> l & 1)
	}
}

// reach finds the lanes whose columns reach the top, after the top or many columns have changed.
func (h *heights) reach() {
	h.mask = 0
	for l, c := range h.column {
		h.mask |= lane.Mask(flag(c == h.top)) << l
	}
}

// push adds masks to the stack, with the lanes of m.
func (h *heights) push(m lane.Mask, masks uint32) {
	h.top += masks
	h.mask = 0
	h.set(m, h.top)
}

// set gives the lanes of m columns of one height.
func (h *heights) set(m lane.Mask, height uint32) {
	h.mask &^= m
	if height == h.top {
		h.mask |= m
	}
	for ; m != 0; m &= m - 1 {
		h.column[first(m)] = height
	}
}

func (g *gma) Start(m lane.Mask) {
	g.ifs.start(m)
	g.loops.start(m)
	g.most = 0
}

func (g *gma) Active() lane.Mask { return g.ifs.mask & g.loops.mask }
func (g *gma) Depth() int        { return g.most }

func (g *gma) If(m lane.Mask) {
	m &= g.Active()
	g.ifs.push(m, 1)
	g.deepen()
}

// Else raises columns that are one below the top and lowers columns that reach it. Lanes that
// left a loop take part without effect: their other counter is too low.
func (g *gma) Else() {
	h := &g.ifs
	for l, c := range h.column {
		switch c {
		case h.top:
			h.column[l]--
		case h.top - 1:
			h.column[l]++
		}
	}
	h.reach()
}

func (g *gma) EndIf() {
	h := &g.ifs
	h.top--
	for l, c := range h.column {
		h.column[l] = min(c, h.top)
	}
	h.reach()
}

func (g *gma) Loop() {
	g.loops.push(g.Active(), 2)
	g.deepen()
}

func (g *gma) While() {
	h := &g.loops
	for l, c := range h.column {
		if c == h.top-1 {
			h.column[l]++
		}
	}
	h.reach()
}

func (g *gma) EndLoop() {
	g.loops.top -= 2
	g.loops.reach()
}

func (g *gma) Break(int)    { g.loops.set(g.Active(), g.loops.top-2) }
func (g *gma) Continue(int) { g.loops.set(g.Active(), g.loops.top-1) }
func (g *gma) Exit()        { g.loops.set(g.Active(), 0) }

func (g *gma) deepen() { g.most = max(g.most, int(g.ifs.top+g.loops.top)-2) }

func (g *gma) Copy(from masks) { *g = *from.(*gma) }

// State leaves out lanes that ended: their column of loops is 0.
func (g *gma) State(to State) State {
	ifs := g.ifs.column
	for l, c := range g.loops.column {
		if c == 0 {
			ifs[l] = 0
		}
	}
	high := func(c uint32) bool { return c > 0 }
	to = append(to, Entry{Kind: IfsEntry, PC: NoStop, Number: g.ifs.top})
	to = columns(to, IfsEntry, &ifs, high)
	to = append(to, Entry{Kind: LoopsEntry, PC: NoStop, Number: g.loops.top})
	return columns(to, LoopsEntry, &g.loops.column, high)
}
