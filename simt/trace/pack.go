package trace

import "sync"

// frameBytes is how large a frame grows before it is compressed and written.
const frameBytes = 1 << 17

// packer makes frames of the parts of a launch.
type packer struct {
	head  header
	data  []byte
	words []byte
}

// add puts a part behind the others, and writes the frame if it is full.
func (k *packer) add(r *Recorder, launch int, p *part) {
	h := &k.head
	if h.issues == 0 {
		*h = header{kind: kindSteps, launch: uint32(launch), block: p.block, first: p.first}
		k.data, k.words = r.buffers.get(), r.buffers.get()
	}
	if p.mixed {
		h.flags |= flagMixed
	}
	least := min(h.block, p.block)
	h.blocks = max(h.block+h.blocks, p.block) - least
	h.block = least
	h.warps |= p.warps
	h.first = min(h.first, p.first)
	h.issues += p.issues
	h.count += p.count
	k.data, k.words = p.appendTo(k.data, k.words)
	if len(k.data)+len(k.words) >= frameBytes {
		k.flush(r)
	}
}

// flush writes what there is.
func (k *packer) flush(r *Recorder) {
	if k.head.issues > 0 {
		r.press(&k.head, k.data, k.words)
		k.head.issues, k.data, k.words = 0, nil, nil
	}
}

// buffers are byte slices to be used again.
type buffers struct {
	mu   sync.Mutex
	idle [][]byte
}

// get returns an empty one.
func (b *buffers) get() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := len(b.idle) - 1
	if n < 0 {
		return nil
	}
	one := b.idle[n]
	b.idle = b.idle[:n]
	return one[:0]
}

// put takes one back. Few are kept.
func (b *buffers) put(one []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.idle) < 64 {
		b.idle = append(b.idle, one)
	}
}
