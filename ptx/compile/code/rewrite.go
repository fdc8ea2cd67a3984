package code

import "jacquard/tesla"

// rewriter replaces spilled registers by new ones that live for one instruction.
type rewriter struct {
	f      *Func
	l      *liveness
	homes  []*home
	out    []Instr
	after  []Instr
	temps  [][2]Reg // of the current instruction: a spilled register and what stands for it
	number int      // of the current instruction
}

// spill takes groups out of their registers.
func (s *groups) spill(chosen []*group) {
	w := &rewriter{f: s.f, l: s.l, homes: s.homes(chosen)}
	for _, b := range s.f.Blocks {
		w.block(b)
	}
}

func (w *rewriter) home(r Reg) *home {
	if int(r) < len(w.homes) {
		return w.homes[r]
	}
	return nil
}

func (w *rewriter) block(b *Block) {
	w.out = make([]Instr, 0, len(b.Code)+8)
	for i := 0; i < len(b.Code); {
		end := runEnd(b.Code, i)
		switch {
		case end > i+1:
			w.parallel(b.Code[i:end])
		case b.Code[i].Copy && w.copy(&b.Code[i]):
		default:
			w.instr(b.Code[i])
		}
		w.number += end - i
		i = end
	}
	if h := w.home(b.End.Guard.Reg); h != nil {
		b.End.Guard.Reg = w.load(Cond, h, b.End.Line)
	}
	b.Code = w.out
}

// load fetches a home into a new register.
func (w *rewriter) load(c Class, h *home, line Line) Reg {
	r := w.f.NewReg(c)
	w.out = append(w.out, h.fetch(c, r, line))
	w.count(h)
	return r
}

func (w *rewriter) count(h *home) {
	if h.made == nil {
		w.f.spills.Loads++
	}
}

// copy rewrites a copy with a spilled side, and reports whether a side was spilled.
func (w *rewriter) copy(in *Instr) bool {
	d, s := w.home(in.Dst.Regs[0]), w.home(in.Src[0].Regs[0])
	switch {
	case d == nil && s == nil:
		return false
	case d != nil && d.made != nil, d != nil && s != nil && s.made == nil && s.slot == d.slot: // both are at home
		return true
	case d == nil:
		fetch := s.fetch(Word, in.Dst.Regs[0], in.Line)
		fetch.Guard = in.Guard
		w.out = append(w.out, fetch)
		w.count(s)
		return true
	}
	from := in.Src[0].Regs[0]
	if s != nil {
		from = w.load(Word, s, in.Line)
	}
	save := d.save(Word, from, in.Line)
	save.Guard = in.Guard
	w.out = append(w.out, save)
	w.f.spills.Stores++
	return true
}

// instr rewrites an instruction.
func (w *rewriter) instr(in Instr) {
	w.temps, w.after = w.temps[:0], w.after[:0]
	if d := w.home(in.Dst.Regs[0]); d != nil && d.made != nil {
		return // it is made again where it is read
	}
	if d := w.home(in.CDst); d != nil && d.made != nil {
		return
	}
	for k := range in.Src {
		w.source(&in.Src[k], in.Line)
	}
	in.Guard.Reg = w.read(Cond, in.Guard.Reg, in.Line)
	in.CarryIn = w.read(Cond, in.CarryIn, in.Line)
	w.destinations(&in)
	w.out = append(append(w.out, in), w.after...)
}

// source rewrites the registers of a source.
func (w *rewriter) source(o *Operand, line Line) {
	o.Base = w.read(Addr, o.Base, line)
	n := o.width()
	if n == 1 {
		o.Regs[0] = w.read(w.f.Regs[o.Regs[0]].Class, o.Regs[0], line)
		return
	}
	if n > 1 && w.home(o.Regs[0]) != nil {
		w.loadTuple(o, line)
	}
}

// read returns the register that stands for r in the instruction.
func (w *rewriter) read(c Class, r Reg, line Line) Reg {
	h := w.home(r)
	if r == 0 || h == nil {
		return r
	}
	for _, t := range w.temps {
		if t[0] == r {
			return t[1]
		}
	}
	n := w.load(c, h, line)
	w.f.Regs[n].Low = w.f.Regs[r].Low
	w.temps = append(w.temps, [2]Reg{r, n})
	return n
}

// loadTuple replaces the registers of an operand of several words by new ones with the same values.
func (w *rewriter) loadTuple(o *Operand, line Line) {
	n := o.width()
	old := *o
	for k := range n {
		o.Regs[k] = w.f.NewReg(Word)
		w.f.Regs[o.Regs[k]].Low = w.f.Regs[old.Regs[k]].Low
	}
	first := w.home(old.Regs[0])
	if n == 3 || first.made != nil {
		for k := range n {
			w.out = append(w.out, w.home(old.Regs[k]).fetch(Word, o.Regs[k], line))
			w.f.spills.Loads++
		}
		return
	}
	in := first.fetch(Word, o.Regs[0], line)
	widen(&in, &in.In.Dst, &in.Dst, o.Regs[:n])
	w.out = append(w.out, in)
	w.f.spills.Loads++
}

// destinations rewrites the destinations of an instruction.
func (w *rewriter) destinations(in *Instr) {
	old := in.Dst
	whole := w.l.full.has(w.number)
	if n := in.Dst.width(); n > 0 && w.home(old.Regs[0]) != nil {
		load := !whole && in.keeps(old.Regs[0])
		class := w.f.Regs[old.Regs[0]].Class
		guarded := load && class == Word && in.In.Dst.Kind != tesla.Half && in.CDst != in.Guard.Reg
		switch {
		case n > 1 && load && !guarded:
			w.loadTuple(&in.Dst, in.Line)
		case n > 1 || !load || guarded:
			in.First = true
			for k := range n {
				in.Dst.Regs[k] = w.f.NewReg(class)
				w.f.Regs[in.Dst.Regs[k]].Low = w.f.Regs[old.Regs[k]].Low
			}
		default:
			in.Dst.Regs[0] = w.load(class, w.home(old.Regs[0]), in.Line)
			w.f.Regs[in.Dst.Regs[0]].Low = w.f.Regs[old.Regs[0]].Low
		}
		g := Guard{}
		if guarded {
			g = in.Guard
		}
		w.saveTuple(&old, &in.Dst, class, g, in.Line)
	}
	if h := w.home(in.CDst); h != nil {
		in.CDst = w.written(in, Cond, in.CDst, h, !whole && in.keeps(in.CDst))
	}
	for k := range in.Src {
		if o := &in.Src[k]; in.In.Src[k].Post && o.Base != 0 {
			w.post(o.Base, in.Line)
		}
	}
}

// written returns a register for a result with home h, and saves it.
func (w *rewriter) written(in *Instr, c Class, r Reg, h *home, load bool) Reg {
	n := Reg(0)
	if load {
		n = w.read(c, r, in.Line)
	} else {
		n = w.f.NewReg(c)
	}
	w.after = append(w.after, h.save(c, n, in.Line))
	return n
}

// post saves an address register that the instruction has incremented.
func (w *rewriter) post(base Reg, line Line) {
	for _, t := range w.temps {
		if t[1] == base {
			w.after = append(w.after, w.homes[t[0]].save(Addr, base, line))
		}
	}
}

// saveTuple puts the registers of an operand home after the instruction.
func (w *rewriter) saveTuple(old, o *Operand, c Class, g Guard, line Line) {
	n := o.width()
	if n == 2 || n == 4 {
		in := w.home(old.Regs[0]).save(Word, o.Regs[0], line)
		widen(&in, &in.In.Src[1], &in.Src[1], o.Regs[:n])
		in.Guard = g
		w.after = append(w.after, in)
		w.f.spills.Stores++
		return
	}
	for k := range n {
		in := w.home(old.Regs[k]).save(c, o.Regs[k], line)
		in.Guard = g
		w.after = append(w.after, in)
		w.f.spills.Stores++
	}
}
