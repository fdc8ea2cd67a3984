package codec

import (
	"encoding/binary"
	"slices"
	"sync"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// PartHeader describes a part: the issues of one block in some rounds. A frame consists of parts,
// and each can be decoded alone.
type PartHeader struct {
	Block     uint32
	Mixed     bool
	States    bool // it has the policy's states
	Warps     branch.WarpSet
	First     uint64 // lower bound on the times of issues
	Count     uint32 // warp-instructions
	WordBytes uint32 // bytes of the uncompressed values
}

// partHeaderSize is the approximate size of a stored header.
const partHeaderSize = 16

// Part is a part as an Encoder makes it.
type Part struct {
	PartHeader
	data  []byte     // per warp the sizes, then control bytes, masks and values
	words [][]uint32 // per warp
}

// StoredPart is a part as a frame has it.
type StoredPart struct {
	PartHeader
	data, words []byte
}

// Size returns the approximate bytes of the part in a frame, without its words.
func (p *Part) Size() int { return partHeaderSize + len(p.data) }

// Size returns the bytes that the part holds.
func (p *StoredPart) Size() int { return len(p.data) + len(p.words) }

// Own makes the part independent of the frame that it was read from.
func (p *StoredPart) Own() { p.data, p.words = slices.Clone(p.data), slices.Clone(p.words) }

// AppendParts writes the payload of a frame: words to the end of frame, the rest to the end of
// data. It returns the parts to b.
func AppendParts(data, frame []byte, parts []Part, b *Buffers) (dataAfter, frameAfter []byte) {
	room, words := 0, 0
	for i := range parts {
		room += parts[i].Size()
		words += int(parts[i].WordBytes)
	}
	data, frame = slices.Grow(data, room), slices.Grow(frame, words+room)
	for i := range parts {
		data, frame = parts[i].appendTo(data), parts[i].appendWords(frame)
		parts[i].release(b)
	}
	b.Parts.Put(parts)
	return data, frame
}

// appendTo writes the part without its words.
func (p *Part) appendTo(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(p.Block))
	b = binary.AppendUvarint(b, uint64(p.Warps))
	b = binary.AppendUvarint(b, p.First)
	b = binary.AppendUvarint(b, uint64(p.Count))
	b = binary.AppendUvarint(b, uint64(len(p.data)))
	b = binary.AppendUvarint(b, uint64(p.WordBytes))
	return append(b, p.data...)
}

// part reads the next part of a frame, without its words. The part shares the cursor's bytes.
func (c *cursor) part() (p StoredPart) {
	p.Block = uint32(c.uvarint(32))
	p.Warps = branch.WarpSet(c.uvarint(lane.MaxWarps))
	p.First = c.uvarint(64)
	p.Count = uint32(c.uvarint(32))
	n := int(c.uvarint(29))
	p.WordBytes = uint32(c.uvarint(29))
	p.data = c.take(n, "it ends inside a part")
	return p
}

// appendWords writes the words.
func (p *Part) appendWords(b []byte) []byte {
	for _, w := range p.words {
		b = appendBytesOf(b, w)
	}
	return b
}

// release returns the part's memory to b.
func (p *Part) release(b *Buffers) {
	b.Bytes.Put(p.data)
	for _, w := range p.words {
		b.words.Put(w)
	}
	clear(p.words)
	b.lists.Put(p.words)
	*p = Part{}
}

// Buffers are the memory of parts and frames.
type Buffers struct {
	Frames Spares[byte] // much larger than the other spares
	Bytes  Spares[byte]
	Parts  Spares[Part]
	words  Spares[uint32]
	lists  Spares[[]uint32]
}

// NewBuffers returns buffers that keep the working set of a busy recorder, at most some tens of
// megabytes.
func NewBuffers() *Buffers {
	return &Buffers{
		Frames: Spares[byte]{most: 1 << 22}, Bytes: Spares[byte]{most: 1 << 22},
		words: Spares[uint32]{most: 1 << 22},
		lists: Spares[[]uint32]{most: 1 << 16}, Parts: Spares[Part]{most: 1 << 15},
	}
}

// Spares is a pool of slices.
type Spares[T any] struct {
	mu   sync.Mutex
	idle [][]T
	room int // elements of all idle slices
	most int // most elements to keep
}

// Get returns an empty slice.
func (b *Spares[T]) Get() []T {
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

// Put takes a slice back, unless b holds enough.
func (b *Spares[T]) Put(one []T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if room := b.room + cap(one); cap(one) > 0 && room <= b.most {
		b.idle, b.room = append(b.idle, one), room
	}
}
