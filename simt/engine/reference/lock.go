package reference

import (
	"jacquard/simt/engine/reference/alu"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// loadShared is docs/isa/operations.md, LdShared. With lock, a condition register says which lanes
// locked their word: the lanes try from the lowest up (docs/isa/memory.md, Locks).
func (x *step) loadShared() bool {
	a := x.access()
	if x.in.Mods&tesla.Lock == 0 {
		return a.load()
	}
	for k := range a.s.N {
		if !a.begin(k) {
			return false
		}
		for t := range a.lanes(k) {
			var read lane.Row
			won, _ := a.Shared.LoadLock(&read, &a.at[k], 1<<t.lane, nil)
			t.keep(x.in, element{read[t.lane]}, a.t)
			if x.in.CDst != tesla.NoCond {
				t.setCond(x.in.CDst.Index(), alu.Truth(won != 0))
			}
		}
		a.end(k)
	}
	return true
}

// storeShared is docs/isa/operations.md, StShared. With unlock it frees the word, even if another
// lane holds it.
func (x *step) storeShared() bool {
	if x.in.Mods&tesla.Unlock == 0 {
		return x.store()
	}
	a := x.access()
	a.silent = true
	for k := range a.s.N {
		if a.Hook != nil {
			data := a.rows(k)
			a.Hook.Store(a.State, a.u, int(a.s.Warp[k]), &data, &a.at[k], a.s.Mask[k], a.size)
		}
		if !a.begin(k) {
			return false
		}
		for t := range a.lanes(k) {
			var data lane.Row
			data[t.lane] = t.data(&x.in.Src[1])[0]
			a.Shared.StoreUnlock(&data, &a.at[k], 1<<t.lane, nil)
		}
		a.end(k)
	}
	return true
}
