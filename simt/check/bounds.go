package check

import (
	"fmt"
	"math/bits"
	"slices"

	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/mem/texture"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// Bounds is the checker of accesses beyond an object that the machine does not refuse:
//
//   - indexed accesses to shared memory that reach the launch's header or its parameters;
//   - indexed accesses to local memory beyond what the kernel declares, up to the next 16 bytes;
//   - accesses whose index does not fit into the 16 bits of an address register;
//   - indexed reads of constants that belong to no variable;
//   - fetches from a linear texture beyond the bound range.
//
// Not found: accesses beyond an array into another of the same memory. Machine code does not tell
// where an array ends that another follows.
type Bounds struct {
	// Constants are the variables of bank 0. Without any, the whole bank is one.
	Constants []Constant

	// Report takes in a finding of the instruction u. The number of the launch is missing there, and
	// where a texture was bound.
	Report func(f Finding, u *program.Op)

	// First is told of each mistake when it happens first in a launch; may be nil.
	First func(f Finding, u *program.Op)
}

// Constant is a variable in a bank of constants.
type Constant struct {
	Name       string
	First, End uint32 // bytes in the bank
}

// Looks reports whether Bounds has anything to look at in a program.
func (b *Bounds) Looks(p *program.Program) bool {
	for i := range p.Code {
		if indexed(&p.Code[i]) {
			return true
		}
	}
	return false
}

// indexed reports whether an address register takes part in an access of u, or u fetches texels.
func indexed(u *program.Op) bool {
	if u.Refusal != nil {
		return false
	}
	if _, _, ok := addressing(u, program.SpaceShared); ok {
		return true
	}
	if _, _, ok := addressing(u, program.SpaceConst); ok {
		return true
	}
	_, _, ok := addressing(u, program.SpaceLocal)
	return ok || u.Ins.Op == tesla.OpTexFetch
}

// addressing returns how u makes the addresses of its access to a space, with the bank of constants;
// ok is false if there is none with an address register.
func addressing(u *program.Op, space program.Space) (a program.Addressing, bank uint8, ok bool) {
	if u.Memory && u.Words > 0 && u.Space == space {
		return u.Addr, u.Ins.Src[0].Index, u.Addr.Base != 0
	}
	for i := range u.Src {
		x := &u.Src[i]
		if (x.Mode == program.SrcSharedAt || x.Mode == program.SrcConstAt) && x.Mode.Space() == space {
			return x.At, x.Bank, true
		}
	}
	return a, 0, false
}

// Begin is for Checker.
func (b *Bounds) Begin(l *Launch) Watch {
	return &boundsWatch{bounds: b, l: l, at: indexedAccesses(l.Program, l.Head), found: map[boundsKey]*Finding{}}
}

// boundsWatch watches the blocks of a launch.
type boundsWatch struct {
	bounds *Bounds
	l      *Launch
	at     []indexedAccess // by instruction and space: see accessAt
	found  map[boundsKey]*Finding
	order  []boundsKey // of found
}

// boundsKey is an access of an instruction.
type boundsKey struct {
	at    int32
	space program.Space
}

// textures stands for the space of texels.
const textures = program.SpaceUnmapped

// Block is for Watch.
func (b *boundsWatch) Block(st *machine.State) Watcher { return &boundsWatcher{b, st} }

// End is for Watch.
func (b *boundsWatch) End(*machine.Fault) {
	for _, key := range b.order {
		b.bounds.Report(*b.found[key], &b.l.Program.Code[key.at])
	}
}

// boundsWatcher watches the blocks that run on a state.
type boundsWatcher struct {
	*boundsWatch
	st *machine.State
}

// access looks at an access of lanes m of warp w to a space.
func (b *boundsWatcher) access(u *program.Op, space program.Space, role string, w int, addr *lane.Row, m lane.Mask, size int) {
	x := accessAt(b.at, u.At, space)
	if x == nil || b.inside(x, space, w, addr, m, uint32(size)) {
		return
	}
	var out lane.Mask
	text := ""
	for rest := m; rest != 0; rest &= rest - 1 {
		i := lowest(rest)
		if b.refused(space, w, addr[i], size) {
			continue
		}
		if why := b.outside(x, space, w, i, addr[i], size); why != "" {
			if out == 0 {
				text = why
			}
			out |= 1 << i
		}
	}
	if out == 0 {
		return
	}
	f := b.note(u, space, role, w, out, text)
	if f.At.Addr == nil {
		first := addr[lowest(out)]
		f.At.Addr, f.At.Size = &first, uint32(size)
	}
	b.first(f, u, out)
}

// first tells of a finding that counts the lanes of its first access alone.
func (b *boundsWatcher) first(f *Finding, u *program.Op, out lane.Mask) {
	if b.bounds.First != nil && f.Count == uint64(bits.OnesCount32(uint32(out))) {
		b.bounds.First(*f, u)
	}
}

// inside reports whether an access is surely in bounds.
func (b *boundsWatcher) inside(x *indexedAccess, space program.Space, w int, addr *lane.Row, m lane.Mask, size uint32) bool {
	within := func(first, last uint32) bool {
		switch space {
		case program.SpaceShared:
			return first >= b.l.Head || !x.beyondHead
		case program.SpaceLocal:
			return last+size <= uint32(b.l.Program.Kernel.Local)
		}
		return b.constant(x.bank, first, last+size) == ""
	}
	most, small := x.from.most(b.st, w, x.Addressing)
	if small && within(x.Offset, most) {
		return true
	}
	return (small || x.from.fits(b.st, w, x.Addressing, addr, m)) && within(span(addr, m))
}

// span returns the lowest and the highest address of lanes.
func span(addr *lane.Row, m lane.Mask) (first, last uint32) {
	first = addr[lowest(m)]
	last = first
	if m == lane.All {
		for _, a := range addr {
			first, last = min(first, a), max(last, a)
		}
		return first, last
	}
	for ; m != 0; m &= m - 1 {
		a := addr[lowest(m)]
		first, last = min(first, a), max(last, a)
	}
	return first, last
}

// refused reports whether the machine refuses an access, which is a fault.
func (b *boundsWatcher) refused(space program.Space, w int, addr uint32, size int) bool {
	end := uint64(addr) + uint64(size)
	return addr%uint32(size) != 0 || space == program.SpaceShared && end > uint64(b.l.Shared) ||
		space == program.SpaceLocal && end > uint64(4*len(b.st.LocalOf(w)))
}

// outside says why the access of a lane is out of bounds, "" if it is not known to be.
func (b *boundsWatcher) outside(x *indexedAccess, space program.Space, w, l int, addr uint32, size int) string {
	if whole, ok := x.from.value(b.st, w, l, x.Addressing); ok && whole != addr {
		return fmt.Sprintf("the address 0x%x does not fit into 16 bits, and 0x%x is accessed in its place", whole, addr)
	}
	switch end := addr + uint32(size); space {
	case program.SpaceShared:
		if addr < b.l.Head && x.beyondHead {
			return fmt.Sprintf("shared memory at 0x%x belongs to the launch and its parameters, which end at 0x%x", addr, b.l.Head)
		}
	case program.SpaceLocal:
		if most := uint32(b.l.Program.Kernel.Local); end > most {
			return fmt.Sprintf("an access to local memory ends at 0x%x, beyond the %d bytes of a thread", end, most)
		}
	case program.SpaceConst:
		return b.constant(x.bank, addr, end)
	}
	return ""
}

// constant says why bytes of constants are out of bounds.
func (b *boundsWatcher) constant(bank uint8, first, end uint32) string {
	list := b.bounds.Constants
	if bank != 0 || len(list) == 0 {
		list = []Constant{{"the bank", 0, uint32(len(b.st.Const[bank]))}}
	}
	before := Constant{}
	for _, v := range list {
		if first >= v.First && end <= v.End {
			return ""
		}
		if v.First <= first && v.End >= before.End {
			before = v
		}
	}
	return fmt.Sprintf("constants at 0x%x are read; before them %s ends at 0x%x", first, before.Name, before.End)
}

// note counts lanes of an access that is out of bounds, and returns the finding of its instruction.
func (b *boundsWatcher) note(u *program.Op, space program.Space, role string, w int, out lane.Mask, text string) *Finding {
	key := boundsKey{u.At, space}
	f := b.found[key]
	if f == nil {
		p := b.l.Program
		f = &Finding{
			Kind: KindMemory, What: "out-of-bounds", Space: spaceWords[space], Level: Error, Kernel: p.Kernel.Name,
			Text: text, Advice: "Compare the index with the size of the object.",
			At: SiteOf(p, u, role, Thread{Block: b.st.Index, Warp: w, Lanes: out}),
		}
		b.found[key] = f
		b.order = append(b.order, key)
	}
	f.Count += uint64(bits.OnesCount32(uint32(out)))
	return f
}

var spaceWords = map[program.Space]string{
	program.SpaceShared: "shared", program.SpaceLocal: "local", program.SpaceConst: "constant", textures: "texture",
}

// Start is for Watcher.
func (b *boundsWatcher) Start() {}

// Opened is for Watcher.
func (b *boundsWatcher) Opened() {}

// End is for Watcher.
func (b *boundsWatcher) End() {}

// Wants is for machine.AccessHook.
func (b *boundsWatcher) Wants(u *program.Op) bool {
	return u.Refusal == nil && u.Ins.Op == tesla.OpTexFetch || slices.ContainsFunc(indexedSpaces[:], func(space program.Space) bool {
		x := accessAt(b.at, u.At, space)
		return x != nil && (space != program.SpaceShared || x.beyondHead)
	})
}

// Load is for machine.AccessHook.
func (b *boundsWatcher) Load(_ *machine.State, u *program.Op, space program.Space, w int, addr *lane.Row, m lane.Mask, size int) {
	b.access(u, space, "read", w, addr, m, size)
}

// LoadWord is for machine.AccessHook.
func (b *boundsWatcher) LoadWord(*machine.State, *program.Op, *lane.Sel, uint32, int) {}

// Store is for machine.AccessHook.
func (b *boundsWatcher) Store(_ *machine.State, u *program.Op, w int, _ *mem.Data, addr *lane.Row, m lane.Mask, size int) {
	b.access(u, u.Space, "write", w, addr, m, size)
}

// Atomic is for machine.AccessHook.
func (b *boundsWatcher) Atomic(*machine.State, *program.Op, int, *mem.Data, *lane.Row, lane.Mask, int) {
}

// Fetch is for machine.AccessHook.
func (b *boundsWatcher) Fetch(s *machine.State, u *program.Op, w int, m lane.Mask) {
	if u.Ins.Op != tesla.OpTexFetch || int(u.Ins.Tex.Unit) >= len(s.Textures) {
		return
	}
	x := &s.Textures[u.Ins.Tex.Unit]
	if x.Kind != texture.Linear || x.TexelSize() == 0 {
		return
	}
	at := s.Register(int32(u.Ins.Dst.Index)).At(w)
	texels := int64(x.Size) / int64(x.TexelSize())
	var out lane.Mask
	text := ""
	for rest := m; rest != 0; rest &= rest - 1 {
		l := lowest(rest)
		if i := int64(int32(at[l])) + int64(u.Ins.Tex.Offset[0]); i < 0 || i >= texels {
			if out == 0 {
				text = fmt.Sprintf("texel %d is fetched from a texture of %d", i, texels)
			}
			out |= 1 << l
		}
	}
	if out != 0 {
		b.first(b.note(u, textures, "read", w, out, text), u, out)
	}
}

// Vote is for machine.AccessHook.
func (b *boundsWatcher) Vote(*machine.State, *program.Op, int, lane.Mask, lane.Mask) {}

// VoteJoined is for machine.AccessHook.
func (b *boundsWatcher) VoteJoined(*machine.State, *program.Op, int, lane.Mask) {}
