package program

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"jacquard/simt/branch"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// reads are the memories that a warp may have read since its block began. Device memory is told
// apart by origin, the parameters in its address: firstParam stands for the first word.
type reads uint64

// The memories that warps share; way alone is a way through the code on which none was read.
const (
	way reads = 1 << iota
	readsShared
	readsWord   // a word of s[] that is a parameter, if the launch has so many
	readsGlobal // device memory of unknown origin
	backward    // and before the address that a parameter says
	firstParam

	paramBit = iota - 1 // the number of firstParam's bit
	origins  = ^(way | readsShared | readsWord)
)

// overwriting finds the Ops that overwrite (Flow.Overwrites). It follows every way through the code
// up to barriers. Breaks, returns and indirect branches lead wherever one may lead.
type overwriting struct {
	p      *Program
	stored storedWords
	words  uint32              // of s[] that are read as readsWord: where the last ends
	of     []reads             // by Op: the origin of the device memory that it accesses
	in     []reads             // by Op, 0 if no way leads there
	does   []reads             // by Op: what it reads
	due    []int32             // Ops to follow
	left   map[leaving]reads   // by all that leave so
	to     map[leaving][]int32 // where breaks and returns lead
}

// leaving is how code goes on where the instruction does not say.
type leaving uint8

const (
	byBreak leaving = iota
	byReturn
	anywhere
)

// overwrite is a store to device memory after reads, all of known origin.
type overwrite struct{ stored, read reads }

// overwritten says when a program overwrites.
type overwritten struct {
	always bool   // in every launch
	words  uint32 // in launches whose parameters end below that byte of s[]
	list   []overwrite

	origins []reads        // of the device memory that is accessed
	used    reads          // all of them
	origin  func() []reads // everyOrigin, made at the first call
	own     reads          // parameters by which threads access words of their own (ownWords)
}

// mostOverwritten is how many stores a launch looks at.
const mostOverwritten = 64

// Overwrites reports whether an Op overwrites in some launch.
func (p *Program) Overwrites() bool {
	return p.over.always || p.over.words > 0 || len(p.over.list) > 0
}

// findOverwrites finds the Ops that overwrite.
func (p *Program) findOverwrites() {
	if !slices.ContainsFunc(p.Code, func(u Op) bool { return u.stores() != 0 }) {
		return
	}
	stored := p.storedWords()
	of, spans := p.origins(stored.least)
	p.backwards(of)
	p.over.origins = slices.Compact(slices.Sorted(slices.Values(of)))
	for _, origin := range p.over.origins {
		p.over.used |= origin
	}
	if !stored.anywhere {
		p.over.own = ownWords(spans)
	}
	o := overwriting{p: p, stored: stored, of: of, left: map[leaving]reads{}, to: map[leaving][]int32{}}
	o.in, o.does = make([]reads, len(p.Code)), make([]reads, len(p.Code))
	for i := range p.Code {
		o.does[i] = o.loads(&p.Code[i])
		o.leads(&p.Code[i])
	}
	o.reach(0, way)
	for len(o.due) > 0 {
		at := o.due[len(o.due)-1]
		o.due = o.due[:len(o.due)-1]
		o.follow(&p.Code[at])
	}
	for i := range p.Code {
		o.judge(&p.Code[i])
	}
}

// judge finds out whether u overwrites.
func (o *overwriting) judge(u *Op) {
	read := o.in[u.At]
	switch u.stores() {
	case readsShared:
		u.Overwrites = read&(readsShared|readsWord) != 0
		o.p.over.always = o.p.over.always || read&readsShared != 0
		if read&readsWord != 0 {
			o.p.over.words = o.words
		}
	case readsGlobal:
		stored := o.of[u.At]
		if read &= origins; read == 0 {
			return
		}
		u.Overwrites = true
		w := overwrite{stored, read}
		if (stored|read)&readsGlobal != 0 || len(o.p.over.list) >= mostOverwritten {
			o.p.over.always = true
		} else if !slices.Contains(o.p.over.list, w) {
			o.p.over.list = append(o.p.over.list, w)
		}
	}
}

// OverwritesOn reports whether an Op overwrites in a launch of blocks with parameters. A store
// does not overwrite if its allocation was never read, or if all accesses of its allocation are to
// a thread's own words.
func (p *Program) OverwritesOn(params []byte, block [3]int, global *mem.Space) bool {
	if p.over.always || int(p.over.words) > tesla.HeaderBytes+len(params) {
		return true
	}
	line := block[1] == 1 && block[2] == 1
	return slices.ContainsFunc(p.over.list, func(w overwrite) bool {
		if through := w.stored &^ backward; line && through&w.read != 0 && through&^p.over.own == 0 {
			if w.read = p.over.used &^ through; w.read&^backward == 0 {
				return false
			}
		}
		stored, read := allocations(w.stored, params, global), allocations(w.read, params, global)
		return len(stored) == 0 || slices.ContainsFunc(p.over.origins, func(set reads) bool {
			return set&w.read&^backward != 0 && len(allocations(set, params, global)) == 0
		}) || slices.ContainsFunc(stored, func(base uint32) bool { return slices.Contains(read, base) })
	})
}

// allocations returns the allocations to which the parameters of some origins point. If accesses go
// backward, they may be to the one that ends there.
func allocations(set reads, params []byte, global *mem.Space) (list []uint32) {
	for left := set / firstParam; left != 0; left &= left - 1 {
		at := 4 * bits.TrailingZeros64(uint64(left))
		if at+4 > len(params) {
			break
		}
		pointer := binary.LittleEndian.Uint32(params[at:])
		if base, _, ok := global.Owner(pointer); ok {
			list = append(list, base)
		}
		if base, _, ok := global.Owner(pointer - 1); ok && set&backward != 0 {
			list = append(list, base)
		}
	}
	return list
}

// leads notes where code may lead because of u.
func (o *overwriting) leads(u *Op) {
	switch u.Event {
	case branch.BreakAddr:
		o.to[byBreak] = append(o.to[byBreak], u.To)
	case branch.PreReturn:
		o.to[byReturn] = append(o.to[byReturn], u.To)
	case branch.Call:
		o.to[byReturn] = append(o.to[byReturn], u.At+1)
	}
}

// follow goes on from u to all Ops that may be next.
func (o *overwriting) follow(u *Op) {
	out := o.in[u.At] | o.does[u.At]
	ends := u.Marker == tesla.MarkerExit || u.Refusal != nil
	switch {
	case u.Ins.Op == tesla.OpBraIndirect:
		o.leave(anywhere, out)
	case u.Event == branch.Arrive:
		ends = true
	case u.Event == branch.Break:
		o.leave(byBreak, out)
		ends = ends || !u.Guarded
	case u.Event == branch.Return:
		o.leave(byReturn, out)
		ends = ends || !u.Guarded
	case u.Event == branch.Branch:
		o.reach(u.To, out)
		ends = ends || !u.Guarded
	case u.Event == branch.Call:
		o.reach(u.To, out)
	}
	if !ends {
		o.reach(u.At+1, out)
	}
}

// leave goes on wherever code may lead that leaves so.
func (o *overwriting) leave(how leaving, out reads) {
	if o.left[how]|out == o.left[how] {
		return
	}
	o.left[how] |= out
	if how == anywhere {
		for i := range o.in {
			o.reach(int32(i), out)
		}
	}
	for _, at := range o.to[how] {
		o.reach(at, out)
	}
}

// reach adds what may have been read before the Op at an index.
func (o *overwriting) reach(at int32, out reads) {
	if at >= 0 && int(at) < len(o.in) && o.in[at]|out != o.in[at] {
		o.in[at] |= out
		o.due = append(o.due, at)
	}
}

// loads returns the memories that u reads.
func (o *overwriting) loads(u *Op) (set reads) {
	for i := range u.Src {
		switch x := &u.Src[i]; {
		case x.Mode == SrcSharedAt || x.Mode == SrcShared && x.Offset >= o.stored.least:
			set |= readsShared
		case x.Mode == SrcShared && x.Offset >= tesla.HeaderBytes && o.stored.anywhere:
			set |= readsWord
			o.words = max(o.words, x.Offset&^3+4)
		}
	}
	switch {
	case !u.Memory || u.Ins.Mods&tesla.Lock != 0:
	case u.Ins.Op == tesla.OpStGlobal, u.Ins.Op == tesla.OpStShared, u.Ins.Op == tesla.OpRed:
	case u.Words == 0: // of a texture
		set |= readsGlobal
	case u.Space == SpaceGlobal:
		set |= o.of[u.At]
	case u.Space == SpaceShared:
		set |= readsShared
	}
	return set
}

// stores returns the memory that u changes, if warps share that. A lock and what it guards change
// memory in one step, where the lock is taken.
func (u *Op) stores() reads {
	switch {
	case u.Ins.Mods&tesla.Unlock != 0:
	case u.Ins.Mods&tesla.Lock != 0:
		return readsShared
	case !u.Memory || !u.Ins.Op.HandsOver(1):
	case u.Space == SpaceShared:
		return readsShared
	case u.Space == SpaceGlobal:
		return readsGlobal
	}
	return 0
}

// storedWords are the words of s[] that a program may store to. No store is taken to hit parameters.
type storedWords struct {
	least    uint32 // the lowest offset of a store
	anywhere bool   // the whole address of a store is in a register
}

func (p *Program) storedWords() storedWords {
	s := storedWords{least: math.MaxUint32}
	for i := range p.Code {
		switch u := &p.Code[i]; {
		case u.stores() != readsShared:
		case u.Addr.Post || u.Addr.Offset == 0:
			s.anywhere = true
		default:
			s.least = min(s.least, u.Addr.Offset)
		}
	}
	return s
}
