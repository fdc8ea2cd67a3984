package trace

import (
	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// partBytes is how large a part grows before another begins.
const partBytes = 1 << 17

// partRounds is how many rounds a part lasts at most, however small it is: numbers of issues have 32
// bits.
const partRounds = 1 << 24

// launchRecorder records the blocks of one launch.
type launchRecorder struct {
	recorder *Recorder
	kernel   *Kernel
	order    order
	wanted   []bool // by index; nil: all
	warps    branch.WarpSet
}

func newLaunchRecorder(r *Recorder, d *described, number, blocks int) *launchRecorder {
	l := &launchRecorder{recorder: r, kernel: d.kernel, wanted: d.wanted, warps: r.options.warps()}
	l.order = order{recorder: r, kernel: d.kernel, launch: number, total: blocks, places: map[int]*place{}}
	return l
}

// Keeps says which instructions have values that are recorded.
func (l *launchRecorder) Keeps() []bool {
	var keeps []bool
	for i, slots := range l.kernel.Values {
		if len(slots) > 0 && (l.wanted == nil || l.wanted[i]) {
			if keeps == nil {
				keeps = make([]bool, len(l.kernel.Values))
			}
			keeps[i] = true
		}
	}
	return keeps
}

// Fault leaves out the waves behind that of a block.
func (l *launchRecorder) Fault(_ *simt.Fault, block int) { l.order.stop(block) }

// Block records a block that the options ask for.
func (l *launchRecorder) Block(b *simt.Block) simt.BlockRecorder {
	if l.recorder.stopped.Load() || !in(l.recorder.options.Blocks, uint64(b.Number())) {
		return nil
	}
	p := l.order.begin(b.Number(), b.Resident())
	o, ok := l.recorder.spare.Get().(*blockRecorder)
	if !ok {
		o = &blockRecorder{encoder: encoder{lanes: l.recorder.lanes}}
	}
	o.launchRecorder, o.place, o.reached = l, p, 0
	o.start(l.kernel, b.Number(), b.Mixed(), 0)
	return o
}

// blockRecorder records one block.
type blockRecorder struct {
	encoder
	*launchRecorder
	place   *place
	reached uint64 // so far all warps are
	scratch lane.Row
}

// Run adds what is wanted of what a warp issued.
func (o *blockRecorder) Run(w int, list []simt.Stretch) {
	if o.set>>w&1 != 0 && o.wanted == nil && !o.head.mixed { // nearly always
		s, l := &o.strands[w%lane.MaxWarps], &o.encoder.kernel.layout
		for i := range list {
			s.add(l, &list[i])
		}
		return
	}
	if o.warps>>w&1 == 0 {
		return
	}
	for i := range list {
		o.pick(w, &list[i])
	}
}

// pick adds what is wanted of a stretch.
func (o *blockRecorder) pick(w int, s *simt.Stretch) {
	if o.wanted == nil {
		o.add(w, s)
		return
	}
	one := *s
	for i := s.From; i < s.To; i++ {
		if o.wanted[i] {
			if one.Executed = s.Active; i == s.To-1 {
				one.Executed = s.Executed
			}
			one.Time, one.From, one.To = s.Time+uint64(i-s.From), i, i+1
			o.add(w, &one)
		}
	}
}

// Keep adds the values of a warp-instruction.
func (o *blockRecorder) Keep(b *simt.Block, index, w int, executed lane.Mask, addresses *lane.Row) {
	if o.warps>>w&1 == 0 {
		return
	}
	s, place := o.strand(w), o.encoder.kernel.layout.slots[index]
	for i, slot := range o.encoder.kernel.Values[index] {
		row := addresses
		switch slot.Kind {
		case Register, Data:
			row = b.RegisterRow(slot.Number, w)
		case AddressRegister:
			o.scratch = b.AddressRegister(uint8(slot.Number), w)
			row = &o.scratch
		case Condition:
			f := b.Condition(uint8(slot.Number), w)
			s.flags(&f, executed)
			continue
		}
		s.value(o.lanes, place+int32(i), row, executed)
	}
}

// Reached ends a part that is large enough.
func (o *blockRecorder) Reached(time uint64) {
	o.reached = time
	if o.recorder.stopped.Load() { // what follows is not wanted
		o.start(o.encoder.kernel, o.place.block, o.head.mixed, time)
	} else if o.size() >= partBytes || time-o.head.first >= partRounds {
		o.flush(nil)
	}
	if epoch := epochOf(time); epoch != o.place.epoch {
		o.order.reached(o.place, epoch)
	}
}

// flush hands over what there is as a part, up to a fault.
func (o *blockRecorder) flush(f *simt.Fault) {
	if o.set != 0 {
		p := o.take(&o.recorder.buffers)
		if f != nil {
			p.keep(o.encoder.kernel, o.recorder, func(s *Step) bool {
				return s.Time < f.Time || s.Time == f.Time && int(s.Warp[s.N-1]) < f.Warp
			})
		}
		o.order.add(o.place, epochOf(o.reached), p)
	}
	o.start(o.encoder.kernel, o.place.block, o.head.mixed, o.reached)
}

// End hands over the rest of the block.
func (o *blockRecorder) End(f *simt.Fault) {
	o.flush(f)
	o.order.end(o.place)
	r := o.recorder
	o.launchRecorder, o.place, o.encoder.kernel = nil, nil, nil
	r.spare.Put(o)
}
