package ptxreference

import "jacquard/ptx"

// move binds mov: of a value, or between a word and its parts.
func (b *binder) move() step {
	t := b.in.Type
	b.operands(2)
	if len(b.list(0)) != 1 || len(b.list(1)) != 1 {
		return b.parts()
	}
	d, s := b.sinkOf(&b.list(0)[0]), b.sourceOf(&b.list(1)[0], t)
	return func(th *thread) error {
		d.put(th, s.get(th))
		return nil
	}
}

func (b *binder) each(d []sink, s []source) step {
	return func(th *thread) error {
		var x [8]uint64
		for i := range s {
			x[i&7] = s[i].get(th)
		}
		for i := range d {
			d[i].put(th, x[i&7])
		}
		return nil
	}
}

func (b *binder) sinks(list []ptx.Operand) (d []sink) {
	b.short(list)
	for i := range list {
		d = append(d, b.sinkOf(&list[i]))
	}
	return d
}

func (b *binder) sources(list []ptx.Operand, t ptx.Type) (s []source) {
	b.short(list)
	for i := range list {
		s = append(s, b.sourceOf(&list[i], t))
	}
	return s
}

// short refuses vectors of more than eight elements.
func (b *binder) short(list []ptx.Operand) {
	if len(list) > 8 {
		b.fail(Malformed, "vector of %d elements", len(list))
	}
}

// parts binds mov of a vector, or of a word from or to its parts, the lowest first. Parts are a list
// or a vector register.
func (b *binder) parts() step {
	d, s := b.list(0), b.list(1)
	bits := width(b.in.Type)
	switch {
	case len(d) == len(s):
		return b.each(b.sinks(d), b.sources(s, b.in.Type))
	case len(d) > 1 && len(s) > 1 || b.in.Vector > 1 || bits == 0 || len(d) == 0 || len(s) == 0 ||
		bits%len(d) != 0 || bits%len(s) != 0:
		b.fail(Malformed, "parts of a word")
		return nil
	case len(s) > 1:
		return b.pack(b.sinkOf(&d[0]), s, bits/len(s))
	}
	return b.unpack(b.sinks(d), b.sourceOf(&s[0], b.in.Type), bits/len(d))
}

func (b *binder) pack(d sink, list []ptx.Operand, bits int) step {
	s := b.sources(list, bitsType(bits))
	return func(th *thread) error {
		x := uint64(0)
		for i := range s {
			x |= s[i].get(th) << (i * bits)
		}
		d.put(th, x)
		return nil
	}
}

func (b *binder) unpack(d []sink, s source, bits int) step {
	return func(th *thread) error {
		x := s.get(th)
		for i := range d {
			d[i].put(th, x>>(i*bits)&ones(bits))
		}
		return nil
	}
}

func bitsType(n int) ptx.Type {
	switch n {
	case 8:
		return ptx.B8
	case 16:
		return ptx.B16
	case 32:
		return ptx.B32
	case 64:
		return ptx.B64
	}
	return ptx.NoType
}

// toGeneric binds cvta: from an address of a space to a generic one, or back with .to.
func (b *binder) toGeneric() step {
	base, ok := windowOf(b.in.Space)
	if !ok {
		b.fail(Unsupported, "state space")
	}
	if b.in.Mods&ptx.To != 0 {
		base = -base
	}
	b.operands(2)
	d, s := b.sink(0), b.source(1, b.in.Type)
	return func(th *thread) error {
		d.put(th, s.get(th)+base)
		return nil
	}
}

// inSpace binds isspacep.
func (b *binder) inSpace() step {
	space := b.in.Space
	if _, ok := windowOf(space); !ok {
		b.fail(Unsupported, "state space")
	}
	b.operands(2)
	d, s := b.sink(0), b.source(1, ptx.B64)
	return func(th *thread) error {
		d.put(th, truth(spaceOf(s.get(th)) == space))
		return nil
	}
}
