package main

import (
	"fmt"
	"regexp"
	"strings"
)

// rounds matches a name that stands for the kernels of all rounding modes.
var rounds = regexp.MustCompile(`(\w+)ROUNDS`)

// compositions returns the Go functions that make kernels from the parts of a level, and the
// function that puts them in a set. Calls are direct, so that operands stay on the stack.
func compositions(l level) string {
	var w strings.Builder
	// The f32 arithmetic has an easy part, and an exact part for difficult operands.
	easy := func(name, part, operands string) {
		fmt.Fprintf(&w, `
func %[1]s%[4]s(d, %[3]s Rows, s *Sel) {
	if %[2]sEasy%[4]s(d, %[3]s, s) != 0 {
		%[2]sExact%[4]s(d, %[3]s, s)
	}
}
`, name, part, operands, l)
	}
	for _, name := range []string{"fAdd", "fSub", "fMul"} {
		easy(name+"RN", name, "a, b")
	}
	for _, name := range []string{"fMad", "fMsub", "fNmad"} {
		easy(name, name, "a, b, c")
	}
	// The f64 arithmetic has one kernel per rounding mode.
	for _, x := range [][2]string{{"dAdd", "a, b"}, {"dMul", "a, b"}, {"dFma", "a, b, c"}} {
		fmt.Fprintf(&w, `
func %[1]s%[3]s(d, %[2]s Rows64, r tesla.Round, s *Sel) {
	switch r {
	case tesla.RN:
		%[1]sRN%[3]s(d, %[2]s, s)
	case tesla.RM:
		%[1]sRM%[3]s(d, %[2]s, s)
	case tesla.RP:
		%[1]sRP%[3]s(d, %[2]s, s)
	default:
		%[1]sRZ%[3]s(d, %[2]s, s)
	}
}
`, x[0], x[1], l)
	}
	w.WriteString(strings.ReplaceAll(rounds.ReplaceAllString(`
func dModifyLEVEL(d, a Rows64, abs, neg bool, s *Sel) {
	clear, flip := signBits(abs, neg)
	dModifyBitsLEVEL(d, a, clear, flip, s)
}

// composeLEVEL puts in k the kernels that are composed.
func composeLEVEL(k *Kernels) {
	k.CompareU = comparison(lessULEVEL, equalLEVEL)
	k.CompareS = comparison(lessSLEVEL, equalLEVEL)
	k.FCompare = floatComparison(fLessLEVEL, fEqualLEVEL, fAtMostLEVEL, fUnequalLEVEL, fOrderedLEVEL)
	k.FAddRN, k.FSubRN, k.FMulRN = fAddRNLEVEL, fSubRNLEVEL, fMulRNLEVEL
	k.FMad, k.FMsub, k.FNmad = fMadLEVEL, fMsubLEVEL, fNmadLEVEL
	k.DAdd, k.DMul, k.DFma, k.DModify = dAddLEVEL, dMulLEVEL, dFmaLEVEL, dModifyLEVEL
	k.DCompare = floatComparison(dLessLEVEL, dEqualLEVEL, dAtMostLEVEL, dUnequalLEVEL, dOrderedLEVEL)
	k.convert = (&conversions{
		fromU32: u32ToF32LEVEL, fromInt: intToF32LEVEL, intToInt: intToIntLEVEL,
		u32ToInt: u32ToIntLEVEL, modifiedToInt: modifiedToIntLEVEL,
		fromHalf: f16ToF32LEVEL, float: f32ToF32LEVEL, floatSat: f32ToF32SatLEVEL,
		toHalf: [4]Unary{f32ToF16ROUNDS}, toU32: [4]Unary{f32ToU32ROUNDS}, toInt: [4]limitsKernel{f32ToIntROUNDS},
		integral: [4]wordsKernel{f32IntegralROUNDS}, integralSat: [4]wordsKernel{f32IntegralSatROUNDS},
	}).find
	k.convert64 = (&pairConversions{
		fromS32: s32ToF64LEVEL, fromU32: u32ToF64LEVEL, fromF32: f32ToF64LEVEL,
		toS32: [4]narrowing{f64ToS32ROUNDS}, toF32: [4]narrowing{f64ToF32ROUNDS},
	}).find
}
`, "${1}RNLEVEL, ${1}RMLEVEL, ${1}RPLEVEL, ${1}RZLEVEL"), "LEVEL", l.String()))
	return w.String()
}
