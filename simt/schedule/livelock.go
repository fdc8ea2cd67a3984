package schedule

import (
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
	"strings"
	"unsafe"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// firstLook is the time of the first look at a wave for livelock. Each further look comes at twice
// the time of the one before and lasts in proportion, so looks cost little however long a kernel
// runs.
const (
	firstLook = freeSlice
	lookShare = 64 // a look lasts 1/64 of the time so far
	hopeShare = 4  // a look ends after 1/4 of it if a warp has not come back
)

// lookout decides when to look at a wave.
type lookout struct {
	off   bool
	slice uint64
	next  uint64 // the start of the next look
	look  *look  // in progress, or nil
	end   uint64 // the end of that look
	hope  uint64 // the end of that look if a warp has not come back
	waits bool   // the wave returned to a state, and the look goes on when nothing else runs
}

func newLookout(g *grid) lookout {
	return lookout{off: !g.watchable, slice: g.slice, next: firstLook}
}

// due reports whether the wave must be looked at before it goes on.
func (w *lookout) due(time uint64) bool { return w.look != nil || !w.off && time >= w.next }

// until returns how far the wave may go from time if no look is due.
func (w *lookout) until(time uint64) uint64 {
	if w.off {
		return time + w.slice
	}
	return min(time+w.slice, w.next)
}

// begin returns the look in progress, or the look that is due at the wave's time.
func (w *lookout) begin(blocks []*block, time uint64) *look {
	if w.look == nil {
		w.look, w.end, w.next = newLook(blocks, time), time+time/lookShare, 2*time
		w.hope = time + time/lookShare/hopeShare
	}
	return w.look
}

// look watches a wave, round by round, for a state that it was in before. If nothing outside can
// change, a wave that returns to a state does so for ever: this proves a livelock. A look needs two
// returns, with equal global memory. From the first return on, all earlier waves have ended and no
// later wave runs.
//
// During a look, turns are of one round: of straight-line code, or of one instruction if all turns
// are. A warp is ahead of the others by the rest of its straight-line code. That lead is part of
// the state.
type look struct {
	blocks []*block
	seed   maphash.Seed
	states []blockState               // by block, at the beginning
	first  uint64                     // time of the first return, 0 before it
	global uint64                     // fingerprint of global memory at the first return
	moved  [][lane.MaxWarps]lane.Mask // by block: lanes that were ready after some round
	away   []branch.WarpSet           // by block: warps that have not come back
	kept   branch.State               // scratch of policy
	asks   bool                       // a warp came to an access to global memory
}

// canLook reports whether the state of a launch determines its future: it reads no clock and shares
// no memory with the host.
func (l *Launch) canLook() bool {
	if l.Global.Shared() {
		return false
	}
	for i := range l.Program.Kernel.Code {
		if in := &l.Program.Kernel.Code[i]; in.Op == tesla.OpMovFromSpecial && in.Src[0].Index == program.SpecialClock {
			return false
		}
	}
	return true
}

// newLook begins a look at a time, and keeps the state then.
func newLook(blocks []*block, time uint64) *look {
	k := &look{blocks: blocks, seed: maphash.MakeSeed()}
	k.states = make([]blockState, len(blocks))
	k.moved = make([][lane.MaxWarps]lane.Mask, len(blocks))
	k.away = make([]branch.WarpSet, len(blocks))
	for i, b := range blocks {
		s := &k.states[i]
		s.take(b, time)
		k.away[i] = b.ready
		for w := range b.st.Warps {
			s.files[w] = k.file(b, w)
		}
		s.sketches, s.shared, s.policy = sketches(b), k.shared(b), k.policy(b)
	}
	return k
}

// returned records that the wave reached time, and reports whether the wave is in the state at the
// beginning, global memory apart.
func (k *look) returned(time uint64) bool {
	for i, b := range k.blocks {
		for w, s := range b.positions() {
			k.moved[i][w] |= s.mask
			k.asks = k.asks || b.asks(s.at)
		}
	}
	k.comeBack()
	// Most often the first warp is elsewhere, or has other registers.
	for i, b := range k.blocks {
		if s := &k.states[i]; !s.holds(b, time) || s.sketches != sketches(b) {
			return false
		}
	}
	for i, b := range k.blocks {
		if k.shared(b) != k.states[i].shared || k.policy(b) != k.states[i].policy {
			return false
		}
	}
	for i, b := range k.blocks {
		for w := range b.st.Warps {
			if k.file(b, w) != k.states[i].files[w] {
				return false
			}
		}
	}
	clear(k.away)
	return true
}

// comeBack records which warps are back where they began, with the same registers. Of each block it
// compares the lowest warp that is away, and the next only if that warp is back: registers take
// long to hash. In a livelock all warps are back soon, as most loops that wait change no register.
func (k *look) comeBack() {
	for i, b := range k.blocks {
		s := &k.states[i]
		for w, p := range b.positions() {
			if k.away[i]>>w&1 == 0 {
				continue
			}
			stood := p.time == s.looked[w] // the warp has not issued since
			s.looked[w] = p.time
			if stood || p.at != s.at[w].at || p.mask != s.at[w].mask || sketch(b.st.RegistersOf(w)) != s.sketches[w] || k.file(b, w) != s.files[w] {
				break
			}
			k.away[i] &^= 1 << w
		}
	}
}

// hopeless reports whether a warp has not come back.
func (k *look) hopeless() bool {
	return slices.ContainsFunc(k.away, func(s branch.WarpSet) bool { return s != 0 })
}

// proves reports whether a return proves a livelock: it is not the first, and global memory is as
// at the return before.
func (k *look) proves(time uint64) bool {
	global := k.blocks[0].st.Global.Fingerprint(k.seed)
	if k.first != 0 && global == k.global {
		return true
	}
	k.first, k.global = time, global
	return false
}

// blockState is the state of a block: the places of its warps, with times relative to the round,
// and fingerprints of the rest.
type blockState struct {
	ready    branch.WarpSet
	fresh    uint32
	waiting  [16]branch.WarpSet
	at       [lane.MaxWarps]position
	files    [lane.MaxWarps]uint64 // by warp: its registers, flags and local memory
	looked   [lane.MaxWarps]uint64 // by warp that is away: its time when last compared
	sketches [lane.MaxWarps]uint32 // by warp
	shared   uint64
	policy   uint64 // what the policy keeps
}

// take stores the places of a block's warps.
func (s *blockState) take(b *block, time uint64) {
	s.ready, s.fresh, s.waiting = b.ready, b.Fresh, b.waiting
	for w := range b.st.Warps {
		s.at[w] = b.idle(w, time)
	}
	for w, p := range b.positions() {
		s.looked[w] = p.time
		p.time -= time
		s.at[w] = p
	}
}

// idle is the position of a warp that is not ready: its last barrier, which the policy may not
// know, and its lead over the others.
func (b *block) idle(w int, time uint64) position {
	return position{at: b.last[w].at, time: max(b.Time[w], time) - time}
}

// holds reports whether the warps of a block are where they were.
func (s *blockState) holds(b *block, time uint64) bool {
	if b.ready != s.ready || b.Fresh != s.fresh || b.waiting != s.waiting {
		return false
	}
	for w, p := range b.positions() {
		p.time -= time
		if p != s.at[w] {
			return false
		}
	}
	for w := range b.st.Warps {
		if b.ready>>w&1 == 0 && b.idle(w, time) != s.at[w] {
			return false
		}
	}
	return true
}

// policy returns the fingerprint of a block's policy, without the pcs of lanes that run: positions
// has their pcs.
func (k *look) policy(b *block) uint64 {
	var h maphash.Hash
	h.SetSeed(k.seed)
	for w := range b.st.Warps {
		k.kept = b.policy.State(w, k.kept[:0])
		for i := range k.kept {
			if e := &k.kept[i]; e.Runs {
				e.PC = 0
			}
		}
		hashAll(&h, k.kept)
		h.WriteByte(0)
		if b.mixes { // one state for the block
			break
		}
	}
	return h.Sum64()
}

// file returns the fingerprint of a warp's registers, flags and local memory.
func (k *look) file(b *block, w int) uint64 {
	var h maphash.Hash
	h.SetSeed(k.seed)
	h.Write(bytesOf(b.st.RegistersOf(w)))
	for _, flags := range b.st.Flags {
		maphash.WriteComparable(&h, flags[w])
	}
	h.Write(bytesOf(b.st.LocalOf(w)))
	return h.Sum64()
}

// sketches returns the sketches of a block's warps.
func sketches(b *block) (list [lane.MaxWarps]uint32) {
	for w := range b.st.Warps {
		list[w] = sketch(b.st.RegistersOf(w))
	}
	return list
}

// sketch returns a sum of the registers of the first lane: equal for equal registers, and seldom
// otherwise. It takes less time than a fingerprint.
func sketch(registers []lane.Row) (sum uint32) {
	for i := range registers {
		sum = 31*sum + registers[i][0]
	}
	return sum
}

// shared returns the fingerprint of a block's shared memory.
func (k *look) shared(b *block) uint64 {
	var h maphash.Hash
	h.SetSeed(k.seed)
	b.st.Shared.Fingerprint(&h)
	return h.Sum64()
}

// bytesOf returns the memory of rows, to be hashed at once.
func bytesOf(rows []lane.Row) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(rows))), len(rows)*int(unsafe.Sizeof(lane.Row{})))
}

func hashAll[T comparable](h *maphash.Hash, list []T) {
	for _, x := range list {
		maphash.WriteComparable(h, x)
	}
}

// fault makes the first running block fault, and names the pcs of its lanes.
func (k *look) fault(time uint64) {
	for i, b := range k.blocks {
		if b.ready == 0 {
			continue
		}
		b.tellEnds()
		first := lowestWarp(b.ready)
		var here position // of the first warp
		var at, starved []string
		for w, s := range b.positions() {
			if w == first {
				here = s
			}
			at = append(at, fmt.Sprintf("%s at pc 0x%x", lanesOf(w, s.mask), b.code[s.at].PC))
		}
		for w := range b.st.Warps {
			if idle := b.policy.Live(w) &^ k.moved[i][w]; idle != 0 {
				starved = append(starved, lanesOf(w, idle))
			}
		}
		detail := fmt.Sprintf("the same state every %d rounds: %s", time-k.first, strings.Join(at, ", "))
		if len(starved) > 0 {
			detail += "; policy never lets run or frees: " + strings.Join(starved, ", ") + b.g.l.fairer()
		}
		b.fault = b.st.FaultAt(&b.code[here.at], here.time, machine.FaultLivelock, first, here.mask, detail)
		return
	}
}

// fairer names the policies that run the program and let every lane run; it ends a message.
func (l *Launch) fairer() string {
	var names []string
	for _, c := range branch.Policies() {
		if !c.Fair {
			continue
		}
		if _, err := l.Program.policies(c.Name); err == nil {
			names = append(names, c.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; no lane starves under divergence policy " + strings.Join(names, " or ")
}

// position is the next issue of a warp: lanes, instruction and time.
type position struct {
	at   int32 // index of the next instruction
	time uint64
	mask lane.Mask
}

// asks reports whether a warp at a control instruction may come next to an access to memory that
// other blocks share.
func (b *block) asks(at int32) bool {
	switch u := &b.code[at]; u.Event {
	case branch.Break, branch.Return: // the target is not known
		return true
	case branch.Branch, branch.Call:
		return u.To < 0 || b.sharesFrom(u.To) || b.sharesFrom(at+1)
	}
	return b.sharesFrom(at) || b.sharesFrom(at+1)
}

// sharesFrom reports whether the straight-line code from an index on accesses such memory.
func (b *block) sharesFrom(at int32) bool {
	for i := at; int(i) < len(b.code); i++ {
		if u := &b.code[i]; u.Memory && (u.Space == program.SpaceGlobal || !u.Accesses()) {
			return true
		}
		if i >= b.code[at].End {
			break
		}
	}
	return false
}

// positions yields the ready warps in ascending order.
func (b *block) positions() iter.Seq2[int, position] {
	return func(yield func(int, position) bool) {
		if f := &b.front; b.mixes {
			for k, w := range f.Warp[:f.N] {
				if !yield(int(w), position{f.at, f.time, f.Mask[k]}) {
					return
				}
			}
			return
		}
		for m := b.ready; m != 0; m &= m - 1 {
			w := lowestWarp(m)
			if !yield(w, position{b.At[w], b.Time[w], b.next.Mask[w]}) {
				return
			}
		}
	}
}
