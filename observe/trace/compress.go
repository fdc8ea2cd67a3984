package trace

import (
	"math"
	"slices"

	"jacquard/observe/trace/codec"
)

// Bounds on the compressed data, and on the words, that a frame collects before it is written.
const (
	frameBytes = 1 << 17
	frameWords = 1 << 19
)

// packer collects the parts of a launch into frames.
type packer struct {
	head  codec.Header
	parts []codec.Part
	bytes int // of the parts without their words
	words int // bytes of the words
}

// add appends a part, and hands over the frame if it is full. The packer takes over the part's
// memory.
func (k *packer) add(r *Recorder, launch int, p *codec.Part) {
	h := &k.head
	if uint64(h.Count)+uint64(p.Count) > math.MaxUint32 || len(k.parts) == codec.MostParts {
		k.flush(r)
	}
	if len(k.parts) == 0 {
		*h = codec.Header{Kind: codec.IssuesFrame, Launch: uint32(launch), Block: p.Block, First: p.First}
		k.parts = r.buffers.Parts.Get()
	}
	if p.Mixed {
		h.Flags |= codec.FlagMixed
	}
	if p.States {
		h.Flags |= codec.FlagStates
	}
	least := min(h.Block, p.Block)
	h.Blocks = max(h.Block+h.Blocks, p.Block) - least
	h.Block = least
	h.Warps |= p.Warps
	h.First = min(h.First, p.First)
	h.Count += p.Count
	k.parts = append(k.parts, *p)
	k.words += int(p.WordBytes)
	if k.bytes += p.Size(); k.bytes >= frameBytes || k.words >= frameWords {
		k.flush(r)
	}
}

// flush hands over the current frame.
func (k *packer) flush(r *Recorder) {
	if len(k.parts) > 0 {
		r.compress(&k.head, k.parts)
		k.parts, k.bytes, k.words = nil, 0, 0
	}
}

// pending is a frame of issues that is being compressed, or waits for earlier frames.
type pending struct {
	head codec.Header
	data []byte // the frame; nil until it is complete
}

// compress makes a frame of parts on another goroutine. The frame is written after the frames
// handed over earlier. compress blocks while many frames are in work. The recorder takes over the
// parts.
func (r *Recorder) compress(h *codec.Header, parts []codec.Part) {
	r.compressing <- struct{}{}
	p := &pending{head: *h}
	r.mu.Lock()
	r.queue = append(r.queue, p)
	r.mu.Unlock()
	go func() {
		b := r.buffers
		room := slices.Grow(b.Frames.Get(), codec.HeaderSize)[:codec.HeaderSize]
		data, frame := codec.AppendParts(b.Bytes.Get(), room, parts, b)
		frame = p.head.Frame(r.zstd, data, frame)
		b.Bytes.Put(data)
		r.mu.Lock()
		defer r.mu.Unlock()
		p.data = frame
		r.writeReady()
		<-r.compressing
	}()
}

// writeReady writes the complete frames at the start of the queue. The caller holds the lock.
func (r *Recorder) writeReady() {
	n := 0
	for ; n < len(r.queue) && r.queue[n].data != nil; n++ {
		r.append(codec.IssuesFrame, r.queue[n].data)
		r.buffers.Frames.Put(r.queue[n].data)
	}
	if n > 0 {
		r.queue = slices.Delete(r.queue, 0, n)
		r.written.Broadcast()
	}
}

// drain waits until the frames now in the queue are written. The caller holds the lock.
func (r *Recorder) drain() {
	if len(r.queue) == 0 {
		return
	}
	for last := r.queue[len(r.queue)-1]; slices.Contains(r.queue, last); {
		r.written.Wait()
	}
}
