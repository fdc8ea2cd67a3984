package trace

import (
	"sync"

	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// frameBytes is how large a frame grows before it is compressed and written.
const frameBytes = 1 << 16

// launchRecorder records the blocks of one launch.
type launchRecorder struct {
	recorder *Recorder
	number   int
	at       []int32 // word address -> index
	wanted   []bool  // by index; nil: all
	warps    branch.WarpSet
	slots    [][]Slot

	mu   sync.Mutex
	idle []*blockRecorder
}

func newLaunchRecorder(r *Recorder, k *Kernel, number int) *launchRecorder {
	o := &launchRecorder{recorder: r, number: number, slots: k.Values}
	code := k.Code
	for i := range code {
		for range code[i].Size / 4 {
			o.at = append(o.at, int32(i))
		}
	}
	o.wanted, o.warps = r.options.instructions(code), r.options.warps()
	return o
}

// Block records a block that the options ask for.
func (l *launchRecorder) Block(b *simt.Block) simt.BlockObserver {
	if l.recorder.stopped.Load() || !in(l.recorder.options.Blocks, uint64(b.Number())) {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var o *blockRecorder
	if n := len(l.idle) - 1; n >= 0 {
		o, l.idle = l.idle[n], l.idle[:n]
	} else {
		o = &blockRecorder{launch: l}
	}
	o.number, o.begun = b.Number(), false
	return o
}

// blockRecorder records one block. Its frames are its own, so that they do not depend on the
// block's neighbours.
type blockRecorder struct {
	encoder
	launch *launchRecorder
	number int
	begun  bool // there is something in the frame
	issue  Step
}

// Issue records an issue.
func (o *blockRecorder) Issue(i *simt.Issue) {
	l := o.launch
	index := l.at[i.PC/4]
	if l.wanted != nil && !l.wanted[index] || l.recorder.stopped.Load() {
		return
	}
	s := &o.issue
	s.Time, s.Index, s.Mixed, s.Vetoed, s.N = i.Time, int(index), i.Mixed, i.Vetoed&l.warps, 0
	for k := range i.Active.N {
		w := i.Active.Warp[k]
		if l.warps>>w&1 == 0 {
			continue
		}
		s.Warp[s.N], s.Active[s.N], s.Executed[s.N] = w, i.Active.Mask[k], i.Executed[k]
		s.N++
	}
	if !o.limit() {
		return
	}
	if !o.begun {
		o.begun = true
		o.start(l.number, o.number, len(l.slots), s.Time)
	}
	o.step(s)
	if slots := l.slots[index]; len(slots) > 0 {
		o.record(i, slots)
	}
	if o.size() >= frameBytes {
		o.flush()
	}
}

// limit shortens the issue to the warp-instructions that are still wanted. It reports whether
// anything of it is left.
func (o *blockRecorder) limit() bool {
	s, r := &o.issue, o.launch.recorder
	if s.N == 0 {
		return false
	}
	if r.options.First == 0 {
		return true
	}
	n := int64(s.Count())
	left := r.left.Add(-n)
	if left > 0 {
		return true
	}
	r.stopped.Store(true)
	if left <= -n {
		return false
	}
	if left < 0 {
		s.N += int(left)
		s.Vetoed &= s.set()
	}
	return true
}

// record adds the values of the step added last.
func (o *blockRecorder) record(i *simt.Issue, slots []Slot) {
	var row lane.Row
	k := 0
	for w := range i.Warps() {
		if k == o.issue.N {
			return
		}
		if int(o.issue.Warp[k]) != w.Warp {
			continue
		}
		k++
		if w.Executed == 0 {
			continue
		}
		for _, slot := range slots {
			switch slot.Kind {
			case Register, Data:
				row = i.Block.Register(slot.Number, w.Warp)
			case AddressRegister:
				row = i.Block.AddressRegister(uint8(slot.Number), w.Warp)
			case Condition:
				f := i.Block.Condition(uint8(slot.Number), w.Warp)
				for l := range row {
					row[l] = uint32(f.Z>>l&1 | f.S>>l&1<<1 | f.C>>l&1<<2 | f.O>>l&1<<3)
				}
			case Address:
				row = *w.Addresses
			}
			o.value(&row, w.Executed)
		}
	}
}

// flush writes what there is as a frame.
func (o *blockRecorder) flush() {
	if o.begun {
		o.launch.recorder.steps(&o.encoder)
		o.begun = false
	}
}

// End writes the rest of the block.
func (o *blockRecorder) End() {
	o.flush()
	o.launch.mu.Lock()
	defer o.launch.mu.Unlock()
	o.launch.idle = append(o.launch.idle, o)
}
