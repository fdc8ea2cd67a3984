package ptxreference

import "jacquard/ptx"

// field returns the operations on bit fields and bytes.
func (b *binder) field() operation {
	in, t, u := b.in, b.in.Type, ptx.U32
	w, clamp := wordOf(t), b.in.Mods&ptx.Wrap == 0
	switch in.Op {
	case ptx.OpBfe:
		return operation{t, []ptx.Type{t, u, u}, func(a, pos, n, _ uint64) uint64 {
			return w.extract(a, int(pos&0xff), int(n&0xff))
		}}
	case ptx.OpBfi:
		return operation{t, []ptx.Type{t, t, u, u}, func(a, c, pos, n uint64) uint64 {
			return w.insert(a, c, int(pos&0xff), int(n&0xff))
		}}
	case ptx.OpBmsk:
		return operation{u, []ptx.Type{u, u}, func(a, n, _, _ uint64) uint64 {
			return fieldMask(a, n, clamp)
		}}
	case ptx.OpSzext:
		return operation{t, []ptx.Type{t, u}, func(a, n, _, _ uint64) uint64 {
			return w.signOrZero(a, n, clamp)
		}}
	case ptx.OpFns:
		return operation{u, []ptx.Type{u, u, ptx.S32}, func(a, base, n, _ uint64) uint64 {
			return nthSet(a, int(int32(base)), int(int32(n)))
		}}
	case ptx.OpPrmt:
		mode := in.Mode
		return operation{u, []ptx.Type{u, u, u}, func(a, c, s, _ uint64) uint64 {
			return permute(a|c<<32, s, mode)
		}}
	case ptx.OpLop3:
		return operation{u, []ptx.Type{u, u, u, u}, lop3}
	case ptx.OpShf:
		return b.funnel()
	case ptx.OpDp4a, ptx.OpDp2a:
		return b.dot()
	}
	return operation{}
}

// extract returns n bits from pos on; bits from beyond the word repeat the field's highest bit in
// it if the type is signed.
func (w wordType) extract(a uint64, pos, n int) (r uint64) {
	fill := uint64(0)
	if w.signed && n > 0 {
		fill = a >> min(pos+n-1, w.bits-1) & 1
	}
	for i := range w.bits {
		if i < n && pos+i < w.bits {
			r |= a >> (pos + i) & 1 << i
		} else {
			r |= fill << i
		}
	}
	return r
}

// insert puts the lowest n bits of a into c at pos.
func (w wordType) insert(a, c uint64, pos, n int) uint64 {
	for i := 0; i < n && pos+i < w.bits; i++ {
		c = c&^(1<<(pos+i)) | a>>i&1<<(pos+i)
	}
	return c
}

// fieldMask returns n ones from bit pos on.
func fieldMask(pos, n uint64, clamp bool) uint64 {
	if !clamp {
		pos, n = pos&31, n&31
	}
	if pos > 31 {
		return 0
	}
	return ones(int(min(n, 32))) << pos
}

// signOrZero extends the lowest n bits of a to the word.
func (w wordType) signOrZero(a, n uint64, clamp bool) uint64 {
	switch {
	case !clamp:
		n &= 31
	case n > 31:
		return a
	}
	if n == 0 {
		return 0
	}
	if w.signed {
		return uint64(signExtend(a, int(n)))
	}
	return a & ones(int(n))
}

// nthSet returns the place of the n-th set bit from base on: upwards for positive n, downwards for
// negative n, base itself for 0. It is all ones if there is none.
func nthSet(mask uint64, base, n int) uint64 {
	set := func(i int) bool { return i >= 0 && i < 32 && mask>>i&1 != 0 }
	step := 1
	switch {
	case n == 0 && set(base):
		return uint64(base)
	case n == 0:
		return ^uint64(0)
	case n < 0:
		step, n = -1, -n
	}
	for i := base; i >= 0 && i < 32; i += step {
		if set(i) {
			if n--; n == 0 {
				return uint64(i)
			}
		}
	}
	return ^uint64(0)
}

// permute picks four of the eight bytes of ab.
func permute(ab, selector uint64, mode ptx.Mode) (r uint64) {
	for i := range uint64(4) {
		k, s := selector&3, uint64(0)
		switch mode {
		case ptx.PrmtF4E:
			s = k + i
		case ptx.PrmtB4E:
			s = (k - i) & 7
		case ptx.PrmtRC8:
			s = k
		case ptx.PrmtECL:
			s = max(i, k)
		case ptx.PrmtECR:
			s = min(i, k)
		case ptx.PrmtRC16:
			s = k&1<<1 | i&1
		default:
			s = selector >> (4 * i) & 15
		}
		v := ab >> (8 * (s & 7)) & 0xff
		if s&8 != 0 { // the byte's sign alone
			v = -(v >> 7) & 0xff
		}
		r |= v << (8 * i)
	}
	return r
}

// dot returns dp4a and dp2a. Type is the type of a, From the type of b.
func (b *binder) dot() operation {
	at, bt := wordOf(b.in.Type), wordOf(b.in.From)
	if b.in.From == ptx.NoType {
		bt = at
	}
	r := ptx.U32
	if at.signed || bt.signed {
		r = ptx.S32
	}
	first, size := 0, 8
	if b.in.Op == ptx.OpDp2a {
		size = 16
		if b.in.Mods&ptx.HiHalf != 0 {
			first = 16
		}
	}
	return operation{r, []ptx.Type{ptx.B32, ptx.B32, r}, func(a, c, sum, _ uint64) uint64 {
		for i := range 32 / size {
			x, y := part(a, i*size, size, at.signed), part(c, first+8*i, 8, bt.signed)
			sum += uint64(x * y)
		}
		return sum
	}}
}

// part returns n bits of x as a number.
func part(x uint64, at, n int, signed bool) int64 {
	if signed {
		return signExtend(x>>at, n)
	}
	return int64(x >> at & ones(n))
}
