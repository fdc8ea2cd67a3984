package schedule

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// front is the cohort that issues: the warp whose turn it is, or the issue of a policy that mixes
// warps.
type front struct {
	branch.Cohort
	at   int32  // index of the next instruction
	stop int32  // index at which the policy must be asked, -1 for none
	time uint64 // of the next issue
}

// bring makes warp w the front.
func (b *block) bring(w int) {
	f := &b.front
	f.N, f.Warp[0] = 1, uint8(w)
	f.take(b.next)
	f.PC, f.at, f.time = b.pc[w], b.At[w], b.Time[w]
	f.findStop(b.p)
}

// take takes over what the policy says of the next issue of the front's warp, but for its place.
func (f *front) take(next *branch.Warps) {
	w := f.Warp[0]
	f.Stop, f.Skippable = next.Stop[w], next.Skippable[w]
	f.Mask[0], f.Full = next.Mask[w], next.Mask[w] == lane.All
}

// rest puts the front's warp back in its place and ends its turn.
func (b *block) rest() {
	f := &b.front
	w := f.Warp[0]
	b.At[w], b.pc[w], b.Time[w] = f.at, f.PC, f.time
	f.N = 0
	b.offer(int(w))
}

// leave ends the turn of the front. The policy says where its warps are now, if anywhere.
func (b *block) leave() {
	f := &b.front
	if b.mixes { // the block has one time
		for w := range b.st.Warps {
			b.Time[w] = f.time
		}
	} else {
		w := int(f.Warp[0])
		b.Time[w] = f.time
		b.put(w)
	}
	f.N = 0
}

// put moves warp w to the policy's place for it.
func (b *block) put(w int) {
	b.ready &^= 1 << w
	if b.next.Ready>>w&1 == 0 {
		return
	}
	b.ready |= 1 << w
	at, _ := b.p.Index(b.next.PC[w])
	b.At[w], b.pc[w] = int32(at), b.next.PC[w]
}

// moveTo moves the front along the code to an index.
func (b *block) moveTo(at int32) { b.front.at, b.front.PC = at, b.code[at].PC }

// locate updates the front's position after the policy moved it.
func (f *front) locate(p *Program) {
	i, _ := p.Index(f.PC)
	f.at = int32(i)
	f.findStop(p)
}

// findStop finds the next index at which the policy must be asked.
func (f *front) findStop(p *Program) {
	f.stop = -1
	if f.Stop != branch.NoStop {
		if i, ok := p.Index(f.Stop); ok {
			f.stop = int32(i)
		}
	}
}

// ask tells the policy that the front has reached its stop. The turn ends if the policy puts the
// lanes in several places.
func (b *block) ask() {
	f := &b.front
	b.told = true
	b.policy.Advance(&f.Cohort, f.PC)
	if !b.follow() {
		b.leave()
	}
}

// follow moves the front to the policy's position for it. It reports false if the warp cannot go
// on, or if the policy mixes warps: then it is asked for a cohort at every issue.
func (b *block) follow() bool {
	f, next := &b.front, b.next
	w := f.Warp[0]
	if b.mixes || next.Ready>>w&1 == 0 {
		return false
	}
	f.take(next)
	f.PC = next.PC[w]
	f.locate(b.p)
	return true
}
