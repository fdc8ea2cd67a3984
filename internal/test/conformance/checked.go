package conformance

import (
	"math/bits"

	"jacquard/simt/check"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// checked is a checker of one launch. It hashes what each warp accesses and votes, in the order of
// the warp, and the barriers of the block.
type checked struct{ sum uint64 }

// checkedBlock is a checker of the blocks of a state.
type checkedBlock struct {
	*checked
	st    *machine.State
	warps [lane.MaxWarps]uint64
}

// Begin watches every launch.
func (c *checked) Begin(*check.Launch) check.Watch { return c }

// Block watches every block.
func (c *checked) Block(st *machine.State) check.Watcher { return &checkedBlock{checked: c, st: st} }

// End has nothing to do.
func (c *checked) End(*machine.Fault) {}

// Start begins the sums of a block.
func (b *checkedBlock) Start() {
	for w := range b.warps {
		b.warps[w] = hash(0, [2]int{b.st.Number, w})
	}
}

// Opened notes a barrier, which all warps reach.
func (b *checkedBlock) Opened() {
	for w := range b.warps {
		b.warps[w] = hash(b.warps[w], "barrier")
	}
}

// End adds the block to the sum.
func (b *checkedBlock) End() {
	for _, s := range b.warps {
		b.sum += s
	}
}

// Wants asks for all but some instructions.
func (b *checkedBlock) Wants(u *program.Op) bool { return u.At%7 != 3 }

// note adds a call to the sum of a warp. Engines may tell of what an instruction does not do.
func (b *checkedBlock) note(what string, u *program.Op, w int, m lane.Mask, rows ...*lane.Row) {
	if m == 0 || u.At%7 == 3 {
		return
	}
	if b.st.Number == 0 && w == 0 {
	}
	sum := &b.warps[w]
	*sum = hash(hash(*sum, what), [2]int{int(u.At), int(m)})
	for _, row := range rows {
		for m := m; m != 0 && row != nil; m &= m - 1 {
			*sum = hash(*sum, row[bits.TrailingZeros32(uint32(m))])
		}
	}
}

// words returns the rows of data of a size.
func words(data *mem.Data, size int) []*lane.Row { return data[:max(1, size/4)] }

// Load notes a load.
func (b *checkedBlock) Load(_ *machine.State, u *program.Op, space program.Space, w int, addr *lane.Row, m lane.Mask, size int) {
	b.note("load"+string(rune('0'+size))+string(rune('0'+space)), u, w, m, addr)
}

// LoadWord notes a load of one word.
func (b *checkedBlock) LoadWord(_ *machine.State, u *program.Op, sel *lane.Sel, addr uint32, size int) {
	for i, w := range sel.Warp[:sel.N] {
		b.note("word"+string(rune('0'+size)), u, int(w), sel.Mask[i], &lane.Row{})
	}
}

// Store notes a store.
func (b *checkedBlock) Store(_ *machine.State, u *program.Op, w int, data *mem.Data, addr *lane.Row, m lane.Mask, size int) {
	if u.Ins.Mods&tesla.Unlock != 0 || size < 4 {
		data = &mem.Data{}
	}
	b.note("store"+string(rune('0'+size)), u, w, m, append(words(data, size), addr)...)
}

// Atomic notes an atomic.
func (b *checkedBlock) Atomic(_ *machine.State, u *program.Op, w int, data *mem.Data, addr *lane.Row, m lane.Mask, size int) {
	b.note("atomic"+string(rune('0'+size)), u, w, m, append(words(data, size), addr)...)
}

// Fetch notes a fetch of texels.
func (b *checkedBlock) Fetch(_ *machine.State, u *program.Op, w int, m lane.Mask) {
	b.note("fetch", u, w, m)
}

// Vote notes a vote.
func (b *checkedBlock) Vote(_ *machine.State, u *program.Op, w int, m, yes lane.Mask) {
	b.note("vote", u, w, m, &lane.Row{uint32(yes)})
}

// VoteJoined notes a joined vote.
func (b *checkedBlock) VoteJoined(_ *machine.State, u *program.Op, w int, m lane.Mask) {
	b.note("joined", u, w, m)
}
