package reference

import "jacquard/cubin/ptx"

// texture binds tex and tld4: the configuration's function does the work.
func (b *binder) texture() step {
	if b.p.texture == nil {
		b.fail(Unsupported, "texture without Config.Texture")
		return nil
	}
	in := b.in
	d, named := b.sinks(b.list(0)), b.arg(1)
	sample := Sample{Op: in.Op, Geom: in.Geom, Type: in.Type, From: in.From}
	// The operands: texture, sampler if it is separate, coordinates. They may stand in one list.
	rest := in.Args[1:]
	if named.Kind == ptx.List {
		rest = named.List
	}
	var handle source
	var coords []source
	for i := range rest {
		o := &rest[i]
		switch {
		case o.Kind == ptx.List:
			coords = append(coords, b.sources(o.List, in.From)...)
		case i == 0:
			sample.Texture, handle = b.opaque(o)
		case opaque(o):
			sample.Sampler, _ = b.opaque(o)
		default:
			coords = append(coords, b.sourceOf(o, in.From))
		}
	}
	if len(d) > 4 {
		b.fail(Malformed, "texel of %d elements", len(d))
	}
	return func(t *thread) error {
		s := sample
		s.Handle = handle.get(t)
		for i := range coords {
			s.Coords = append(s.Coords, coords[i].get(t))
		}
		texel, err := t.block.program.texture(s)
		if err != nil {
			return t.fault(Fault, "%v", err)
		}
		for i := range d {
			d[i].put(t, texel[i])
		}
		return nil
	}
}

// opaque reports whether an operand names a texture or sampler.
func opaque(o *ptx.Operand) bool {
	return o.Var != nil && o.Var.Space != ptx.Reg && (o.Kind == ptx.Symbol || o.Kind == ptx.Address)
}

// opaque returns the name of a texture or sampler, or where its handle is.
func (b *binder) opaque(o *ptx.Operand) (name string, handle source) {
	switch {
	case opaque(o):
		return o.Var.Name, source{}
	case o.Var != nil:
		return "", source{slot: b.register(o), mask: ones(64)}
	}
	b.fail(Malformed, "texture operand")
	return "", source{}
}
