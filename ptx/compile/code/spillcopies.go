package code

// A run of parallel copies with spilled registers becomes loads into new registers, then copies
// from home to home and stores, then a run of the remaining copies.

// memoryCopy is a copy to the home of a register: from a register, or from another home.
type memoryCopy struct {
	to, from *home // from is nil for a register
	reg      Reg
	line     Line
}

// parallel rewrites a run of parallel copies.
func (w *rewriter) parallel(run []Instr) {
	var rest, tail []Instr
	var memory []memoryCopy
	for _, in := range run {
		s := w.home(in.Src[0].Regs[0])
		d := w.home(in.Dst.Regs[0])
		switch {
		case d != nil && d.made != nil: // nothing keeps it
		case d != nil && in.Src[0].Regs[0] == 0: // a constant
			tail = w.constantHome(tail, in, d)
		case d != nil && s != nil && s.made == nil:
			if d.slot != s.slot {
				memory = append(memory, memoryCopy{to: d, from: s, line: in.Line})
			}
		case d != nil && s != nil:
			memory = append(memory, memoryCopy{to: d, from: s, line: in.Line})
		case d != nil:
			memory = append(memory, memoryCopy{to: d, reg: in.Src[0].Regs[0], line: in.Line})
		case s != nil && s.made != nil:
			again := s.fetch(Word, in.Dst.Regs[0], in.Line)
			again.Parallel = in.Parallel
			rest = append(rest, again)
		case s != nil:
			in.Src[0].Regs[0] = w.load(Word, s, in.Line)
			rest = append(rest, in)
		default:
			rest = append(rest, in)
		}
	}
	w.memoryCopies(memory)
	w.out = append(append(w.out, rest...), tail...)
}

// constantHome appends instructions that put a constant into a home, for the time behind the run.
func (w *rewriter) constantHome(tail []Instr, in Instr, d *home) []Instr {
	r := w.f.NewReg(Word)
	in.Dst.Regs[0] = r
	in.Parallel = 0
	w.f.spills.Stores++
	return append(tail, in, d.save(Word, r, in.Line))
}

// memoryCopies appends copies to homes that happen at the same time.
func (w *rewriter) memoryCopies(list []memoryCopy) {
	for len(list) > 0 {
		left := list[:0:0]
		for i, c := range list {
			if readBy(list, i) {
				left = append(left, c)
				continue
			}
			w.memoryCopy(c)
			list[i].from = nil
		}
		if len(left) == len(list) { // a cycle: keep the value that the first overwrites
			c := &left[0]
			old := w.load(Word, c.to, c.line)
			for i := range left {
				if f := left[i].from; f != nil && f.made == nil && f.slot == c.to.slot {
					left[i].from, left[i].reg = nil, old
				}
			}
		}
		list = left
	}
}

// readBy reports whether a copy other than i reads the home that copy i writes.
func readBy(list []memoryCopy, i int) bool {
	for k := range list {
		if f := list[k].from; k != i && f != nil && f.made == nil && f.slot == list[i].to.slot {
			return true
		}
	}
	return false
}

func (w *rewriter) memoryCopy(c memoryCopy) {
	if c.from != nil {
		c.reg = w.load(Word, c.from, c.line)
	}
	w.out = append(w.out, c.to.save(Word, c.reg, c.line))
	w.f.spills.Stores++
}
