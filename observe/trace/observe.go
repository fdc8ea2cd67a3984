package trace

import (
	"slices"

	"jacquard/observe/trace/codec"
	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// partBytes is the size at which a part ends.
const partBytes = 1 << 17

// partRounds bounds the rounds of a part, however small it is: counts of issues have 32 bits.
const partRounds = 1 << 24

// launchRecorder records the blocks of one launch.
type launchRecorder struct {
	recorder *Recorder
	kernel   *Kernel
	order    order
	places   [][]int // by instruction and value: see placesOf
	wanted   []bool  // by instruction; nil selects all
	warps    branch.WarpSet
}

// Keeps selects the instructions with values to record.
func (l *launchRecorder) Keeps() []bool {
	keeps := make([]bool, len(l.kernel.Values))
	for i, slots := range l.kernel.Values {
		keeps[i] = len(slots) > 0 && (l.wanted == nil || l.wanted[i])
	}
	if !slices.Contains(keeps, true) {
		return nil
	}
	return keeps
}

// States reports whether the policy's states are wanted.
func (l *launchRecorder) States() bool { return l.recorder.options.States }

// Fault drops the waves after block's wave.
func (l *launchRecorder) Fault(_ *simt.Fault, block int) { l.order.stop(block) }

// Block returns a recorder for b, or nil if the options do not select the block.
func (l *launchRecorder) Block(b *simt.Block) simt.BlockRecorder {
	if l.recorder.stopped.Load() || !in(l.recorder.options.Blocks, uint64(b.Number())) {
		return nil
	}
	q := l.order.begin(b.Number(), b.Resident())
	o, ok := l.recorder.spare.Get().(*blockRecorder)
	if !ok {
		o = &blockRecorder{Encoder: new(codec.Encoder)}
	}
	o.launchRecorder, o.queue, o.reached = l, q, 0
	if o.Encoder.States = l.States(); o.Encoder.States {
		o.Begin()
		o.picked, o.stated = [lane.MaxWarps]*branch.State{}, 0
	}
	o.Start(l.kernel, b.Number(), b.Mixed(), 0)
	return o
}

// blockRecorder records one block.
type blockRecorder struct {
	*codec.Encoder
	*launchRecorder
	queue   *blockQueue
	reached uint64 // no warp has an earlier issue to come

	picked [lane.MaxWarps]*branch.State // since the last wanted issue of a warp
	stated uint64                       // of a mixed block: the end of the last issue with a state
}

// Run adds the wanted issues of a warp.
func (o *blockRecorder) Run(w int, list []simt.Stretch) {
	if o.Head.Warps>>w&1 != 0 && o.wanted == nil && !o.Head.Mixed && !o.Head.States { // the usual case
		stream := o.Stream(w)
		for i := range list {
			stream.Add((*codec.Stretch)(&list[i]))
		}
		return
	}
	if o.warps>>w&1 == 0 {
		return
	}
	for i := range list {
		s := codec.Stretch(list[i]) // others share the list
		if o.Head.Mixed && s.State != nil && o.Head.States {
			if o.stated == s.Time+1 { // the first warp of the issue has it
				s.State = nil
			}
			o.stated = s.Time + 1
		}
		if o.wanted == nil {
			o.Add(w, &s)
		} else {
			o.pick(w, &s)
		}
	}
}

// pick adds the wanted issues of a stretch.
func (o *blockRecorder) pick(w int, s *codec.Stretch) {
	one := *s
	if s.State != nil || s.Time+1 == o.stated {
		o.picked[w] = s.State
	}
	for i := s.From; i < s.To; i++ {
		if o.wanted[i] {
			if one.Executed = s.Active; i == s.To-1 {
				one.Executed = s.Executed
			}
			one.State, o.picked[w] = o.picked[w], nil
			one.Time, one.From, one.To = s.Time+uint64(i-s.From), i, i+1
			o.Add(w, &one)
		}
	}
}

// Keep adds the values of a warp's instructions.
func (o *blockRecorder) Keep(w int, v *simt.Values) {
	if o.warps>>w&1 == 0 {
		return
	}
	to := o.Stream(w)
	for v.Next() {
		for i, place := range o.places[v.Index] {
			if place < 0 {
				to.Flags(&v.Conditions[^place], v.Executed)
			} else if r := &v.Rows[place]; r.Words == nil {
				to.Even(v.Index, i, r.Base, r.Stride)
			} else if r.Uneven {
				to.Uneven(r.Words, v.Executed)
			} else {
				to.Row(v.Index, i, r.Words, v.Executed)
			}
		}
	}
}

// Reached ends a part that is large enough.
func (o *blockRecorder) Reached(time uint64) {
	o.reached = time
	if o.recorder.stopped.Load() { // no later issue is wanted
		o.Start(o.kernel, o.queue.block, o.Head.Mixed, time)
	} else if o.Size() >= partBytes || time-o.Head.First >= partRounds {
		o.flush()
	}
	if epoch := epochOf(time); epoch != o.queue.epoch {
		o.order.reached(o.queue, epoch)
	}
}

// flush hands over the current part and begins the next.
func (o *blockRecorder) flush() {
	if o.Head.Warps != 0 {
		o.order.add(o.queue, epochOf(o.reached), o.Take(o.recorder.buffers))
	}
	o.Start(o.kernel, o.queue.block, o.Head.Mixed, o.reached)
}

// End hands over the rest of the block.
func (o *blockRecorder) End(*simt.Fault) {
	o.flush()
	o.order.end(o.queue)
	r := o.recorder
	o.launchRecorder, o.queue = nil, nil
	o.Start(nil, 0, false, 0) // releases the kernel
	r.spare.Put(o)
}
