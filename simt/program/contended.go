package program

import (
	"iter"

	"jacquard/simt/branch"
	"jacquard/simt/mem"
)

// Contended returns, by instruction of a program, which loads and stores of device memory may concern
// another, in a launch with parameters: their allocation is stored to, and is read or stored to by
// another instruction, too. Accesses are taken to stay in the allocations that their parameters point
// to.
func Contended(p *Program, params []byte, global *mem.Space) []bool {
	return deviceAccessesThat(p, params, global, func(n accesses) bool { return n.stores > 0 && n.all > 1 })
}

// Stored returns, by instruction of a program, which accesses of device memory may concern memory that
// the launch stores to, under the assumptions of Contended.
func Stored(p *Program, params []byte, global *mem.Space) []bool {
	return deviceAccessesThat(p, params, global, func(n accesses) bool { return n.stores > 0 })
}

// OnlyStored returns, by instruction of a program, which stores to device memory concern memory that
// the launch does not read, under the assumptions of Contended.
func OnlyStored(p *Program, params []byte, global *mem.Space) []bool {
	list := deviceAccessesThat(p, params, global, func(n accesses) bool { return n.stores < n.all })
	for i := range list {
		list[i] = !list[i]
	}
	return list
}

// deviceAccessesThat returns, by instruction, whether holds is true of the accesses to its memory.
func deviceAccessesThat(p *Program, params []byte, global *mem.Space, holds func(accesses) bool) []bool {
	origin, list := p.over.origin(), make([]bool, len(p.Code))
	at := func(u *Op) []uint32 { // the allocations of an access, anywhere if unknown
		if set := origin[u.At]; set != 0 && set&readsGlobal == 0 {
			if bases := allocations(set, params, global); len(bases) > 0 {
				return bases
			}
		}
		return []uint32{elsewhere}
	}
	of, sum := map[uint32]accesses{}, accesses{}
	for u := range deviceAccesses(p) {
		one := accesses{1, 0}
		if u.Ins.Op.HandsOver(1) {
			one.stores = 1
		}
		sum = sum.add(one)
		for _, base := range at(u) {
			of[base] = of[base].add(one)
		}
	}
	for u := range deviceAccesses(p) {
		for _, base := range at(u) {
			n := sum
			if base != elsewhere {
				n = of[base].add(of[elsewhere])
			}
			list[u.At] = list[u.At] || holds(n)
		}
	}
	return list
}

// elsewhere stands for an unknown allocation; none begins at 0.
const elsewhere = 0

// accesses are numbers of instructions that access memory.
type accesses struct{ all, stores int }

func (a accesses) add(b accesses) accesses { return accesses{a.all + b.all, a.stores + b.stores} }

// deviceAccesses yields the loads, stores and atomics of device memory.
func deviceAccesses(p *Program) iter.Seq[*Op] {
	return func(yield func(*Op) bool) {
		for i := range p.Code {
			u := &p.Code[i]
			if u.Memory && u.Words > 0 && u.Space == SpaceGlobal && u.Refusal == nil && !yield(u) {
				return
			}
		}
	}
}

// everyOrigin returns, by instruction, the parameters that the address of its access may be made of,
// along any way through the code.
func everyOrigin(p *Program) []reads {
	o := &origin{p: p, least: p.storedWords().least, values: make([]reads, p.Kernel.Registers+8), leaders: make([]bool, len(p.Code)+1)}
	o.findLeaders()
	in, of := map[int32][]reads{}, make([]reads, len(p.Code)) // in: by leader
	more, back := true, returns(p)
	meet := func(at int32) {
		known := in[at]
		if known == nil {
			known = make([]reads, len(o.values))
			in[at], more = known, true
		}
		for r, set := range o.values {
			if known[r]|set != known[r] {
				known[r], more = known[r]|set, true
			}
		}
	}
	for more {
		more = false
		clear(o.values)
		for i := range p.Code {
			u := &p.Code[i]
			if o.leaders[i] {
				meet(u.At)
				copy(o.values, in[u.At])
			}
			if u.Refusal != nil {
				continue
			}
			if u.Memory && u.Words > 0 {
				of[i] = o.register(int(u.Ins.Src[0].Value))
			}
			o.write(u)
			switch u.Event {
			case branch.Branch, branch.Call, branch.Break, branch.Return:
				if u.Ins.Op.HasTarget() {
					if u.To >= 0 {
						meet(u.To)
					}
					continue
				}
				for _, at := range o.after(u, back) {
					meet(at)
				}
			}
		}
	}
	return of
}

// after returns where code may go on behind an end of a loop, a return or an indirect branch. back is
// what returns has found.
func (o *origin) after(u *Op, back [][]int32) (list []int32) {
	if u.Event == branch.Return {
		list = append(list, back[u.At]...)
	}
	for i := range o.p.Code {
		t := &o.p.Code[i]
		switch {
		case u.Event == branch.Break && t.Event == branch.BreakAddr && t.To >= 0,
			u.Event == branch.Return && t.Event == branch.PreReturn && t.To >= 0:
			list = append(list, t.To)
		case u.Event != branch.Break && u.Event != branch.Return && o.leaders[i]:
			list = append(list, int32(i))
		}
	}
	return list
}
