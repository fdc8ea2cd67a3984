package trace

import (
	"math/bits"
	"sync"

	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// partBytes is how large a part grows before another begins.
const partBytes = 1 << 17

// launchRecorder records the blocks of one launch.
type launchRecorder struct {
	recorder *Recorder
	order    order
	plain    []int32 // by index: how many instructions from there on are wanted, without values
	wanted   []bool  // by index; nil: all
	warps    branch.WarpSet
	slots    [][]Slot

	mu   sync.Mutex
	idle []*blockRecorder
}

func newLaunchRecorder(r *Recorder, k *Kernel, number, blocks int) *launchRecorder {
	l := &launchRecorder{recorder: r, slots: k.Values, wanted: r.options.instructions(k.Code), warps: r.options.warps()}
	l.plain = make([]int32, len(k.Code)+1)
	for i := len(k.Code) - 1; i >= 0; i-- {
		if (l.wanted == nil || l.wanted[i]) && len(k.Values[i]) == 0 {
			l.plain[i] = l.plain[i+1] + 1
		}
	}
	l.order = order{recorder: r, kernel: k, launch: number, total: blocks, places: map[int]*place{}}
	return l
}

// Keeps says which instructions have values that are recorded.
func (l *launchRecorder) Keeps() []bool {
	var keeps []bool
	for i, slots := range l.slots {
		if len(slots) > 0 && (l.wanted == nil || l.wanted[i]) {
			if keeps == nil {
				keeps = make([]bool, len(l.slots))
			}
			keeps[i] = true
		}
	}
	return keeps
}

// Block records a block that the options ask for.
func (l *launchRecorder) Block(b *simt.Block) simt.BlockRecorder {
	if l.recorder.stopped.Load() || !in(l.recorder.options.Blocks, uint64(b.Number())) {
		return nil
	}
	p := l.order.begin(b.Number(), b.Resident())
	l.mu.Lock()
	defer l.mu.Unlock()
	var o *blockRecorder
	if n := len(l.idle) - 1; n >= 0 {
		o, l.idle = l.idle[n], l.idle[:n]
	} else {
		o = &blockRecorder{launch: l, kept: new([lane.MaxWarps]rows), told: new([lane.MaxWarps]rows)}
	}
	o.place, o.begun, o.now, o.issue.N = p, false, 0, 0
	return o
}

// blockRecorder records one block.
type blockRecorder struct {
	encoder
	launch  *launchRecorder
	place   *place
	begun   bool           // there is something in the part
	now     uint64         // everything before it has been recorded
	issue   Step           // of the stretch being recorded
	set     branch.WarpSet // its warps
	partial bool           // it is a partial one
	scratch lane.Row
	kept    *[lane.MaxWarps]rows // by Keep
	told    *[lane.MaxWarps]rows // for Run
}

// rows are values of a warp, as they are written, that Run has still to come to.
type rows struct {
	data []byte
	at   int
}

// Keep keeps the values of a warp-instruction until Run comes to it.
func (o *blockRecorder) Keep(b *simt.Block, index, w int, executed lane.Mask, addresses *lane.Row) {
	l := o.launch
	if l.warps>>w&1 == 0 {
		return
	}
	k := &o.kept[w]
	for _, slot := range l.slots[index] {
		row := addresses
		switch slot.Kind {
		case Register, Data:
			row = b.RegisterRow(slot.Number, w)
		case AddressRegister:
			o.scratch = b.AddressRegister(uint8(slot.Number), w)
			row = &o.scratch
		case Condition:
			f := b.Condition(uint8(slot.Number), w)
			for l := range o.scratch {
				o.scratch[l] = uint32(f.Z>>l&1 | f.S>>l&1<<1 | f.C>>l&1<<2 | f.O>>l&1<<3)
			}
			row = &o.scratch
		}
		k.data = appendRow(k.data, row, executed)
	}
}

// Turn makes the values kept those of the stretches to come. The ones before have been taken.
func (o *blockRecorder) Turn() { o.kept, o.told = o.told, o.kept }

// Run records a stretch.
func (o *blockRecorder) Run(r *simt.Stretch) {
	if !r.Same || r.Partial || o.partial {
		o.take(r)
	}
	if o.issue.N > 0 {
		o.stretch(r)
	}
	o.now = r.Time + uint64(r.To-r.From)
	if epoch := epochOf(o.now); epoch != o.place.epoch {
		o.launch.order.reached(o.place, epoch)
	}
}

// take prepares the issue of a stretch.
func (o *blockRecorder) take(r *simt.Stretch) {
	warps, s := o.launch.warps, &o.issue
	s.N, s.Mixed, s.Vetoed = 0, r.Mixed, r.Vetoed&warps
	for k, w := range r.Active.Warp[:r.Active.N] {
		if warps>>w&1 != 0 {
			s.Warp[s.N], s.Active[s.N], s.Executed[s.N] = w, r.Active.Mask[k], r.Active.Mask[k]
			if r.Partial {
				s.Executed[s.N] = r.Executed[k]
			}
			s.N++
		}
	}
	o.set, o.partial = s.set(), r.Partial
}

// stretch adds what is wanted of a stretch whose lanes are in o.issue.
func (o *blockRecorder) stretch(r *simt.Stretch) {
	l, s := o.launch, &o.issue
	for i := r.From; i < r.To; {
		n := min(int(l.plain[i]), r.To-i)
		if n == 0 && l.wanted != nil && !l.wanted[i] {
			i++
			continue
		}
		s.Time, s.Index = r.Time+uint64(i-r.From), i
		if !o.begun {
			o.begun = true
			o.start(o.place.block, len(l.slots), s.Time)
		}
		values := n == 0
		if n = o.proceed(s, o.set, max(n, 1)); n == 0 {
			o.step(s)
			n = 1
		}
		if values {
			o.addValues(l.slots[i])
		}
		i += n
		if o.size() >= partBytes {
			o.now = r.Time + uint64(i-r.From)
			o.flush()
		}
	}
}

// addValues adds the values of the issue added last.
func (o *blockRecorder) addValues(slots []Slot) {
	s := &o.issue
	for i := range s.N {
		if s.Executed[i] == 0 {
			continue
		}
		k, lanes := &o.told[s.Warp[i]], bits.OnesCount32(uint32(s.Executed[i]))
		k.at += o.rows(k.data[k.at:], len(slots), lanes)
		if k.at == len(k.data) {
			k.data, k.at = k.data[:0], 0
		}
	}
}

// flush hands over what there is as a part.
func (o *blockRecorder) flush() {
	if o.begun {
		o.launch.order.add(o.place, epochOf(o.now), &o.encoder)
		o.begun = false
	}
}

// End hands over the rest of the block.
func (o *blockRecorder) End() {
	o.flush()
	o.launch.order.end(o.place)
	for w := range o.kept {
		o.kept[w], o.told[w] = rows{data: o.kept[w].data[:0]}, rows{data: o.told[w].data[:0]}
	}
	o.launch.mu.Lock()
	defer o.launch.mu.Unlock()
	o.launch.idle = append(o.launch.idle, o)
}
