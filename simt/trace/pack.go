package trace

import (
	"math"
	"sync"
)

// A frame grows up to so many bytes that are to be compressed, or that are not, before it is written.
const (
	frameBytes = 1 << 17
	frameWords = 1 << 19
)

// packer makes frames of the parts of a launch.
type packer struct {
	head  header
	parts []part
	bytes int // of them, but for their words
	words int // bytes of these
}

// add puts a part behind the others, and writes the frame if it is full. What the part is made of is the packer's.
func (k *packer) add(r *Recorder, launch int, p *part) {
	h := &k.head
	if uint64(h.count)+uint64(p.count) > math.MaxUint32 || len(k.parts) == mostParts {
		k.flush(r)
	}
	if len(k.parts) == 0 {
		*h = header{kind: kindSteps, launch: uint32(launch), block: p.block, first: p.first}
		k.parts = r.buffers.parts.get()
	}
	if p.mixed {
		h.flags |= flagMixed
	}
	least := min(h.block, p.block)
	h.blocks = max(h.block+h.blocks, p.block) - least
	h.block = least
	h.warps |= p.warps
	h.first = min(h.first, p.first)
	h.count += p.count
	k.parts = append(k.parts, *p)
	k.words += int(p.wordBytes)
	if k.bytes += partHeaderSize + len(p.data); k.bytes >= frameBytes || k.words >= frameWords {
		k.flush(r)
	}
}

// flush writes what there is.
func (k *packer) flush(r *Recorder) {
	if len(k.parts) > 0 {
		r.press(&k.head, k.parts)
		k.parts, k.bytes, k.words = nil, 0, 0
	}
}

// newBuffers returns some that keep what a busy recorder has under way, and no more than some tens of megabytes.
func newBuffers() buffers {
	return buffers{
		frames: spares[byte]{most: 1 << 22}, bytes: spares[byte]{most: 1 << 22}, words: spares[uint32]{most: 1 << 22},
		lists: spares[[]uint32]{most: 1 << 16}, parts: spares[part]{most: 1 << 15},
	}
}

// spares are slices to be used again.
type spares[T any] struct {
	mu   sync.Mutex
	idle [][]T
	room int // of these
	most int // room that is kept
}

// buffers are what parts and frames are made of.
type buffers struct {
	frames spares[byte] // much larger than the others
	bytes  spares[byte]
	words  spares[uint32]
	lists  spares[[]uint32]
	parts  spares[part]
}

// get returns an empty one.
func (b *spares[T]) get() []T {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := len(b.idle) - 1
	if n < 0 {
		return nil
	}
	one := b.idle[n]
	b.idle = b.idle[:n]
	b.room -= cap(one)
	return one[:0]
}

// put takes one back, unless there are many.
func (b *spares[T]) put(one []T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if room := b.room + cap(one); cap(one) > 0 && room <= b.most {
		b.idle, b.room = append(b.idle, one), room
	}
}
