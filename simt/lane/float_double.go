package lane

import (
	"jacquard/fpu"
	"jacquard/tesla"
)

// Rows64 is a 64-bit register pair of several warps.
type Rows64 struct{ Lo, Hi Rows }

// load joins the halves of warp w's row.
func (r Rows64) load(v *fpu.Row64, w int) {
	lo, hi := r.Lo.At(w), r.Hi.At(w)
	for i := range v {
		v[i] = uint64(hi[i])<<32 | uint64(lo[i])
	}
}

// store writes the lanes of v in m to warp w's row.
func (r Rows64) store(v *fpu.Row64, w int, m Mask) {
	var lo, hi Row
	for i, x := range v {
		lo[i], hi[i] = uint32(x), uint32(x>>32)
	}
	commit(r.Lo.At(w), &lo, m)
	commit(r.Hi.At(w), &hi, m)
}

// load2 copies the operands of the i-th warp of s to scratch, because the pairs may overlap, and
// returns the warp's number. The scratch belongs to the caller: it would be allocated at every step
// if a function variable received it.
func load2(x, y *fpu.Row64, a, b Rows64, s *Sel, i int) (w int) {
	w = int(s.Warp[i])
	a.load(x, w)
	b.load(y, w)
	return w
}

// DAdd is a + b in f64, rounded in mode r.
func DAdd(d, a, b Rows64, r tesla.Round, s *Sel) {
	var x, y fpu.Row64
	for i := range s.N {
		w := load2(&x, &y, a, b, s, i)
		fpu.Add64Row(&x, &x, &y, fpu.Round(r))
		d.store(&x, w, s.Mask[i])
	}
}

// DMul is a * b in f64, rounded in mode r.
func DMul(d, a, b Rows64, r tesla.Round, s *Sel) {
	var x, y fpu.Row64
	for i := range s.N {
		w := load2(&x, &y, a, b, s, i)
		fpu.Mul64Row(&x, &x, &y, fpu.Round(r))
		d.store(&x, w, s.Mask[i])
	}
}

// DFma is a * b + c in f64, rounded once, in mode r.
func DFma(d, a, b, c Rows64, r tesla.Round, s *Sel) {
	var x, y, z fpu.Row64
	for i := range s.N {
		w := load2(&x, &y, a, b, s, i)
		c.load(&z, w)
		fpu.Fma64Row(&x, &x, &y, &z, fpu.Round(r))
		d.store(&x, w, s.Mask[i])
	}
}

// DMin is the lesser of a and b in f64.
func DMin(d, a, b Rows64, s *Sel) {
	var x, y fpu.Row64
	for i := range s.N {
		w := load2(&x, &y, a, b, s, i)
		fpu.Min64Row(&x, &x, &y)
		d.store(&x, w, s.Mask[i])
	}
}

// DMax is the greater of a and b in f64.
func DMax(d, a, b Rows64, s *Sel) {
	var x, y fpu.Row64
	for i := range s.N {
		w := load2(&x, &y, a, b, s, i)
		fpu.Max64Row(&x, &x, &y)
		d.store(&x, w, s.Mask[i])
	}
}

// DModify applies the source modifiers of an f64 operand, absolute value first. A NaN
// keeps its sign.
func DModify(d, a Rows64, abs, neg bool, s *Sel) {
	var x fpu.Row64
	for i := range s.N {
		w := int(s.Warp[i])
		a.load(&x, w)
		for lane, v := range x {
			x[lane] = fpu.Modify64(v, abs, neg)
		}
		d.store(&x, w, s.Mask[i])
	}
}

// DCompare is FCompare for f64.
func DCompare(out *[MaxWarps]Mask, a, b Rows64, cmp uint8, s *Sel) {
	var x, y fpu.Row64
	for i := range s.N {
		load2(&x, &y, a, b, s, i)
		out[i] = Mask(fpu.Compare64Row(&x, &y, fpu.Relation(cmp))) & s.Mask[i]
	}
}

// DFlags is FFlags for f64.
func DFlags(f []Flags, r Rows64, s *Sel) {
	var x fpu.Row64
	for i := range s.N {
		w := int(s.Warp[i])
		r.load(&x, w)
		var v Flags
		for lane, word := range x {
			v.set(lane, fpu.Flags64(word))
		}
		f[w].put(v, s.Mask[i])
	}
}

// CvtKernel64 returns the kernel of a conversion with at least one side of 64 bits, and false if
// the machine has no such conversion. A side of 32 bits is in Lo; its Hi is unused and may be the
// zero Rows. If f is not nil, the kernel writes the flags too, among them O for a clamped integer
// result.
func CvtKernel64(to, from tesla.Type, r tesla.Round, integral, abs, neg, sat bool) (func(d, a Rows64, f []Flags, s *Sel), bool) {
	c, ok := Conversion(to, from, r, integral, abs, neg, sat)
	if !ok || !is64(to) && !is64(from) {
		return nil, false
	}
	wideTo, wideFrom := is64(to), is64(from)
	return func(d, a Rows64, f []Flags, s *Sel) {
		var x fpu.Row64
		for i := range s.N {
			w := int(s.Warp[i])
			a.read(&x, w, wideFrom)
			var v Flags
			for lane, word := range x {
				var flags fpu.Flags
				x[lane], flags = c.Do(word)
				v.set(lane, flags)
			}
			d.write(&x, w, s.Mask[i], wideTo)
			if f != nil {
				f[w].put(v, s.Mask[i])
			}
		}
	}, true
}

// read is load, but of the low half only if the operand is not wide.
func (r Rows64) read(v *fpu.Row64, w int, wide bool) {
	if wide {
		r.load(v, w)
		return
	}
	for i, word := range r.Lo.At(w) {
		v[i] = uint64(word)
	}
}

// write is store, but of the low half only if the operand is not wide.
func (r Rows64) write(v *fpu.Row64, w int, m Mask, wide bool) {
	if wide {
		r.store(v, w, m)
		return
	}
	var lo Row
	for i, x := range v {
		lo[i] = uint32(x)
	}
	commit(r.Lo.At(w), &lo, m)
}
