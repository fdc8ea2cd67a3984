package program

import "jacquard/simt/mem"

// Contended returns, by instruction, which loads and stores of device memory may concern another, in
// a launch with parameters: their allocation is stored to, and is read or stored to by another
// instruction, too. Accesses are taken to stay in the allocations that their parameters point to.
func (p *Program) Contended(params []byte, global *mem.Space) []bool {
	list := make([]bool, len(p.Code))
	type users struct{ loads, stores int }
	known, all := map[uint32]users{}, users{} // all: of accesses whose allocation is unknown
	of := func(u *Op) ([]uint32, bool) {
		set := p.over.of[u.At]
		if set&readsGlobal != 0 {
			return nil, false
		}
		bases := allocations(set, params, global)
		return bases, len(bases) > 0
	}
	each := func(do func(u *Op)) {
		for i := range p.Code {
			if u := &p.Code[i]; u.Memory && u.Words > 0 && u.Space == SpaceGlobal && len(p.over.of) > 0 {
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
