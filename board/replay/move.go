package replay

import (
	"encoding/binary"
	"slices"

	"jacquard/cubin"
	"jacquard/observe/bundle"
)

var word = binary.LittleEndian.Uint32

// moved is memory with another address than at the recording.
type moved struct {
	from, to uint32
	size     uint32
}

// layout gives the addresses of all memory of a launch.
type layout []moved

// move returns the address in the layout of the recorded address v. The end of memory is an address
// of it, because programs pass such bounds, unless other memory begins there. ok is false if v is no
// address.
func (y layout) move(v uint32) (to uint32, ok bool) {
	to = v
	for _, m := range y {
		switch off := v - m.from; {
		case off < m.size:
			return m.to + off, true
		case off == m.size:
			to, ok = m.to+off, true
		}
	}
	return to, ok
}

// pointers tells which words of a launch hold addresses.
type pointers struct {
	params map[int]bool // offsets in the parameters
	memory bool         // every word of memory that looks like an address is one
}

// candidates returns the offsets of the parameters that may be addresses.
func candidates(l *bundle.Launch, y layout) (at []int) {
	for i := 0; i+4 <= len(l.Params); i += 4 {
		if _, ok := y.move(word(l.Params[i:])); ok {
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
			v, _ := y.move(word(params[at:]))
			binary.LittleEndian.PutUint32(params[at:], v)
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
		if v, ok := y.move(word(content[i:])); ok {
			binary.LittleEndian.PutUint32(content[i:], v)
		}
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
		y = append(y, moved{from: o.Address, to: uint32(at), size: uint32(len(o.Bytes))})
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
			to, _ := y.move(o.Address)
			n.Memory[i] = &bundle.Object{Kind: o.Kind, Address: to, Bytes: p.moveContent(o.Bytes, y), Slack: o.Slack}
		}
	}
	n.Textures = slices.Clone(l.Textures)
	for i := range n.Textures {
		if t := &n.Textures[i]; t.Base != 0 {
			t.Base, _ = y.move(t.Base)
		}
	}
	k := *l.Kernel
	k.Banks = slices.Clone(k.Banks)
	for i := range k.Banks {
		b := &k.Banks[i]
		if b.Address != 0 {
			b.Address, _ = y.move(b.Address)
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
				v, _ := y.move(word(data[s.Offset:]) - s.Addend)
				binary.LittleEndian.PutUint32(data[s.Offset:], v+s.Addend)
			}
		}
	}
	return data
}
