package schedule

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"iter"
	"strings"

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
)

// lookout decides when to look at a wave.
type lookout struct {
	g      *grid
	blocks []*block
	off    bool
	next   uint64 // the start of the next look
	look   *look  // in progress, or nil
	end    uint64 // the end of that look
}

func newLookout(g *grid, blocks []*block) *lookout {
	return &lookout{g: g, blocks: blocks, off: !g.watchable, next: firstLook}
}

// until returns how far the wave may go from time before it must report.
func (w *lookout) until(time uint64) uint64 {
	switch {
	case w.look != nil:
		return time + 1
	case w.off:
		return time + w.g.slice
	}
	return min(time+w.g.slice, w.next)
}

// reached notes that all blocks reached time, and returns a fault if they will run for ever.
func (w *lookout) reached(time uint64) *machine.Fault {
	if w.look == nil {
		if !w.off && time >= w.next {
			w.look, w.end, w.next = newLook(w.g, w.blocks, time), time+time/lookShare, 2*time
		}
		return nil
	}
	f := w.look.round(time)
	if time >= w.end {
		w.look = nil
	}
	return f
}

// look watches a wave, round by round, for a state that it was in before. If nothing outside can
// change, a wave that returns to a state returns to it for ever: this proves a livelock. A look
// needs two returns, the second with all of global memory unchanged since the first.
//
// While it lasts, turns are of one instruction. It begins when all warps are at one time: after its
// last turn, a warp is ahead by the rest of its straight code.
type look struct {
	g      *grid
	blocks []*block
	seed   maphash.Seed
	begun  bool
	key    uint64                     // fingerprint of its control state
	state  uint64                     // fingerprint of registers and memory on chip
	first  uint64                     // time of the first return, 0 before
	global uint64                     // fingerprint of global memory then
	moved  [][lane.MaxWarps]lane.Mask // by block: lanes that issued since the look began
	text   []byte                     // scratch of control
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

// newLook begins a look at a time.
func newLook(g *grid, blocks []*block, time uint64) *look {
	k := &look{g: g, blocks: blocks, seed: maphash.MakeSeed(), moved: make([][lane.MaxWarps]lane.Mask, len(blocks))}
	k.begin(time)
	return k
}

// begin keeps the state to return to, once no warp is ahead of time.
func (k *look) begin(time uint64) {
	for _, b := range k.blocks {
		for _, s := range b.positions() {
			if s.time > time {
				return
			}
		}
	}
	k.key, k.state, k.begun = k.control(time), k.registers(), true
}

// round notes that the wave reached time, and returns a fault if it will run for ever.
func (k *look) round(time uint64) *machine.Fault {
	for i, b := range k.blocks {
		for w, s := range b.positions() {
			k.moved[i][w] |= s.mask
		}
	}
	if !k.begun {
		k.begin(time)
		return nil
	}
	if k.control(time) != k.key || k.registers() != k.state {
		return nil
	}
	global := k.g.l.Global.Fingerprint(k.seed)
	if k.first != 0 && global == k.global {
		return k.fault(time)
	}
	k.first, k.global = time, global
	return nil
}

// control returns the fingerprint of the control state: positions of lanes, barriers, the policy.
func (k *look) control(time uint64) uint64 {
	var h maphash.Hash
	h.SetSeed(k.seed)
	for _, b := range k.blocks {
		text := binary.LittleEndian.AppendUint16(k.text[:0], uint16(b.ready))
		for w, s := range b.positions() {
			text = append(text, byte(w))
			text = binary.LittleEndian.AppendUint32(text, uint32(s.at))
			text = binary.LittleEndian.AppendUint64(text, s.time-time)
			text = binary.LittleEndian.AppendUint32(text, uint32(s.mask))
		}
		for _, w := range b.waiting {
			text = binary.LittleEndian.AppendUint16(text, uint16(w))
		}
		k.text = b.policy.Fingerprint(text)
		h.Write(k.text)
	}
	return h.Sum64()
}

// registers returns the fingerprint of registers, local and shared memory.
func (k *look) registers() uint64 {
	var h maphash.Hash
	h.SetSeed(k.seed)
	for _, b := range k.blocks {
		st := b.st
		maphash.WriteComparable(&h, len(st.Regs))
		hashAll(&h, st.Regs)
		for _, flags := range st.Flags {
			hashAll(&h, flags)
		}
		hashAll(&h, st.Local)
		b.own.Shared.Fingerprint(&h)
	}
	return h.Sum64()
}

func hashAll[T comparable](h *maphash.Hash, list []T) {
	for _, x := range list {
		maphash.WriteComparable(h, x)
	}
}

// fault faults the first running block, and names the pcs of its lanes.
func (k *look) fault(time uint64) *machine.Fault {
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
		for w := range b.own.Warps {
			if idle := b.policy.Live(w) &^ k.moved[i][w]; idle != 0 {
				starved = append(starved, lanesOf(w, idle))
			}
		}
		detail := fmt.Sprintf("the same state every %d rounds: %s", time-k.first, strings.Join(at, ", "))
		if len(starved) > 0 {
			detail += "; policy never lets run or frees: " + strings.Join(starved, ", ")
		}
		b.fault = b.st.FaultAt(&b.code[here.at], here.time, machine.FaultLivelock, first, here.mask, detail)
		return b.fault
	}
	return nil
}

// position is the next issue of a warp: lanes, instruction and time.
type position struct {
	at   int32 // index of the next instruction
	time uint64
	mask lane.Mask
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
