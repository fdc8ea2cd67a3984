package mirror

import (
	"bytes"
	"encoding/binary"

	"jacquard/libcuda/difference"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/foreign"
	"jacquard/simt/blame"
)

// compareDue compares all memory behind a launch if it is time, and always what the program can read by itself.
func (c *context) compareDue(e *driver.LaunchEnds) error {
	all := c.m.options.Every > 0 && len(c.pending) >= c.m.options.Every
	for _, b := range c.buffers {
		if all || b.host {
			if err := c.compare(b, e); err != nil || c.m.found() {
				return err
			}
		}
	}
	if all {
		c.pending = nil
	}
	return nil
}

// compareRest compares what launches may have left since the last comparison: in one buffer that is about to go, or in
// all if it is nil.
func (c *context) compareRest(only *buffer) error {
	if len(c.pending) == 0 {
		return nil
	}
	for _, b := range c.buffers {
		if only == nil || b == only {
			if err := c.compare(b, nil); err != nil || c.m.found() {
				return err
			}
		}
	}
	if only == nil {
		c.pending = nil
	}
	return nil
}

// compare compares a buffer, chunk by chunk, behind launch e if it is the only one that can have changed it.
func (c *context) compare(b *buffer, e *driver.LaunchEnds) error {
	for at := 0; at < len(b.memory); at += chunk {
		here := b.memory[at:min(at+chunk, len(b.memory))]
		there := c.m.scratch[:len(here)]
		if err := c.m.other.Read(there, b.there+foreign.Address(at)); err != nil {
			return err
		}
		c.m.report.Bytes += uint64(len(here))
		if !bytes.Equal(here, there) && !c.alike(here, there, at) {
			return c.explain(b, e)
		}
		if b.shadow != nil {
			copy(b.shadow[at:], here)
		}
	}
	return nil
}

// alike reports whether words differ only where both point to the same place, each in its own memory, and counts those.
// There becomes like here where they do. at is where both begin in their buffer, a multiple of 8.
func (c *context) alike(here, there []byte, at int) bool {
	same := true
	for i := 0; i+4 <= len(here); i += 4 {
		h, t := binary.LittleEndian.Uint32(here[i:]), binary.LittleEndian.Uint32(there[i:])
		if h == t {
			continue
		}
		address, ok := c.translate(h)
		if !ok || uint32(address) != t {
			same = false
			continue
		}
		c.m.report.Pointers++
		copy(there[i:], here[i:i+4])
		// The upper half of an address of 64 bits.
		if upper := uint32(uint64(address) >> 32); upper != 0 && (at+i)%8 == 0 && i+8 <= len(here) && binary.LittleEndian.Uint32(here[i+4:]) == 0 {
			if binary.LittleEndian.Uint32(there[i+4:]) == upper {
				copy(there[i+4:], here[i+4:i+8])
			}
		}
	}
	return same && (len(here)%4 == 0 || bytes.Equal(here[len(here)&^3:], there[len(here)&^3:]))
}

// explain makes the report of a buffer that differs: what, where, and who wrote it.
func (c *context) explain(b *buffer, e *driver.LaunchEnds) error {
	there := make([]byte, len(b.memory))
	if err := c.m.other.Read(there, b.there); err != nil {
		return err
	}
	c.alike(b.memory, there, 0)
	d := difference.Find(b.memory, there)
	if d == nil {
		return nil // the program changed mapped memory meanwhile
	}
	first, last := c.pending[0], c.pending[len(c.pending)-1]
	found := &Difference{
		First: first.number, Launch: last.number, Kernel: last.kernel, Grid: last.grid, Block: last.block,
		Buffer: b.what, Address: b.address, Bytes: len(b.memory), Offset: d.Offset, Here: d.Got, There: d.Want,
		Words: d.Words, Of: d.Total,
	}
	if n := d.Number(); n != nil {
		found.Number = n
	}
	if e != nil && b.shadow != nil && len(c.pending) == 1 {
		found.Writer = c.writer(e, b, d.Offset)
		found.Searched = true
	}
	c.m.differ(found)
	return nil
}

// writer runs a launch again on the memory that it found, and returns who wrote a word.
func (c *context) writer(e *driver.LaunchEnds, b *buffer, offset int) *blame.Writer {
	before := e.Request.Global.Clone(func(address uint32, data []byte) []byte {
		old := bytes.Clone(data)
		for _, b := range c.buffers {
			if at := uint64(b.address - address); b.address >= address && at < uint64(len(old)) && b.shadow != nil {
				copy(old[at:], b.shadow)
			}
		}
		return old
	})
	return blame.Find(e.Request, before, b.address+uint32(offset), min(4, len(b.memory)-offset))
}

// outcomes is the difference of a launch that failed on one side only.
func (c *context) outcomes(e *driver.LaunchEnds, there error) *Difference {
	last := c.pending[len(c.pending)-1]
	d := &Difference{First: last.number, Launch: last.number, Kernel: last.kernel, Grid: last.grid, Block: last.block}
	d.ResultHere, d.ResultThere = e.Result.Error(), driver.ResultOf(there).Error()
	if e.Err != nil {
		d.Message = e.Err.Error()
	} else if there != nil {
		d.Message = there.Error()
	}
	return d
}
