package debug

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"jacquard/simt/mem"
	"jacquard/simt/watch"
	"jacquard/tesla"
)

// hit is a watchpoint that an issue hit; the next issue stops.
type hit struct {
	ids   []int
	focus Focus
	text  string
}

// spaceOf returns the memory that an access of a class is to, "" if it is none that can be watched.
func spaceOf(c tesla.Class) string {
	switch c {
	case tesla.ClassGlobal, tesla.ClassAtomic:
		return "global"
	case tesla.ClassShared:
		return "shared"
	case tesla.ClassLocal:
		return "local"
	}
	return ""
}

// touches returns the last lane of an issue that touches what w watches, and whether one does.
func (o *blockWatch) touches(w *Watch, i *watch.Issue, writes, reads bool) (f Focus, ok bool) {
	if w.Register != "" {
		return w.Focus, writes && w.Focus.Block == o.number && o.writesRegister(w, i)
	}
	in := i.Instruction
	if in.Bad != tesla.OK || !i.Accesses || spaceOf(in.Op.Class()) != w.Space || w.Space == "shared" && w.Focus.Block != o.number {
		return f, false
	}
	stores := in.Op.HandsOver(1)
	if !(stores && writes || reads && (!stores || in.Op.Class() == tesla.ClassAtomic)) {
		return f, false
	}
	from, end, size := uint64(w.Address), uint64(w.Address)+uint64(w.Size), uint64(mem.Size(in.Type))
	for p := range i.Warps() {
		if p.Addresses == nil {
			continue
		}
		for l, at := range p.Addresses {
			if at := uint64(at); p.Executed>>l&1 != 0 && at < end && at+size > from {
				f, ok = Focus{Block: o.number, Warp: p.Warp, Lane: l}, true
			}
		}
	}
	return f, ok
}

// mayTouch reports whether an instruction may touch what w watches.
func (c *code) mayTouch(w *Watch, i int) bool {
	if w.Register == "" {
		in := c.p.Code[i].Ins
		return in.Bad == tesla.OK && spaceOf(in.Op.Class()) == w.Space
	}
	n, err := strconv.Atoi(w.Register[1:])
	if err != nil {
		return false
	}
	e := c.p.Effects(i)
	switch w.Register[0] {
	case 'a':
		return slices.Contains(e.AddressRegisters, n)
	case 'c':
		return slices.Contains(e.Conditions, n)
	}
	return slices.Contains(e.Registers, n)
}

// writesRegister reports whether an issue writes a watched register.
func (o *blockWatch) writesRegister(w *Watch, i *watch.Issue) bool {
	index, ok := o.r.code.p.Index(i.PC)
	if !ok || !o.r.code.mayTouch(w, index) {
		return false
	}
	for p := range i.Warps() {
		if p.Warp == w.Focus.Warp && p.Executed>>w.Focus.Lane&1 != 0 {
			return true
		}
	}
	return false
}

// accessed looks whether an issue that has executed hit a watchpoint, or is what a trip looks for.
func (o *blockWatch) accessed(i *watch.Issue) {
	r := o.r
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	if r.left {
		return
	}
	if r.trip.recording() {
		r.trip.accessed(o, i)
	}
	if r.trip.on {
		return
	}
	for _, b := range o.watches {
		f, ok := o.touches(b.Watch, i, b.Watch.Writes, b.Watch.Reads)
		if !ok {
			continue
		}
		old, now := b.was, r.watchedIn(o, b.Watch)
		b.was = now
		if b.condition != nil {
			yes, err := b.condition.Condition(&scope{r: r, b: o, at: f, pc: r.code.index(i.PC)})
			if err != nil || !yes {
				continue
			}
		}
		if b.hits++; !b.counts(b.hits) {
			continue
		}
		if r.hit == nil {
			r.hit = &hit{}
		}
		r.hit.ids, r.hit.focus = append(r.hit.ids, b.ID), f
		what := "read"
		if !bytes.Equal(old, now) || !b.Watch.Reads || i.Instruction.Op.HandsOver(1) {
			what = fmt.Sprintf("%s -> %s", hexOf(old), hexOf(now))
		}
		r.hit.text = fmt.Sprintf("%s: %s by %s: %s", b.Watch, what, r.code.place(r.code.index(i.PC)), i.Instruction)
		r.s.version.Add(1)
	}
}

// String names what is watched.
func (w *Watch) String() string {
	if w.Register != "" {
		return "$" + w.Register
	}
	return fmt.Sprintf("%d bytes at @%s 0x%x", w.Size, w.Space, w.Address)
}

// hexOf returns memory as a number, if it is short.
func hexOf(data []byte) string {
	switch len(data) {
	case 0:
		return "?"
	case 1, 2, 4, 8:
		d := slices.Clone(data)
		slices.Reverse(d)
		return fmt.Sprintf("0x%x", d)
	}
	return fmt.Sprintf("% x", data[:min(len(data), 16)])
}

// watched returns the content of what is watched, nil if it cannot be read.
func (r *run) watched(w *Watch) []byte {
	if b := r.blocks[w.Focus.Block]; b != nil && b.st != nil || w.Space == "global" {
		return r.watchedIn(b, w)
	}
	return nil
}

// watchedIn is watched in a block.
func (r *run) watchedIn(b *blockWatch, w *Watch) []byte {
	s := &scope{r: r, b: b, at: w.Focus}
	if w.Register != "" {
		if b == nil || b.st == nil {
			return nil
		}
		v, err := s.Register(w.Register)
		if err != nil {
			return nil
		}
		return slices.Clone(v.Data)
	}
	data, err := s.Load(w.Space, w.Address, w.Size)
	if err != nil {
		return nil
	}
	return data
}
