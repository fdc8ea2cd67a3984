package program

import (
	"jacquard/simt/branch"
	"jacquard/simt/mem"
)

// Contended returns, by instruction of a program, which loads and stores of device memory may concern
// another, in a launch with parameters: their allocation is stored to, and is read or stored to by
// another instruction, too. Accesses are taken to stay in the allocations that their parameters point
// to.
func Contended(p *Program, params []byte, global *mem.Space) []bool {
	list := make([]bool, len(p.Code))
	type users struct{ loads, stores int }
	known, all := map[uint32]users{}, users{} // all: of accesses whose allocation is unknown
	origin := p.over.origin()
	of := func(u *Op) ([]uint32, bool) {
		set := origin[u.At]
		if set == 0 || set&readsGlobal != 0 {
			return nil, false
		}
		bases := allocations(set, params, global)
		return bases, len(bases) > 0
	}
	each := func(do func(u *Op)) {
		for i := range p.Code {
			if u := &p.Code[i]; u.Memory && u.Words > 0 && u.Space == SpaceGlobal && u.Refusal == nil {
				do(u)
			}
		}
	}
	each(func(u *Op) {
		loads, stores := 1, 0
		if u.Ins.Op.HandsOver(1) {
			loads, stores = 0, 1
		}
		bases, ok := of(u)
		if !ok {
			all.loads, all.stores = all.loads+loads, all.stores+stores
		}
		for _, base := range bases {
			known[base] = users{known[base].loads + loads, known[base].stores + stores}
		}
	})
	contended := func(n users) bool {
		return n.stores+all.stores > 1 || n.stores+all.stores == 1 && n.loads+all.loads > 0
	}
	each(func(u *Op) {
		bases, ok := of(u)
		if !ok {
			for _, n := range known {
				all.loads, all.stores = all.loads+n.loads, all.stores+n.stores
			}
			list[u.At] = contended(users{})
			for _, n := range known {
				all.loads, all.stores = all.loads-n.loads, all.stores-n.stores
			}
		}
		for _, base := range bases {
			list[u.At] = list[u.At] || contended(known[base])
		}
	})
	return list
}

// everyOrigin returns, by instruction, the parameters that the address of its access may be made of,
// along any way through the code.
func everyOrigin(p *Program) []reads {
	o := &origin{p: p, least: p.storedWords().least, values: make([]reads, p.Kernel.Registers+8), leaders: make([]bool, len(p.Code)+1)}
	o.findLeaders()
	in, of := map[int32][]reads{}, make([]reads, len(p.Code)) // in: by leader
	more := true
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
				known := u.Ins.Op.HasTarget()
				for at := range int32(len(p.Code)) {
					if known && at == u.To || !known && o.leaders[at] {
						meet(at)
					}
				}
			}
		}
	}
	return of
}
