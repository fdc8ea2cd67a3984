package build

import "jacquard/cubin/ptx"

// strange reports whether an instruction computes with a type that no Tesla device has. Memory and
// cvt know f16.
func strange(in *ptx.Instr) bool {
	switch in.Op {
	case ptx.OpMov, ptx.OpLd, ptx.OpLdu, ptx.OpSt, ptx.OpSelp, ptx.OpTex:
		return in.Type == ptx.B128
	case ptx.OpCvt:
		return newer(in.Type) || newer(in.From)
	}
	half := in.Type == ptx.F16 || in.From == ptx.F16
	return half || newer(in.Type) || newer(in.From)
}

// newer reports whether a type came after Tesla.
func newer(t ptx.Type) bool {
	switch t {
	case ptx.F16x2, ptx.BF16, ptx.BF16x2, ptx.B128:
		return true
	}
	return false
}

// refused reports modifiers that PTX does not allow together, or that no device has. The library is
// trusted.
func (b *builder) refused(in *ptx.Instr) bool {
	if b.inLibrary > 0 {
		return false
	}
	before := len(b.errs)
	switch {
	case in.Mods&(ptx.NaN|ptx.XorSign|ptx.AbsResult) != 0,
		in.Mods&ptx.Relu != 0 && (isFloat(in.Type) || in.Op == ptx.OpCvt):
		b.fail("%s with .NaN, .xorsign, .abs or .relu is not supported on %s", in.Op, b.target.Arch)
	case in.Op == ptx.OpMad24 && in.Mods&ptx.Sat != 0 && !(in.Mods&ptx.HiHalf != 0 && in.Type == ptx.S32):
		b.fail(".sat of mad24 needs .hi and .s32")
	case in.Op == ptx.OpMad && in.Type == ptx.F32 && in.Round == ptx.NoRound && b.m.Target.Arch >= 20:
		b.fail("mad.f32 needs a rounding from .target sm_20 on")
	case (in.Op == ptx.OpSet || in.Op == ptx.OpSetp) && in.Mods&ptx.Ftz != 0 && b.compares(in) != ptx.F32:
		b.fail(".ftz needs operands of type f32")
	case in.Op == ptx.OpCvt:
		b.checkConversion(in)
	}
	return len(b.errs) > before
}

// compares returns the type of the operands of set and setp.
func (b *builder) compares(in *ptx.Instr) ptx.Type {
	if in.Op == ptx.OpSet {
		return in.From
	}
	return in.Type
}

// checkConversion reports roundings that cvt does not have.
func (b *builder) checkConversion(in *ptx.Instr) {
	to, from := isFloat(in.Type), isFloat(in.From)
	integral := in.Round >= ptx.RNI && in.Round <= ptx.RPI
	directed := in.Round >= ptx.RN && in.Round <= ptx.RP
	switch {
	case in.Round == ptx.RNA:
		b.fail("the rounding .rna is not supported on %s", b.target.Arch)
	case integral && !from:
		b.fail("a rounding to an integer needs a float to convert")
	case integral && to && in.Type != in.From:
		b.fail("a rounding to an integer needs a float of the same size")
	case directed && !to:
		b.fail("a conversion to an integer takes .rni, .rzi, .rmi or .rpi")
	case directed && to && from && in.Type.Bits() >= in.From.Bits():
		b.fail("a conversion to a float that is not narrower takes no such rounding")
	case in.Mods&ptx.Ftz != 0 && in.Type != ptx.F32 && in.From != ptx.F32:
		b.fail(".ftz needs a float of type f32")
	}
}
