package ptxreference

import "jacquard/ptx"

// copyAsync binds cp.async: a copy that is done at once. Bytes past the source are zero.
func (b *binder) copyAsync() step {
	if b.in.Mode != ptx.NoMode {
		return func(*thread) error { return nil }
	}
	size := b.arg(2).Value
	if size != 4 && size != 8 && size != 16 {
		b.fail(Unsupported, "a copy of %d bytes", size)
	}
	to, from := b.placeIn(0, ptx.Shared), b.placeIn(1, ptx.Global)
	n := source{bits: size}
	if b.has(3) && b.in.Mods&ptx.CacheHint == 0 {
		n = b.source(3, ptx.B32)
	}
	return func(t *thread) error {
		d, err := t.bytes(to.space, to.address(t), int(size), true)
		if err != nil {
			return err
		}
		clear(d)
		at := from.address(t)
		if at%size != 0 {
			return t.fault(Fault, "%d bytes at misaligned global address %#x", size, at)
		}
		for i := range min(n.get(t), size) {
			s, err := t.bytes(from.space, at+i, 1, false)
			if err != nil {
				return err
			}
			d[i] = s[0]
		}
		return nil
	}
}

// placeIn binds operand i as an address in a space.
func (b *binder) placeIn(i int, space ptx.Space) place {
	in := *b.in
	in.Space = space
	there := &binder{compiler: b.compiler, in: &in}
	p := there.place(i)
	if b.err == nil {
		b.err = there.err
	}
	return p
}
