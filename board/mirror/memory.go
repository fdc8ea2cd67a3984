package mirror

import (
	"bytes"
	"encoding/binary"
	"math"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"jacquard/board/otherdriver"
	"jacquard/libcuda/driver"
)

// buffer is a piece of device memory on both sides.
type buffer struct {
	what    string // "memory", "mapped host memory" or "variable NAME"
	address uint32
	memory  []byte // ours, at present
	slack   int    // bytes of memory, at its end, that only kernels reach
	there   otherdriver.Address
	shadow  []byte // the content when both last agreed; nil if it is not kept
	host    bool   // the program may write to it at any time
	// lost means host memory that the program has unmapped; it is not read any more.
	lost   atomic.Bool
	module driver.Module // for a variable
}

// Place returns where b is.
func (b *buffer) Place() otherdriver.Place {
	return otherdriver.Place{Address: b.address, Size: len(b.memory), There: b.there}
}

// shadows reports whether buffers keep the content on which both sides last agreed. The search for
// the last writer of a word runs the launch again on that content.
func (m *Mirror) shadows() bool { return m.options.Every == 1 }

// allocated allocates memory there, with a copy of our slack, so that a kernel that reaches the
// slack does the same on both sides.
func (c *context) allocated(e *driver.MemoryAllocated) error {
	size := uint64(len(e.Reach))
	at, err := c.m.other.MemAlloc(size)
	if err != nil {
		return err
	}
	if err := c.m.other.Clear(at, size); err != nil {
		return err
	}
	b := &buffer{what: "memory", address: e.Address, memory: e.Reach, slack: len(e.Reach) - len(e.Memory), there: at}
	c.buffers.Insert(b)
	if c.m.shadows() {
		return b.keep(nil)
	}
	return nil
}

// mapped allocates memory there for mapped host memory; the program's writes are copied before each
// launch.
func (c *context) mapped(address uint32, memory []byte) error {
	at, err := c.m.other.MemAlloc(uint64(len(memory)))
	if err != nil {
		return err
	}
	b := &buffer{what: "mapped host memory", address: address, memory: memory, there: at, host: true}
	c.buffers.Insert(b)
	if err := b.keep(memory); err != nil {
		return err
	}
	return c.m.other.Write(at, b.shadow)
}

func (c *context) frees(address uint32) error {
	i, ok := c.buffers.Search(address)
	if !ok {
		return nil
	}
	b := c.buffers[i]
	if err := c.compareRest(b); err != nil || c.m.found() {
		return err
	}
	c.buffers = slices.Delete(c.buffers, i, i+1)
	b.forget()
	return c.m.other.MemFree(b.there)
}

// written copies the program's writes to the buffers in their range: each variable of a module is a
// buffer.
func (c *context) written(e *driver.MemoryWritten) error {
	for y := range e.Height {
		row := e.Data[y*e.Pitch:][:e.Width]
		err := c.buffers.Within(e.Address+uint32(y*e.Pitch), row, func(b *buffer, at int, part []byte) error {
			if b.shadow != nil {
				copy(b.shadow[at:], part)
			}
			return c.m.other.Write(b.there+otherdriver.Address(at), part)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// guarded calls do, which reads b. If the program has unmapped b, it marks b as lost.
func (b *buffer) guarded(do func() error) error {
	if b.lost.Load() {
		return nil
	}
	if !b.host {
		return do()
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if _, fault := cause.(interface{ Addr() uintptr }); !fault {
			panic(cause)
		}
		b.lost.Store(true)
	}()
	return do()
}

// noteLost notes the memory that the program has unmapped.
func (c *context) noteLost() {
	for _, b := range c.buffers {
		if b.lost.Load() {
			c.m.note("mapped host memory of %d bytes at 0x%x is not compared any more: the program has taken it away", len(b.memory), b.address)
		}
	}
}

// copyChanged copies what has changed in b since both sides agreed.
func (c *context) copyChanged(b *buffer) error {
	for at := 0; at < len(b.memory); at += chunk {
		here := b.memory[at:min(at+chunk, len(b.memory))]
		if b.shadow != nil {
			shadow := b.shadow[at:][:len(here)]
			if bytes.Equal(shadow, here) {
				continue
			}
			copy(shadow, here)
			here = shadow // the program may write to its memory meanwhile
		}
		if err := c.m.other.Write(b.there+otherdriver.Address(at), here); err != nil {
			return err
		}
	}
	return nil
}

// resync copies changes from here to there: of the program to mapped memory and, unless that is all,
// of a kernel that did not run there.
func (c *context) resync(mapped bool) error {
	for _, b := range c.buffers {
		if mapped && !b.host {
			continue
		}
		if err := b.guarded(func() error { return c.copyChanged(b) }); err != nil {
			return err
		}
	}
	return nil
}

// translated returns a kernel's parameters with the other's addresses.
func (c *context) translated(params []byte) ([]byte, error) {
	out := bytes.Clone(params)
	for at := 0; at+4 <= len(out); at += 4 {
		word := binary.LittleEndian.Uint32(out[at:])
		there, ok := c.buffers.Translate(word)
		switch {
		case !ok || uint64(there) == uint64(word):
		case uint64(there) <= math.MaxUint32:
			binary.LittleEndian.PutUint32(out[at:], uint32(there))
		case at%8 == 0 && at+8 <= len(out) && binary.LittleEndian.Uint32(out[at+4:]) == 0:
			binary.LittleEndian.PutUint64(out[at:], uint64(there))
			at += 4
		default:
			return nil, errNarrow
		}
	}
	return out, nil
}
