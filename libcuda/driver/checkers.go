package driver

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"jacquard/libcuda/driver/judge"
	"jacquard/libcuda/driver/sinks"
	"jacquard/simt"
	"jacquard/simt/check"
	"jacquard/simt/program"
	"jacquard/simt/shadow"
)

// checkers look for mistakes of the kernels of a context, from launch to launch, and for mistakes in
// the program's calls.
type checkers struct {
	race   *check.Race
	shadow *shadow.Memory      // what nobody wrote; nil: nobody asks
	found  []check.Finding     // by the launch that runs
	first  func(check.Finding) // is told of each when it happens first, by a debugged launch; nil: nobody
	caller *judge.Call         // the call that has the context's lock; nil without a judge
	blocks judge.Blocks        // that the program allocated and freed; empty without a judge
}

// checker returns what looks for mistakes in a launch of the context in a stream, together with the
// launch's own checker, which may be nil; nil if nothing does.
func checker(c *context, stream Stream, own check.Checker) check.Checker {
	var list []check.Checker
	if own != nil {
		list = append(list, own)
	}
	if c.d.judge.Has(check.KindSync) {
		list = append(list, &check.Sync{Found: c.checkers.add, First: c.checkers.first})
	}
	if r := race(c); r != nil {
		r.Found, r.First, r.Work = c.checkers.add, c.checkers.first, c.d.judge.Work(uintptr(c.handle), uintptr(stream))
		list = append(list, r)
	}
	return check.Together(list...)
}

// forget makes the checkers of kernels those of a context without memory.
func (x *checkers) forget(d *Driver) {
	x.race, x.shadow = nil, nil
	if d.settings.Check.Has(check.KindInit) {
		x.shadow = shadow.NewMemory()
		x.shadow.Again = d.config.Debug != nil
	}
}

// add keeps a finding until the launch ends: it may run again.
func (x *checkers) add(f check.Finding) { x.found = append(x.found, f) }

// run runs a launch.
func (x *checkers) run(l *simt.Launch) (*simt.Stats, error) {
	if x.shadow == nil {
		return simt.Run(l)
	}
	return x.shadow.Run(l, func() { x.found = nil }, x.add)
}

// report reports what was found in the launch that has ended.
func (x *checkers) report(d *Driver, number int) {
	for _, f := range x.found {
		f.Launch = number
		d.found(f)
	}
	x.found = nil
}

// blank allocates device memory that nobody has written. The caller holds c's lock.
func blank(c *context, size uint64) (DevicePtr, error) {
	ptr, err := c.provide(size)
	if err == nil && c.checkers.shadow != nil {
		c.checkers.shadow.Blank(uint32(ptr), size)
	}
	return ptr, err
}

// defined says that n bytes of device memory have values.
func (x *checkers) defined(addr uint32, n uint64) {
	if x.shadow != nil {
		x.shadow.Define(addr, n)
	}
}

// doubled says that n bytes of device memory were copied within it.
func (x *checkers) doubled(to, from uint32, n uint64) {
	if x.shadow != nil {
		x.shadow.Copy(to, from, n)
	}
}

// shadowed says that p was done.
func shadowed(c *context, p *Copy, from, to *region) {
	if c.checkers.shadow == nil {
		return
	}
	var rows []shadow.Range
	for z := range p.Depth {
		for y := range p.Height {
			src, dst := from.address(y, z), to.address(y, z)
			switch {
			case p.Dst.Type == MemoryDevice && p.Src.Type == MemoryDevice:
				c.checkers.doubled(dst, src, p.Width)
			case p.Dst.Type == MemoryDevice:
				c.checkers.defined(dst, p.Width)
			case p.Dst.Type == MemoryHost && p.Src.Type == MemoryDevice:
				rows = append(rows, shadow.Range{Addr: src, Size: p.Width})
			}
		}
	}
	handed(c, rows...)
}

// address is the device address of a row.
func (r *region) address(y, z uint64) uint32 { return r.at + uint32(z*r.slice+y*r.pitch) }

// handed reports what the host gets in rows of device memory that nobody wrote, or that depends on
// such memory. The caller holds c's lock.
func handed(c *context, rows ...shadow.Range) {
	if c.checkers.shadow == nil {
		return
	}
	for _, out := range c.checkers.shadow.Outputs(rows...) {
		f := out.Finding("output")
		f.Count, f.At = 1, c.d.judge.Site(c.checkers.caller, "copy")
		f.Text += fmt.Sprintf(", in %d bytes of device memory from 0x%x on", out.Bytes, out.Addr)
		switch {
		case out.Padding:
			f.Level, f.Advice = check.Note, "Nothing, if the bytes are padding of structures."
			fallthrough
		case out.Origin.Site.Role == "" && out.Origin.Space == "global":
			base, size, _ := c.space.Range(out.Addr)
			made, _ := c.checkers.blocks.Made(base)
			b := judge.Block{Base: base, Size: size, Made: made}
			f.With = []check.Site{c.d.judge.BlockSite(&b, made, "allocated")}
		case out.Origin.Site.Role != "":
			f.With = []check.Site{out.Origin.Site}
		}
		c.d.found(f)
	}
}

// race returns the checker of races, nil if nobody asks for them.
func race(c *context) *check.Race {
	if c.checkers.race == nil && c.d.judge.Has(check.KindRace) {
		c.checkers.race = &check.Race{Again: c.d.config.Debug != nil}
	}
	return c.checkers.race
}

// bounds returns the checker of accesses that the machine does not refuse, for a launch of code b;
// nil if nobody asks for them, or there are none.
func (f *function) bounds(b *body, launch *sinks.Launch) check.Checker {
	d := f.module.ctx.d
	if !d.judge.Has(check.KindMemory) {
		return nil
	}
	x := &f.module.ctx.checkers
	whole := func(found check.Finding, u *program.Op) check.Finding {
		found.Shape = launch.Request.Block
		if unit := int(u.Ins.Tex.Unit); found.Space == "texture" && unit < len(b.textures) && b.textures[unit] != nil {
			found.With = append(found.With, d.judge.Site(b.textures[unit].bound.made, "bound"))
		}
		return found
	}
	bounds := &check.Bounds{Report: func(found check.Finding, u *program.Op) { x.add(whole(found, u)) }}
	if d.config.Debug != nil {
		bounds.First = func(found check.Finding, u *program.Op) {
			if x.first != nil {
				x.first(whole(found, u))
			}
		}
	}
	for _, v := range f.module.image.Constants {
		bounds.Constants = append(bounds.Constants, check.Constant{Name: v.Name, First: uint32(v.Offset), End: uint32(v.Offset + v.Bytes)})
	}
	if !bounds.Looks(launch.Request.Program.Program) {
		return nil
	}
	return bounds
}

// explained completes a finding of an access to device memory that is not there; o is the overrun of
// the launch, which knows its own allocation, or nil. The caller holds c's lock.
func explained(c *context, f check.Finding, o *simt.Overrun) check.Finding {
	return c.d.judge.Explain(f, &c.checkers.blocks, func(addr, size uint32) (judge.Block, string, bool) {
		if o != nil && addr == o.Addr {
			made, _ := c.checkers.blocks.Made(o.Base)
			return judge.Block{Base: o.Base, Size: o.Size, Made: made}, "", true
		}
		return nearest(c, addr, size)
	})
}

// nearest returns the memory whose begin or end is nearest to an access, and the words for whose it
// is unless the program allocated it.
func nearest(c *context, addr, size uint32) (near judge.Block, name string, ok bool) {
	best := uint64(math.MaxUint64)
	for base, data := range c.space.All() {
		b := judge.Block{Base: base, Size: uint64(len(data))}
		far := uint64(0)
		switch end := uint64(addr) + uint64(size); {
		case addr < base:
			far = uint64(base) - uint64(addr)
		case end > b.End():
			far = end - b.End()
		}
		if far < best {
			best, near, ok = far, b, true
		}
	}
	if made, mine := c.checkers.blocks.Made(near.Base); mine {
		near.Made = made
	} else if ok {
		near.Made, name = others(c, near.Base)
	}
	return near, name, ok
}

// others returns the call that made memory at an address which the program did not allocate there,
// and words for the memory.
func others(c *context, base uint32) (made *judge.Call, name string) {
	if b := c.d.host.mappedAt(c, base); b != nil {
		return b.made, ", which is mapped memory of the host"
	}
	for _, o := range c.d.handles.all() {
		m, ok := o.(*module)
		if !ok || m.ctx != c {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(m.data.Variables)) {
			if m.data.Variables[name].Address == base {
				return nil, ", the variable " + name
			}
		}
	}
	return nil, ""
}

// judgeKinds reports a copy between device memory and host memory, 0 for none, whose pointers are
// not what the copy takes them for. The copy has failed if err is not nil. The caller holds c's
// lock.
func judgeKinds(c *context, t *Thread, err error, host uintptr, device ...DevicePtr) {
	if !c.d.judge.Has(check.KindAPI) {
		return
	}
	var list []uint64
	for _, p := range device {
		list = append(list, uint64(p))
	}
	c.d.judge.Kinds(&t.calls, list, host, err != nil, func(addr uint32) bool {
		_, _, ok := c.space.Owner(addr)
		return ok
	})
}

// copiesAsync notes a copy in a stream between rows of host memory and device memory, 0 for none.
// Reads says whether it has read the host's or written it. The caller holds c's lock.
func copiesAsync(c *context, stream Stream, device DevicePtr, reads bool, rows ...[]byte) {
	if !c.d.Checks() || len(rows) == 0 {
		return
	}
	work := c.d.judge.Work(uintptr(c.handle), uintptr(stream))
	if r := race(c); r != nil && device != 0 && work.Beside {
		r.Work, r.Found = work, c.d.found
		r.Copy(c.d.judge.Site(c.checkers.caller, "copy"), uint32(device), len(rows[0]), reads)
	}
	block := uintptr(0)
	if b := c.d.host.find(addressOf(rows[0])); b != nil {
		block = b.at
	}
	c.d.judge.Copied(c.checkers.caller, uintptr(c.handle), work, block, reads, rows)
}

// awaited says that a call waits for all work of the current context.
func awaited(t *Thread) {
	if !t.d.Checks() {
		return
	}
	if c, err := t.current(); err == nil {
		t.d.judge.Awaited(uintptr(c.handle))
	}
}

// CallBegins says that the program has made a call, with the return addresses on the program's
// stack, innermost first. CallEnds, RuntimeFailed and ErrorAsked tell more of it. None of the four is
// a call of CUDA.
func CallBegins(t *Thread, pcs []uintptr) { t.d.judge.Begins(&t.calls, pcs) }

// CallEnds says that the last call which began and has not ended ends with a result.
func CallEnds(t *Thread, result Result) {
	failure := ""
	if result != Success && result != ErrNotReady {
		failure = result.Error()
	}
	t.d.judge.Ends(&t.calls, failure)
}

// RuntimeFailed says that a call of a runtime library fails, with the names of the function and of
// the error. It is called within that call.
func RuntimeFailed(t *Thread, call, failure string) { t.d.judge.RuntimeFailed(&t.calls, call, failure) }

// ErrorAsked says that the program asks a runtime library for the last error.
func ErrorAsked(t *Thread) { t.calls.ErrorAsked(t.d.judge) }

// Checks reports whether the check knob asks for any kind of mistake. Then the driver wants to be
// told of calls.
func (d *Driver) Checks() bool { return d.ready.Load() && d.judge != nil }

// judgeEnd reports the calls that failed unseen, and what the program leaves. It is called when the
// process ends.
func (d *Driver) judgeEnd() {
	var threads []*judge.Thread
	d.mu.Lock()
	for _, id := range slices.Sorted(maps.Keys(d.threads)) {
		threads = append(threads, &d.threads[id].calls)
	}
	d.mu.Unlock()
	d.judge.End(threads)
	if !d.judge.Leaks() {
		return
	}
	for _, o := range d.handles.all() {
		c := o.context()
		c.mu.Lock()
		d.judgeLeft(o)
		c.mu.Unlock()
	}
	for _, b := range d.host.all() {
		if !b.registered {
			d.judge.Leak(b.made, "host", fmt.Sprintf("%d bytes of page-locked memory of the host", b.size))
		}
	}
}

// judgeLeft reports an object that is left, and the memory of a context. The caller holds the lock of
// its context.
func (d *Driver) judgeLeft(o object) {
	switch o := o.(type) {
	case *context:
		for b := range o.checkers.blocks.Live {
			d.judge.Leak(b.Made, "device", fmt.Sprintf("%d bytes of device memory", b.Size))
		}
	case *array:
		if !o.shared {
			d.judge.Leak(o.made, "array", "an array")
		}
	case *stream:
		d.judge.Leak(o.made, "stream", "a stream")
	case *event:
		d.judge.Leak(o.made, "event", "an event")
	}
}
