package ptxreference

import (
	"math/big"

	"jacquard/ptx"
)

// conversion returns cvt.
func (b *binder) conversion() operation {
	to, from := b.in.Type, b.in.From
	ff, tf := formatOf(from), formatOf(to)
	switch {
	case b.in.Mods&ptx.Pack != 0:
		return b.packedIntegers()
	case b.in.Mods&ptx.Relu != 0 && (tf == nil || tf.bits > 16):
		return operation{}
	case to == ptx.F16x2 || to == ptx.BF16x2:
		return b.packing()
	case from == ptx.F16x2 || from == ptx.BF16x2:
		return operation{}
	case tf != nil && ff != nil:
		return b.floatToFloat(tf, ff)
	case tf != nil && integer(from):
		return b.integerToFloat(tf)
	case ff != nil && integer(to):
		return b.floatToInteger(ff)
	case integer(to) && integer(from):
		return b.integerToInteger()
	}
	return operation{}
}

func convert(to, from ptx.Type, f func(x uint64) uint64) operation {
	return operation{to, []ptx.Type{from}, func(x, _, _, _ uint64) uint64 { return f(x) }}
}

func (b *binder) integerToInteger() operation {
	to, from := wordOf(b.in.Type), wordOf(b.in.From)
	sat := b.in.Mods&ptx.Sat != 0
	return convert(b.in.Type, b.in.From, func(x uint64) uint64 {
		if !sat {
			return extend(x, b.in.From)
		}
		return to.clamp(from.big(x))
	})
}

// packedIntegers returns cvt.pack. A third operand has the bits above the two results.
func (b *binder) packedIntegers() operation {
	w, from := wordOf(b.in.Type), wordOf(b.in.From)
	args := []ptx.Type{b.in.From, b.in.From, ptx.B32}[:len(b.in.Args)-1]
	return operation{ptx.U32, args, func(x, y, c, _ uint64) uint64 {
		for _, v := range []uint64{x, y} {
			c = c<<w.bits | w.clamp(from.big(v))&ones(w.bits)
		}
		return c
	}}
}

// big returns the number that x stands for.
func (w wordType) big(x uint64) *big.Int {
	if w.signed {
		return big.NewInt(w.int(x))
	}
	return new(big.Int).SetUint64(x)
}

// clamp returns the number of the type that is nearest to v.
func (w wordType) clamp(v *big.Int) uint64 {
	low, high := w.big(w.lowest()), w.big(w.highest())
	switch {
	case v.Cmp(low) < 0:
		v = low
	case v.Cmp(high) > 0:
		v = high
	}
	if v.Sign() < 0 {
		return uint64(v.Int64())
	}
	return v.Uint64()
}

func (b *binder) integerToFloat(tf *format) operation {
	f, from := b.arithOf(b.in.Type), wordOf(b.in.From)
	f.format = tf
	return convert(b.in.Type, b.in.From, func(x uint64) uint64 {
		v := from.big(x)
		return f.out(finiteOf(v.Sign() < 0, new(big.Int).Abs(v), 0))
	})
}

// flushesConversion reports whether a conversion treats subnormal numbers of f32 as zeros. In PTX
// up to 1.4 conversions to or from 64 bits do not, unless .ftz says so.
func (b *binder) flushesConversion() bool {
	if b.in.Mods&ptx.Ftz != 0 {
		return true
	}
	v := b.p.module.Version
	legacy := v.Major < 1 || v.Major == 1 && v.Minor <= 4
	if legacy && (width(b.in.Type) == 64 || width(b.in.From) == 64) {
		return false
	}
	return b.p.flushes(b.in)
}

// floatToInteger clamps to the range. NaN becomes 0, or the word's highest bit alone if either type
// has 64 bits.
func (b *binder) floatToInteger(ff *format) operation {
	to, from, mode := b.in.Type, b.in.From, b.in.Round
	w, ftz := wordOf(to), from == ptx.F32 && b.flushesConversion()
	if mode == ptx.NoRound {
		mode = ptx.RZI // the default of PTX 1.x
	}
	ofNaN := uint64(0)
	if width(to) == 64 || from == ptx.F64 {
		ofNaN = w.ofNaN()
	}
	return convert(to, from, func(x uint64) uint64 {
		if ftz {
			x = ff.flush(x)
		}
		v := ff.decode(x).integral(mode)
		switch {
		case v.kind == nan:
			return ofNaN
		case v.kind == infinite && v.neg:
			return w.lowest()
		case v.kind == infinite:
			return w.highest()
		case v.kind == zero:
			return 0
		}
		return w.clamp(v.scaled(0))
	})
}

// ofNaN returns the conversion of a NaN of f64: the highest bit alone (the manual's cvt, from PTX
// 8 on; it said 0 before).
func (w wordType) ofNaN() uint64 {
	if w.signed {
		return w.lowest()
	}
	return 1 << (w.bits - 1)
}

// integralMode reports whether a rounding goes to an integer.
func integralMode(r ptx.Round) bool {
	return r == ptx.RNI || r == ptx.RZI || r == ptx.RMI || r == ptx.RPI
}

func (b *binder) floatToFloat(tf, ff *format) operation {
	to, from := b.in.Type, b.in.From
	round := b.in.Round
	ftz := b.flushesConversion()
	f := b.arithOf(to)
	return convert(to, from, func(x uint64) uint64 {
		if from == ptx.F32 && ftz {
			x = ff.flush(x)
		}
		return f.clamp(b.changeFormat(x, tf, ff, round, to == ptx.F32 && ftz))
	})
}

func (b *binder) changeFormat(x uint64, tf, ff *format, round ptx.Round, ftz bool) uint64 {
	if tf == single && ff == single && round == ptx.NoRound && !ftz { // a copy, NaNs included
		return x
	}
	if ff.isNaN(x) {
		return convertNaN(x, tf, ff)
	}
	v := ff.decode(x)
	if integralMode(round) {
		v = v.integral(round)
	}
	return tf.encode(v, round, ftz)
}

// convertNaN keeps sign and upper payload if one side is f64, as Tesla does. PTX leaves them open. A
// bf16 is the upper half of an f32, whatever it is.
func convertNaN(x uint64, tf, ff *format) uint64 {
	switch {
	case ff == brain && tf == single:
		return x << 16
	case ff == brain && tf == double:
		x, ff = x<<16, single
	case ff == half && tf == double: // by way of f32
		x, ff = single.nan, single
	}
	if tf != double && ff != double || ff.bits < 32 || tf.bits < 32 {
		return tf.nan
	}
	sign := x >> (ff.bits - 1) << (tf.bits - 1)
	payload := x & ff.fraction() << (64 - ff.prec + 1) >> (64 - tf.prec + 1)
	return sign | tf.infinity() | payload | 1<<(tf.prec-2)
}

// packing returns the conversion of two f32 into the halves of a word, the first the upper one.
func (b *binder) packing() operation {
	tf, round := formatOf(b.in.Type), b.in.Round
	if b.in.From != ptx.F32 {
		return operation{}
	}
	f := b.arithOf(b.in.Type)
	one := func(x uint64) uint64 { return f.clamp(b.changeFormat(x, tf, single, round, false)) }
	return operation{b.in.Type, []ptx.Type{ptx.F32, ptx.F32}, func(x, y, _, _ uint64) uint64 {
		return one(x)<<16 | one(y)
	}}
}
