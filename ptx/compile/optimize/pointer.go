package optimize

import "jacquard/ptx/compile/ir"

// mostPointers is the number of pointers of a loop that go to address registers: four of those
// exist.
const mostPointers = 2

// Pointers keeps a pointer that a loop moves by a constant in an address register, if the loop only
// accesses memory by it.
func Pointers(f *ir.Func) {
	f.Order()
	users := map[*ir.Value][]*ir.Value{}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			for _, a := range v.Args {
				if a.Op == ir.Phi {
					users[a] = append(users[a], v)
				}
			}
		}
	}
	for _, b := range f.Blocks {
		n := 0
		for _, v := range b.Values {
			if n < mostPointers && b.Loop == b && v.Op == ir.Phi && v.Kind == ir.Word && len(b.Preds) == 2 && pointer(f, v, users[v]) {
				n++
			}
		}
	}
}

// pointer moves the phi w to an address register if it can.
func pointer(f *ir.Func, w *ir.Value, users []*ir.Value) bool {
	latch := -1
	for i, a := range w.Args {
		if a.Op == ir.Add && a.Args[0] == w && a.Args[1].Op == ir.Const && a.Uses == 1 && !a.Sat {
			latch = i
		}
	}
	if latch < 0 || !w.Block.Dominates(w.Block.Preds[latch]) {
		return false
	}
	step, first := w.Args[latch], w.Args[1-latch]
	for _, u := range users {
		if u != step && (u.Op != ir.Shl16 || u.Imm != 0 || !inLoop(u.Block, w.Block)) {
			return false
		}
	}
	a := f.New(ir.Phi, ir.Addr)
	a.Block, a.Line = w.Block, w.Line
	next := f.New(ir.AddrTo, ir.Addr, a)
	next.Imm, next.Line = uint64(uint16(step.Args[1].Imm)), step.Line
	w.Block.Preds[latch].Add(next)
	args := [2]*ir.Value{}
	args[latch], args[1-latch] = next, addressOf(f, first, w.Block.Preds[1-latch])
	a.AddArg(args[0])
	a.AddArg(args[1])
	w.Block.Values = append([]*ir.Value{a}, w.Block.Values...)
	for _, u := range users {
		if u != step {
			u.CopyOf(a)
		}
	}
	return true
}

// inLoop reports whether a block is in the loop of a header.
func inLoop(b, header *ir.Block) bool {
	for loop := b.Loop; loop != nil; loop = loop.Around {
		if loop == header {
			return true
		}
	}
	return false
}

// addressOf makes an address register of a Word at the end of a block.
func addressOf(f *ir.Func, w *ir.Value, at *ir.Block) *ir.Value {
	if c, ok := constant(w); ok {
		v := f.New(ir.AddrTo, ir.Addr, f.Const(ir.Addr, 0))
		v.Imm = uint64(uint16(c))
		return at.Add(v)
	}
	return at.Add(f.New(ir.Shl16, ir.Addr, w))
}
