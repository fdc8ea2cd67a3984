package code

// maxPending bounds the time that registers written under one guard alone can cost.
const maxPending = 64

// markFirst finds registers that two instructions of a block write under opposite guards: the
// first need not keep the old value of the register. In a loop it would stay live all around
// otherwise.
func markFirst(f *Func) {
	pending := map[Reg]*Instr{} // by register: a guarded instruction that wrote it
	var list []Reg
	for _, b := range f.Blocks {
		clear(pending)
		for i := range b.Code {
			in := &b.Code[i]
			if len(pending) > maxPending {
				clear(pending)
			}
			if len(pending) > 0 {
				list = in.uses(list[:0])
				for _, r := range list {
					delete(pending, r)
				}
			}
			list = in.defs(list[:0])
			d := in.Dst.Regs[0]
			if p := pending[d]; d != 0 && p != nil && p.Guard.Reg == in.Guard.Reg && p.Guard.Cond == invert(in.Guard.Cond) {
				p.First = true
			}
			for _, r := range list {
				delete(pending, r)
				for d, p := range pending {
					if p.Guard.Reg == r {
						delete(pending, d)
					}
				}
			}
			if d != 0 && in.CDst != in.Guard.Reg && len(list) == 1 && in.keeps(d) && !in.Guard.always() {
				pending[d] = in
			}
		}
	}
}
