package trace

import (
	"slices"
	"sync"

	"jacquard/observe/trace/codec"
)

// order brings the parts of a launch into the order of the file: wave, epoch, block, time. That
// order does not depend on the workers. An epoch is a number of rounds. The blocks of a wave take
// turns, so only the parts of a few turns of some blocks wait.
type order struct {
	recorder *Recorder
	kernel   *Kernel
	launch   int
	total    int // blocks of the grid

	mu       sync.Mutex
	blocks   map[int]*blockQueue // begun, in waves that are not over
	resident int                 // blocks per wave; 0 until the first begins
	block    int                 // the block whose turn it is
	epoch    uint64
	idle     []*blockQueue
	frame    packer
}

// blockQueue holds the parts of a block that wait for their turn.
type blockQueue struct {
	block int
	epoch uint64 // no later part belongs to an earlier epoch
	parts []queued
	over  bool
}

// queued is a part with its epoch.
type queued struct {
	codec.Part
	epoch uint64
}

// epochOf returns the epoch of a part that ends before time.
func epochOf(time uint64) uint64 { return time >> 16 }

// begin makes a queue for a block; a wave has resident blocks.
func (o *order) begin(block, resident int) *blockQueue {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.resident = resident
	q := &blockQueue{}
	if n := len(o.idle) - 1; n >= 0 {
		q, o.idle = o.idle[n], o.idle[:n]
	}
	*q = blockQueue{block: block, parts: q.parts[:0]}
	o.blocks[block] = q
	return q
}

// add adds a part of a block.
func (o *order) add(q *blockQueue, epoch uint64, p codec.Part) {
	o.mu.Lock()
	defer o.mu.Unlock()
	q.parts = append(q.parts, queued{p, epoch})
	o.advance()
}

// reached records that the parts of a block before an epoch were added.
func (o *order) reached(q *blockQueue, epoch uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	q.epoch = epoch
	o.advance()
}

// end records that all parts of a block were added.
func (o *order) end(q *blockQueue) {
	o.mu.Lock()
	defer o.mu.Unlock()
	q.over = true
	o.advance()
}

// advance writes the parts whose turn has come.
func (o *order) advance() {
	for o.block < o.total {
		if in(o.recorder.options.Blocks, uint64(o.block)) {
			q := o.blocks[o.block]
			if q == nil || !o.write(q) {
				return
			}
		}
		o.next()
	}
}

// write writes the parts of a block up to the current epoch. It reports false if more may come.
func (o *order) write(q *blockQueue) bool {
	n := 0
	for ; n < len(q.parts) && q.parts[n].epoch <= o.epoch; n++ {
		p := &q.parts[n].Part
		if o.limit(p); p.Count > 0 {
			o.frame.add(o.recorder, o.launch, p)
		}
	}
	q.parts = slices.Delete(q.parts, 0, n)
	return q.over || q.epoch > o.epoch
}

// limit cuts a part to the warp-instructions still wanted.
func (o *order) limit(p *codec.Part) {
	r := o.recorder
	if r.options.First == 0 {
		return
	}
	left := r.left.Add(-int64(p.Count))
	if left > 0 {
		return
	}
	r.stopped.Store(true)
	if left < 0 {
		n := int(max(0, left+int64(p.Count)))
		new(codec.Encoder).Cut(p, o.kernel, r.buffers, func(s *Step) bool {
			if s.Count() > n {
				s.Keep(n)
			}
			n -= s.Count()
			return s.N > 0
		})
	}
}

// next moves the turn to the next block of the wave, after the last block to the next epoch, and
// after the last epoch to the next wave.
func (o *order) next() {
	o.block++
	if o.resident == 0 || o.block%o.resident != 0 && o.block < o.total {
		return
	}
	first := (o.block - 1) / o.resident * o.resident
	for b := first; b < o.block; b++ {
		if q := o.blocks[b]; q != nil && (!q.over || len(q.parts) > 0) {
			o.block = first
			o.epoch++
			return
		}
	}
	for b := first; b < o.block; b++ {
		if q := o.blocks[b]; q != nil {
			o.idle = append(o.idle, q)
			delete(o.blocks, b)
		}
	}
	o.epoch = 0
}

// stop drops the waves after block's wave.
func (o *order) stop(block int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.resident > 0 {
		o.total = min(o.total, (block/o.resident+1)*o.resident)
	}
}

// finish writes the remaining parts. No block is recorded after it.
func (o *order) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, q := range o.blocks {
		q.over = true
	}
	for o.block < o.total && len(o.blocks) > 0 {
		if q := o.blocks[o.block]; q != nil {
			o.write(q)
		}
		o.next()
	}
	o.frame.flush(o.recorder)
}
