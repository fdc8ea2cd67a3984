package replay

import (
	"encoding/binary"
	"slices"

	"jacquard/board/otherdriver"
	"jacquard/cubin"
	"jacquard/observe/bundle"
)

var word = binary.LittleEndian.Uint32

// layout gives the addresses of all memory of a launch.
type layout = otherdriver.Places[otherdriver.Place]

// moved returns the address in the layout of the recorded address v; a number that is no address
// stays.
func moved(v uint32, y layout) uint32 {
	to, _ := y.Translate(v)
	return uint32(to)
}

// pointers tells which words of a launch hold addresses.
type pointers struct {
	params map[int]bool // offsets in the parameters
	memory bool         // every word of memory that looks like an address is one
}

// candidates returns the offsets of the parameters that may be addresses.
func candidates(l *bundle.Launch, y layout) (at []int) {
	for i := 0; i+4 <= len(l.Params); i += 4 {
		if _, ok := y.Translate(word(l.Params[i:])); ok {
			at = append(at, i)
		}
	}
	return at
}

// moveParams returns l's parameters with their addresses moved.
func (p *pointers) moveParams(l *bundle.Launch, y layout) []byte {
	params := slices.Clone(l.Params)
	for at := range p.params {
		if at+4 <= len(params) {
			binary.LittleEndian.PutUint32(params[at:], moved(word(params[at:]), y))
		}
	}
	return params
}

// moveContent returns content b with its addresses moved. It may be b itself.
func (p *pointers) moveContent(b []byte, y layout) []byte {
	if !p.memory {
		return b
	}
	content := slices.Clone(b)
	for i := 0; i+4 <= len(content); i += 4 {
		binary.LittleEndian.PutUint32(content[i:], moved(word(content[i:]), y))
	}
	return content
}

// shuffled returns a layout in which every object of l has another address, far from all recorded
// ones, and another place in the order; ok is false without room.
func shuffled(l *bundle.Launch) (y layout, ok bool) {
	const page, start = 1 << 12, 1 << 28
	at, last := uint64(start), uint64(0)
	for _, o := range l.Memory {
		if o.Kind != bundle.Array {
			last = max(last, uint64(o.Address)+uint64(len(o.Bytes)))
		}
	}
	if last > start {
		at = (last + 2*page) / page * page
	}
	for i := len(l.Memory) - 1; i >= 0; i-- {
		o := l.Memory[i]
		if o.Kind == bundle.Array {
			continue
		}
		y.Insert(otherdriver.Place{Address: o.Address, Size: len(o.Bytes), There: otherdriver.Address(at)})
		at += (uint64(len(o.Bytes))/page + 3 + uint64(i%3)) * page
	}
	return y, at < 1<<32-2*page
}

// moveLaunch returns l in the layout, for the simulator.
func (p *pointers) moveLaunch(l *bundle.Launch, image *cubin.Image, y layout) *bundle.Launch {
	n := *l
	n.Params = p.moveParams(l, y)
	n.Memory = make([]*bundle.Object, len(l.Memory))
	for i, o := range l.Memory {
		n.Memory[i] = o
		if o.Kind != bundle.Array {
			n.Memory[i] = &bundle.Object{Kind: o.Kind, Address: moved(o.Address, y), Bytes: p.moveContent(o.Bytes, y), Slack: o.Slack}
		}
	}
	n.Textures = slices.Clone(l.Textures)
	for i := range n.Textures {
		if t := &n.Textures[i]; t.Base != 0 {
			t.Base = moved(t.Base, y)
		}
	}
	k := *l.Kernel
	k.Banks = slices.Clone(k.Banks)
	for i := range k.Banks {
		b := &k.Banks[i]
		if b.Address != 0 {
			b.Address = moved(b.Address, y)
		} else if b.Bank == cubin.AddressBank {
			b.Data = moveSlots(b.Data, image, y)
		}
	}
	n.Kernel = &k
	return &n
}

// moveSlots returns the bank of addresses with all of them moved.
func moveSlots(data []byte, image *cubin.Image, y layout) []byte {
	data = slices.Clone(data)
	for _, g := range image.Globals {
		for _, s := range g.Slots {
			if s.Offset >= 0 && s.Offset+4 <= len(data) {
				binary.LittleEndian.PutUint32(data[s.Offset:], moved(word(data[s.Offset:])-s.Addend, y)+s.Addend)
			}
		}
	}
	return data
}
