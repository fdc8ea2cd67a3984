package driver

import (
	"fmt"

	"jacquard/simt"
	"jacquard/simt/check"
	"jacquard/simt/shadow"
)

// checkers look for mistakes of the kernels of a context, from launch to launch.
type checkers struct {
	race   *check.Race
	shadow *shadow.Memory  // what nobody wrote; nil: nobody asks
	found  []check.Finding // by the launch that runs
}

// checkers returns those of a context without memory.
func (d *Driver) checkers() (x checkers) {
	if d.settings.Check.Has(check.KindInit) {
		x.shadow = shadow.NewMemory()
	}
	return x
}

// checker returns what looks for mistakes in a launch of the context, together with the launch's own
// checker, which may be nil; nil if nothing does.
func (c *context) checker(own check.Checker) check.Checker {
	x := &c.checkers
	var list []check.Checker
	if own != nil {
		list = append(list, own)
	}
	if c.d.settings.Check.Has(check.KindRace) {
		if x.race == nil {
			x.race = &check.Race{Found: x.add}
		}
		list = append(list, x.race)
	}
	return check.Together(list...)
}

// add keeps a finding until the launch ends: it may run again.
func (x *checkers) add(f check.Finding) { x.found = append(x.found, f) }

// watched returns what runs a launch of the context, by its number, and looks for its mistakes.
func (c *context) watched(number int) func(*simt.Launch) (*simt.Stats, error) {
	return func(l *simt.Launch) (*simt.Stats, error) {
		x := &c.checkers
		defer func() {
			for _, f := range x.found {
				f.Launch = number
				c.d.found(f)
			}
			x.found = nil
		}()
		l.Checker = c.checker(l.Checker)
		if x.shadow == nil {
			return simt.Run(l)
		}
		return x.shadow.Run(l, func() { x.found = nil }, x.add)
	}
}

// blank allocates device memory that nobody has written. The caller holds c's lock.
func (c *context) blank(size uint64) (DevicePtr, error) {
	ptr, err := c.provide(size)
	if err == nil && c.checkers.shadow != nil {
		c.checkers.shadow.Blank(uint32(ptr), size)
	}
	return ptr, err
}

// defined says that n bytes of device memory have values.
func (c *context) defined(addr uint32, n uint64) {
	if c.checkers.shadow != nil {
		c.checkers.shadow.Define(addr, n)
	}
}

// doubled says that n bytes of device memory were copied within it.
func (c *context) doubled(to, from uint32, n uint64) {
	if c.checkers.shadow != nil {
		c.checkers.shadow.Copy(to, from, n)
	}
}

// shadowed says that p was done.
func (c *context) shadowed(p *Copy, from, to *region) {
	if c.checkers.shadow == nil {
		return
	}
	var rows []shadow.Range
	for z := range p.Depth {
		for y := range p.Height {
			src, dst := from.address(y, z), to.address(y, z)
			switch {
			case p.Dst.Type == MemoryDevice && p.Src.Type == MemoryDevice:
				c.doubled(dst, src, p.Width)
			case p.Dst.Type == MemoryDevice:
				c.defined(dst, p.Width)
			case p.Dst.Type == MemoryHost && p.Src.Type == MemoryDevice:
				rows = append(rows, shadow.Range{Addr: src, Size: p.Width})
			}
		}
	}
	c.handed(rows...)
}

// address is the device address of a row.
func (r *region) address(y, z uint64) uint32 { return r.at + uint32(z*r.slice+y*r.pitch) }

// handed reports what the host gets in rows of device memory that nobody wrote, or that depends on
// such memory. The caller holds c's lock.
func (c *context) handed(rows ...shadow.Range) {
	if c.checkers.shadow == nil {
		return
	}
	for _, out := range c.checkers.shadow.Outputs(rows...) {
		f := out.Finding("output")
		f.Count, f.At = 1, c.d.site(c.caller, "copy")
		f.Text += fmt.Sprintf(", %d bytes from 0x%x on", out.Bytes, out.Addr)
		switch {
		case out.Padding:
			f.Level, f.Advice = check.Note, "Nothing, if the bytes are padding of structures."
			fallthrough
		case out.Origin.Site.Role == "" && out.Origin.Space == "global":
			base, _, _ := c.space.Range(out.Addr)
			b := c.blocks.live[base]
			f.With = []check.Site{c.d.blockSite(&b, b.made, "allocated")}
		case out.Origin.Site.Role != "":
			f.With = []check.Site{out.Origin.Site}
		}
		c.d.found(f)
	}
}
