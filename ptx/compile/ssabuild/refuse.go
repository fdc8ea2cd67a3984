package ssabuild

import "jacquard/ptx"

// refused reports modifiers that PTX does not allow together, or that no device has. The library is
// trusted.
func (b *builder) refused(in *ptx.Instr) bool {
	if b.inLibrary > 0 {
		return false
	}
	before := len(b.errs)
	switch {
	case in.Mods&ptx.Relu != 0 && halfOf(in.Type) == nil && (isFloat(in.Type) || in.Op == ptx.OpCvt):
		b.fail("%s with .relu needs a result of f16 or bf16", in.Op)
	case in.Op == ptx.OpSet && pair(in.From) != pair(in.Type) && !(pair(in.From) && isWord(in.Type)):
		b.fail("set has two results for two numbers, or a word")
	case in.Op == ptx.OpMad24 && in.Mods&ptx.Sat != 0 && !(in.Mods&ptx.HiHalf != 0 && in.Type == ptx.S32):
		b.fail(".sat of mad24 needs .hi and .s32")
	case in.Op == ptx.OpMad && in.Type == ptx.F32 && in.Round == ptx.NoRound && b.m.Target.Arch >= 20:
		b.fail("mad.f32 needs a rounding from .target sm_20 on")
	case (in.Op == ptx.OpSet || in.Op == ptx.OpSetp) && in.Mods&ptx.Ftz != 0 && !mayFlush(in):
		b.fail(".ftz needs operands of f32, f16 or bf16")
	case in.Op == ptx.OpCvt:
		b.checkConversion(in)
	}
	return len(b.errs) > before
}

// isWord reports whether a type is an integer of 32 bits.
func isWord(t ptx.Type) bool { return t == ptx.U32 || t == ptx.S32 }

// mayFlush reports whether set or setp has operands of f32 or of 16 bits.
func mayFlush(in *ptx.Instr) bool {
	t := in.Type
	if in.Op == ptx.OpSet {
		t = in.From
	}
	return t == ptx.F32 || halfOf(t) != nil
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
	case directed && to && from && in.Type.Bits() >= in.From.Bits() && !(halfOf(in.Type) != nil && halfOf(in.From) != halfOf(in.Type)):
		b.fail("a conversion to a float that is not narrower takes no such rounding")
	case in.Mods&ptx.Ftz != 0 && in.Type != ptx.F32 && in.From != ptx.F32:
		b.fail(".ftz needs a float of type f32")
	}
}
