package shadow

import (
	"fmt"
	"math/bits"

	"jacquard/simt/check"
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// Origin is where bits without a value come from: the access that read them first.
type Origin struct {
	Space string     // of the memory that nobody wrote, or "register"
	Site  check.Site // without role for registers, and for memory that no kernel read

	program *program.Program
}

// Numbers of origins. Memory that nobody wrote has none until someone reads it.
const (
	noOrigin       = iota
	registerOrigin // a register at the start of a block
	firstOrigin
)

// place is an instruction that reads memory of a space.
type place struct {
	program *program.Program
	at      int32
	space   string
}

// origin returns the number of the origin that an instruction is.
func (m *Memory) origin(p *program.Program, u *program.Op, space, role string, where check.Thread) uint32 {
	key := place{p, u.At, space}
	n, ok := m.known[key]
	if !ok {
		n = uint32(len(m.origins))
		m.known[key] = n
		m.origins = append(m.origins, Origin{space, check.SiteOf(p, u, role, where), p})
	}
	return n
}

// clue is what makes findings of a launch one.
type clue struct {
	what   string
	at     int32
	origin uint32
}

// texts are the sentences for what is found.
var texts = map[string][2]string{
	"branch":  {"a branch depends on %s", "Write the value on all paths before it is used."},
	"address": {"an address depends on %s", "Write the value on all paths before it is used as an index."},
	"output":  {"the host gets values of %s", "Write the value before it is read or copied."},
}

// subjects are the words for values without a value.
var subjects = map[string]string{
	"register": "a register that was never written",
	"global":   "device memory that was never written",
	"shared":   "shared memory that the block has not written",
	"local":    "local memory that the thread has not written",
}

// Finding returns a finding without a place.
func (o *Origin) Finding(what string) check.Finding {
	f := check.Finding{Kind: check.KindInit, What: what, Space: o.Space, Level: check.Error, Launch: -1}
	f.Text, f.Advice = fmt.Sprintf(texts[what][0], subjects[o.Space]), texts[what][1]
	return f
}

// report notes that lanes of a warp depend on bits without a value.
func (b *block) report(what string, u *program.Op, w int, lanes lane.Mask, from *register) {
	for ; lanes != 0; lanes &= lanes - 1 {
		l := bits.TrailingZeros32(uint32(lanes))
		b.note(clue{what, u.At, from.origin[l]}, u, w, 1<<l)
	}
}

// note counts a finding for a lane.
func (t *tracer) note(c clue, u *program.Op, w int, lanes lane.Mask) {
	if i, ok := t.seen[c]; ok {
		t.found[i].Count++
		if x := &t.found[i].At.Where[0]; x.Block == t.index && x.Warp == w {
			x.Lanes |= lanes
		}
		return
	}
	o := &t.m.origins[c.origin]
	f := o.Finding(c.what)
	f.Kernel, f.Count = t.p.Kernel.Name, 1
	f.At = check.SiteOf(t.p, u, roleOf(u), check.Thread{Block: t.index, Warp: w, Lanes: lanes})
	if o.Site.Role != "" && (o.program != t.p || o.Site.Device.PC != u.PC) {
		f.With = []check.Site{o.Site}
	}
	t.seen[c] = len(t.found)
	t.found = append(t.found, f)
	if t.m.First != nil {
		t.m.First(f)
	}
}
