package trace

import "sync"

// order brings the parts of a launch into the order of the file, which must not depend on
// who ran which block when: by wave, epoch, block, time. An epoch is a number of rounds: blocks of a wave are
// run on in turn, so that what waits for its place is never more than a few turns of some blocks.
type order struct {
	recorder *Recorder
	kernel   *Kernel
	launch   int
	total    int // blocks of the grid

	mu       sync.Mutex
	places   map[int]*place // of the blocks begun, but for those of waves that are over
	resident int            // blocks a wave; 0 until the first begins
	block    int            // whose turn it is
	epoch    uint64
	idle     []*place
	frame    packer
}

// place is where the parts of a block wait for their turn.
type place struct {
	block int
	epoch uint64 // later parts belong to this one or later ones
	parts []placed
	over  bool
}

// placed is a part that belongs to an epoch.
type placed struct {
	part
	epoch uint64
}

// epochOf returns the epoch of what ends before a time.
func epochOf(time uint64) uint64 { return time >> 16 }

// begin makes a place for a block; waves have resident blocks.
func (o *order) begin(block, resident int) *place {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.resident = resident
	var p *place
	if n := len(o.idle) - 1; n >= 0 {
		p, o.idle = o.idle[n], o.idle[:n]
	} else {
		p = &place{}
	}
	*p = place{block: block, parts: p.parts[:0]}
	o.places[block] = p
	return p
}

// add adds a part of a block.
func (o *order) add(p *place, epoch uint64, one part) {
	o.mu.Lock()
	defer o.mu.Unlock()
	p.parts = append(p.parts, placed{one, epoch})
	o.advance()
}

// reached says that all parts of a block before an epoch are there.
func (o *order) reached(p *place, epoch uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	p.epoch = epoch
	o.advance()
}

// end says that all parts of a block are there.
func (o *order) end(p *place) {
	o.mu.Lock()
	defer o.mu.Unlock()
	p.over = true
	o.advance()
}

// advance passes on all parts whose turn has come.
func (o *order) advance() {
	for o.block < o.total {
		if in(o.recorder.options.Blocks, uint64(o.block)) {
			p := o.places[o.block]
			if p == nil || !o.pass(p) {
				return
			}
		}
		o.next()
	}
}

// pass passes on the parts of a block up to those of the current epoch. It reports false if
// there may be more of them.
func (o *order) pass(p *place) bool {
	n := 0
	for n < len(p.parts) && p.parts[n].epoch <= o.epoch {
		o.emit(&p.parts[n].part)
		n++
	}
	p.parts = append(p.parts[:0], p.parts[n:]...)
	return p.over || p.epoch > o.epoch
}

// next gives the turn to the next block of the wave, or begins the next epoch, or the next wave
// if all blocks of this one are over.
func (o *order) next() {
	o.block++
	if o.resident == 0 || o.block%o.resident != 0 && o.block < o.total {
		return
	}
	first := (o.block - 1) / o.resident * o.resident
	for b := first; b < o.block; b++ {
		if p := o.places[b]; p != nil && (!p.over || len(p.parts) > 0) {
			o.block = first
			o.epoch++
			return
		}
	}
	for b := first; b < o.block; b++ {
		if p := o.places[b]; p != nil {
			o.idle = append(o.idle, p)
			delete(o.places, b)
		}
	}
	o.epoch = 0
}

// stop leaves out the waves behind that of a block.
func (o *order) stop(block int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.resident > 0 {
		o.total = min(o.total, (block/o.resident+1)*o.resident)
	}
}

// finish passes on everything that is left. No block is recorded any more.
func (o *order) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, p := range o.places {
		p.over = true
	}
	for o.block < o.total && len(o.places) > 0 {
		if p := o.places[o.block]; p != nil {
			o.pass(p)
		}
		o.next()
	}
	o.frame.flush(o.recorder)
}

// emit puts a part into the file.
func (o *order) emit(p *part) {
	o.recorder.limit(p, o.kernel)
	if p.count > 0 {
		o.frame.add(o.recorder, o.launch, p)
	}
	*p = part{}
}
