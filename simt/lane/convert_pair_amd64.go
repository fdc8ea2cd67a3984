package lane

import "jacquard/fpu"

// pairConversions are the kernels of conversions with a side of 64 bits that have vector forms,
// by rounding mode where the mode matters.
type pairConversions struct {
	fromS32, fromU32, fromF32 func(d Rows64, a Rows, s *Sel)
	toS32, toF32              [4]func(d Rows, a Rows64, s *Sel)
}

// find returns the kernel of c, nil if there is only a portable one.
func (v *pairConversions) find(c fpu.Conversion) func(d, a Rows64, s *Sel) {
	widen := func(kernel func(d Rows64, a Rows, s *Sel)) func(d, a Rows64, s *Sel) {
		return func(d, a Rows64, s *Sel) { kernel(d, a.Lo, s) }
	}
	narrow := func(kernel func(d Rows, a Rows64, s *Sel)) func(d, a Rows64, s *Sel) {
		return func(d, a Rows64, s *Sel) { kernel(d.Lo, a, s) }
	}
	switch plain := (fpu.Conversion{To: c.To, From: c.From, Round: c.Round, Integral: c.Integral, Sat: c.Sat}); {
	case c != plain: // the source has modifiers
		return nil
	case c.To == fpu.F64 && c.From == fpu.S32:
		return widen(v.fromS32)
	case c.To == fpu.F64 && c.From == fpu.U32:
		return widen(v.fromU32)
	case c.To == fpu.F64 && c.From == fpu.F32:
		return widen(v.fromF32)
	case c.To == fpu.S32 && c.From == fpu.F64:
		return narrow(v.toS32[c.Round])
	case c.To == fpu.F32 && c.From == fpu.F64:
		return narrow(v.toF32[c.Round])
	}
	return nil
}

func pairConversionsAVX2() *pairConversions {
	return &pairConversions{
		fromS32: s32ToF64AVX2, fromU32: u32ToF64AVX2, fromF32: f32ToF64AVX2,
		toS32: [4]func(d Rows, a Rows64, s *Sel){f64ToS32RNAVX2, f64ToS32RMAVX2, f64ToS32RPAVX2, f64ToS32RZAVX2},
		toF32: [4]func(d Rows, a Rows64, s *Sel){f64ToF32RNAVX2, f64ToF32RMAVX2, f64ToF32RPAVX2, f64ToF32RZAVX2},
	}
}

func pairConversionsAVX512() *pairConversions {
	return &pairConversions{
		fromS32: s32ToF64AVX512, fromU32: u32ToF64AVX512, fromF32: f32ToF64AVX512,
		toS32: [4]func(d Rows, a Rows64, s *Sel){f64ToS32RNAVX512, f64ToS32RMAVX512, f64ToS32RPAVX512, f64ToS32RZAVX512},
		toF32: [4]func(d Rows, a Rows64, s *Sel){f64ToF32RNAVX512, f64ToF32RMAVX512, f64ToF32RPAVX512, f64ToF32RZAVX512},
	}
}
