package ptxreference

import "jacquard/ptx"

// texture binds tex, tld4, suld, sust and sured: the configuration's function does the work.
func (b *binder) texture() step {
	if b.p.texture == nil {
		b.fail(Unsupported, "%v without Config.Texture", b.in.Op)
		return nil
	}
	var d []sink
	first := 0
	if b.in.Op != ptx.OpSust && b.in.Op != ptx.OpSured {
		d, first = b.sinks(b.list(0)), 1
	}
	if len(d) > 4 {
		b.fail(Malformed, "texel of %d elements", len(d))
	}
	request := b.request(first)
	return func(t *thread) error {
		texel, err := t.block.program.texture(request(t))
		if err != nil {
			return t.fault(Fault, "%v", err)
		}
		for i := range d {
			d[i].put(t, texel[i])
		}
		return nil
	}
}

// request binds the operands from first on: the texture, the sampler if it is separate, the
// coordinates, and what follows them.
func (b *binder) request(first int) func(t *thread) Sample {
	in := b.in
	sample := Sample{Op: in.Op, Geom: in.Geom, Type: in.Type, From: in.From, Mode: in.Mode,
		Atom: in.Atom, Mods: in.Mods}
	from := in.From
	if from == ptx.NoType {
		from = ptx.B32
	}
	var handle source
	sample.Texture, handle = b.opaque(b.arg(first))
	next := first + 1
	if b.has(next) && b.arg(next).Kind == ptx.Address {
		sample.Sampler, _ = b.opaque(b.arg(next))
		next++
	}
	coords := b.sources(b.list(next), from)
	var data []source
	for i := next + 1; i < len(in.Args); i++ {
		if first == 0 {
			data = append(data, b.sources(b.list(i), in.Type)...)
		} else {
			coords = append(coords, b.sources(b.list(i), from)...)
		}
	}
	return func(t *thread) Sample {
		s := sample
		s.Handle, s.Coords, s.Data = handle.get(t), all(coords, t), all(data, t)
		return s
	}
}

// all returns the values of some operands.
func all(list []source, t *thread) (values []uint64) {
	for i := range list {
		values = append(values, list[i].get(t))
	}
	return values
}

// opaque returns the name of a texture or sampler, or where its handle is.
func (b *binder) opaque(o *ptx.Operand) (name string, handle source) {
	switch {
	case o.Var == nil:
		b.fail(Malformed, "operand that is no texture")
		return "", source{}
	case o.Var.Space == ptx.Reg:
		return "", source{slot: b.register(o), mask: ones(64)}
	}
	return o.Var.Name, source{}
}
