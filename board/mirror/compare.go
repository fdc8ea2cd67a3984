package mirror

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"

	"jacquard/board/lastwriter"
	"jacquard/board/otherdriver"
	"jacquard/internal/difference"
	"jacquard/libcuda/driver"
	"jacquard/simt"
	"jacquard/simt/mem"
)

// compareDue compares all memory after a launch if a comparison is due. It always compares mapped
// memory, because the program can read it.
func (c *context) compareDue(e *driver.LaunchEnds) error {
	if c.m.options.Every > 0 && c.pending >= c.m.options.Every {
		err := c.compare(c.buffers, e)
		c.pending = 0
		return err
	}
	return c.compare(slices.DeleteFunc(slices.Clone(c.buffers), func(b *buffer) bool { return !b.host }), e)
}

// compareRest compares the memory of launches since the last comparison: of one buffer about to be
// freed, or of all if only is nil.
func (c *context) compareRest(only *buffer) error {
	switch {
	case c.pending == 0:
		return nil
	case only != nil:
		return c.compare([]*buffer{only}, nil)
	}
	err := c.compare(c.buffers, nil)
	c.pending = 0
	return err
}

// compare compares buffers after launch e; e is nil if several launches may have changed them.
// Shadows are updated only if all buffers agree: until then the memory before the launch must be
// kept.
func (c *context) compare(buffers []*buffer, e *driver.LaunchEnds) error {
	for {
		s := newSweep(c, buffers, e)
		if err := s.run(); err != nil {
			return err
		}
		b := s.different()
		if b == nil {
			c.noteLost()
			return s.refresh()
		}
		if err := c.explain(b, e); err != nil || c.m.found() {
			return err
		}
		// The program changed its own memory. Buffers after b have not been compared.
		buffers = slices.DeleteFunc(slices.Clone(buffers), func(other *buffer) bool { return other == b })
	}
}

// alike reports whether words are equal, except for addresses of the same place, each in its own
// memory. It counts these pointers, and copies them from here to there. at is the offset of both in
// their buffer, a multiple of 8.
func (c *context) alike(here, there []byte, at int) (same bool, pointers uint64) {
	same = true
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
		pointers++
		copy(there[i:], here[i:i+4])
		// The upper half of an address of 64 bits.
		if upper := uint32(uint64(address) >> 32); upper != 0 && (at+i)%8 == 0 && i+8 <= len(here) && binary.LittleEndian.Uint32(here[i+4:]) == 0 {
			if binary.LittleEndian.Uint32(there[i+4:]) == upper {
				copy(there[i+4:], here[i+4:i+8])
			}
		}
	}
	return same && bytes.Equal(here[len(here)&^3:], there[len(here)&^3:]), pointers
}

// explain makes the report of a buffer that differs: the buffer, the word, and the last writer.
func (c *context) explain(b *buffer, e *driver.LaunchEnds) error {
	there := make([]byte, len(b.memory))
	if err := c.m.other.Read(there, b.there); err != nil {
		return err
	}
	here := b.memory
	if b.host {
		if here = c.withoutProgram(b, there, e); here == nil {
			return nil // the program has unmapped it
		}
	}
	holds := bytes.Clone(there)
	c.alike(here, there, 0)
	d := difference.FindWithSlack(here, there, b.slack)
	if d == nil {
		copy(b.shadow, holds)
		return nil
	}
	last := &c.last
	found := &Difference{
		First: c.oldest, Launch: last.number, Kernel: last.kernel, Grid: last.grid, Block: last.block,
		Buffer: b.what, Address: b.address, Bytes: len(b.memory) - b.slack, Offset: d.Offset, Here: d.Got, There: d.Want,
		Words: d.Words, Of: d.Total, Number: d.Number(),
	}
	if c.replayable(e) {
		found.Writer = c.writer(e, b, d.Offset)
		found.Searched = true
	}
	c.m.differ(found)
	return nil
}

// withoutProgram returns mapped memory here after the kernels, without the program's own writes. It
// runs the launch again. If that fails, words that no kernel there changed count as the program's.
func (c *context) withoutProgram(b *buffer, there []byte, e *driver.LaunchEnds) []byte {
	if c.replayable(e) {
		again := e.Request.Again(c.before(e))
		if _, err := simt.Run(&again); err != nil {
			return nil
		}
		left, err := again.Global.Bytes(b.address, uint64(len(b.memory)))
		if err != nil {
			panic("mirror: " + err.Error())
		}
		return left
	}
	var here []byte
	b.guarded(func() error {
		here = bytes.Clone(b.memory)
		return nil
	})
	for i := range here {
		if there[i] == b.shadow[i] {
			here[i] = there[i]
		}
	}
	return here
}

// replayable reports whether launch e can be run again on its memory: it is the only launch since
// the last comparison.
func (c *context) replayable(e *driver.LaunchEnds) bool {
	return e != nil && c.m.shadows() && c.pending == 1
}

// writer runs a launch again on the memory before it, and returns the last writer of a word.
func (c *context) writer(e *driver.LaunchEnds, b *buffer, offset int) *lastwriter.Writer {
	return lastwriter.Find(&e.Request, c.before(e), b.address+uint32(offset), min(4, len(b.memory)-offset))
}

// before returns the memory before launch e.
func (c *context) before(e *driver.LaunchEnds) *mem.Space {
	return e.Request.Global.Clone(func(address uint32, data []byte) []byte {
		i, found := c.search(address)
		if found && c.buffers[i].shadow != nil && len(c.buffers[i].shadow) == len(data) {
			return bytes.Clone(c.buffers[i].shadow)
		}
		old := bytes.Clone(data) // a module's memory, with variables in it
		for _, b := range c.buffers[i:] {
			if at := uint64(b.address - address); at < uint64(len(old)) {
				copy(old[at:], b.shadow)
			}
		}
		return old
	})
}

// outcomes returns the difference of a launch that failed on one side only.
func (c *context) outcomes(e *driver.LaunchEnds, there error) *Difference {
	last := &c.last
	d := &Difference{First: last.number, Launch: last.number, Kernel: last.kernel, Grid: last.grid, Block: last.block}
	d.ResultHere, d.ResultThere = e.Result.Error(), codeOf(there)
	if e.Err != nil {
		d.Message = e.Err.Error()
	} else if there != nil {
		d.Message = there.Error()
	}
	return d
}

// codeOf returns the other driver's name of an error.
func codeOf(err error) string {
	var call *otherdriver.Error
	if errors.As(err, &call) {
		return call.Code()
	}
	return driver.ResultOf(err).Error()
}
