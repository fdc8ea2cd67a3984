package mirror

import (
	"math"

	"jacquard/board/otherdriver"
	"jacquard/libcuda/driver"
)

// context is a context with its counterpart.
type context struct {
	m        *Mirror
	handle   driver.Context
	device   otherdriver.Device
	there    otherdriver.Context
	first    uint32 // the first address of our memory
	buffers  otherdriver.Places[*buffer]
	modules  map[driver.Module]*module
	textures otherdriver.Textures
	over     string // the reason why mirroring ended; "" while it goes on

	pending int        // launches since the last comparison
	last    Difference // describes the pending launches
}

// giveUp ends the mirroring of c, and frees its memory there, because the program may need it.
func (c *context) giveUp(why string) {
	if c.over != "" {
		return
	}
	c.over = why
	c.m.note("a context is not compared any more: %s", why)
	c.forget()
	if c.there != 0 {
		c.m.other.CtxDestroy(c.there) // if this fails, it is lost
	}
}

// forget frees the shadows.
func (c *context) forget() {
	for _, b := range c.buffers {
		b.forget()
	}
	c.buffers = nil
}

// follow repeats a change there. An error ends the mirroring of c.
func (c *context) follow(change driver.Change) error {
	if end, ok := change.(driver.LaunchEnds); ok {
		c.m.report.Launches++
		switch {
		case c.m.found():
			c.m.skip("a difference was found before")
			return nil
		case c.over != "":
			c.m.skip(c.over)
			return nil
		}
		if err := c.current(); err != nil {
			return err
		}
		return c.launchEnds(&end)
	}
	if c.m.found() || c.over != "" {
		return nil
	}
	if _, ok := change.(driver.ContextCreated); ok {
		return c.create()
	}
	if err := c.current(); err != nil {
		return err
	}
	switch e := change.(type) {
	case driver.ContextEnds:
		return c.destroy()
	case driver.ContextEmpties:
		if err := c.destroy(); err != nil || c.m.found() {
			return err
		}
		return c.create()
	case driver.ModuleLoaded:
		return c.moduleLoaded(&e)
	case driver.ModuleUnloads:
		return c.moduleUnloads(e.Module)
	case driver.MemoryAllocated:
		return c.allocated(&e)
	case driver.HostMapped:
		return c.mapped(e.Address, e.Memory)
	case driver.MemoryFrees:
		return c.frees(e.Address)
	case driver.MemoryWritten:
		return c.written(&e)
	case driver.ArrayWritten:
		c.textures.Written(uintptr(e.Array))
	case driver.ArrayDestroys:
		return c.textures.Destroy(uintptr(e.Array))
	case driver.LaunchBegins:
		return c.launchBegins(e)
	}
	return nil
}

// current makes the counterpart current to the thread.
func (c *context) current() error { return c.m.other.CtxSetCurrent(c.there) }

const (
	page = 4096

	// elsewhere is the first address of our memory if the other's addresses do not fit: few
	// integers and few floating-point numbers look like addresses there.
	elsewhere = 0x20000000
)

// create creates the counterpart.
func (c *context) create() error {
	c.first = elsewhere
	c.buffers, c.modules, c.pending = nil, map[driver.Module]*module{}, 0
	c.textures = otherdriver.Textures{Driver: c.m.other}
	there, err := c.m.other.CtxCreate(c.device)
	if err != nil {
		return err
	}
	c.there = there
	at, err := c.m.other.MemAlloc(page)
	if err != nil {
		return err
	}
	// A simulator's next address: after the page and the guard page.
	if next := (uint64(at)+page-1)/page*page + 2*page; next < math.MaxUint32/2 {
		c.first = uint32(next)
	}
	return c.m.other.MemFree(at)
}

// destroy compares the rest of the counterpart, and destroys it.
func (c *context) destroy() error {
	if err := c.compareRest(nil); err != nil || c.m.found() {
		return err
	}
	c.forget()
	there := c.there
	c.there = 0
	return c.m.other.CtxDestroy(there)
}
