package lane

import "jacquard/tesla"

// The f64 kernels of which assembly has one for each rounding mode.

func dAddAVX2(d, a, b Rows64, r tesla.Round, s *Sel) {
	switch r {
	case tesla.RN:
		dAddRNAVX2(d, a, b, s)
	case tesla.RM:
		dAddRMAVX2(d, a, b, s)
	case tesla.RP:
		dAddRPAVX2(d, a, b, s)
	default:
		dAddRZAVX2(d, a, b, s)
	}
}

func dMulAVX2(d, a, b Rows64, r tesla.Round, s *Sel) {
	switch r {
	case tesla.RN:
		dMulRNAVX2(d, a, b, s)
	case tesla.RM:
		dMulRMAVX2(d, a, b, s)
	case tesla.RP:
		dMulRPAVX2(d, a, b, s)
	default:
		dMulRZAVX2(d, a, b, s)
	}
}

func dFmaAVX2(d, a, b, c Rows64, r tesla.Round, s *Sel) {
	switch r {
	case tesla.RN:
		dFmaRNAVX2(d, a, b, c, s)
	case tesla.RM:
		dFmaRMAVX2(d, a, b, c, s)
	case tesla.RP:
		dFmaRPAVX2(d, a, b, c, s)
	default:
		dFmaRZAVX2(d, a, b, c, s)
	}
}

func dModifyAVX2(d, a Rows64, abs, neg bool, s *Sel) {
	clear, flip := signBits(abs, neg)
	dModifyBitsAVX2(d, a, clear, flip, s)
}

func dAddAVX512(d, a, b Rows64, r tesla.Round, s *Sel) {
	switch r {
	case tesla.RN:
		dAddRNAVX512(d, a, b, s)
	case tesla.RM:
		dAddRMAVX512(d, a, b, s)
	case tesla.RP:
		dAddRPAVX512(d, a, b, s)
	default:
		dAddRZAVX512(d, a, b, s)
	}
}

func dMulAVX512(d, a, b Rows64, r tesla.Round, s *Sel) {
	switch r {
	case tesla.RN:
		dMulRNAVX512(d, a, b, s)
	case tesla.RM:
		dMulRMAVX512(d, a, b, s)
	case tesla.RP:
		dMulRPAVX512(d, a, b, s)
	default:
		dMulRZAVX512(d, a, b, s)
	}
}

func dFmaAVX512(d, a, b, c Rows64, r tesla.Round, s *Sel) {
	switch r {
	case tesla.RN:
		dFmaRNAVX512(d, a, b, c, s)
	case tesla.RM:
		dFmaRMAVX512(d, a, b, c, s)
	case tesla.RP:
		dFmaRPAVX512(d, a, b, c, s)
	default:
		dFmaRZAVX512(d, a, b, c, s)
	}
}

func dModifyAVX512(d, a Rows64, abs, neg bool, s *Sel) {
	clear, flip := signBits(abs, neg)
	dModifyBitsAVX512(d, a, clear, flip, s)
}

// signBits returns the bits of a word that modifiers clear and then flip.
func signBits(abs, neg bool) (clear, flip uint32) {
	if abs {
		clear = 1 << 31
	}
	if neg {
		flip = 1 << 31
	}
	return clear, flip
}
