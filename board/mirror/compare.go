package mirror

import (
	"bytes"
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
	c.buffers.Alike(here, there, 0)
	d := difference.FindWithSlack(here, there, b.slack)
	if d == nil {
		copy(b.shadow, holds)
		return nil
	}
	found := c.last
	found.Buffer, found.Address, found.Bytes, found.Offset = b.what, b.address, len(b.memory)-b.slack, d.Offset
	found.Here, found.There, found.Number, found.Words, found.Of = d.Got, d.Want, d.Number(), d.Words, d.Total
	if c.replayable(e) {
		found.Writer = c.writer(e, b, d.Offset)
		found.Searched = true
	}
	c.m.differ(&found)
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
		i, found := c.buffers.Search(address)
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
	d := c.last
	d.First = d.Launch
	d.ResultHere, d.ResultThere = e.Result.Error(), codeOf(there)
	if e.Err != nil {
		d.Message = e.Err.Error()
	} else if there != nil {
		d.Message = there.Error()
	}
	return &d
}

// codeOf returns the other driver's name of an error.
func codeOf(err error) string {
	var call *otherdriver.Error
	if errors.As(err, &call) {
		return call.Code()
	}
	return driver.ResultOf(err).Error()
}
