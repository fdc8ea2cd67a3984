package host

import (
	"cmp"
	"fmt"

	"jacquard/simt/engine/translate/hostcode"
)

// The names, least first.
const (
	Off    = "off"    // no translation
	AVX2   = "avx2"   // with FMA, F16C, BMI1, BMI2, LZCNT and POPCNT
	AVX512 = "avx512" // F, BW, DQ, VL and CD, and all of AVX2
)

var names = []string{Off, AVX2, AVX512}

// preferred is the name that the empty name stands for, if not the best. No Go code writes it:
// "make matrix" sets it through the linker, so that every test computes with each name.
var preferred string

// best is computed once, because asking the processor is slow, more so in a virtual machine.
var best = detect()

var permutesBytes = detectBytes()

// PermutesBytes reports whether the processor has AVX-512 VBMI besides the instructions of avx512.
// Code uses VBMI where the processor has it.
func PermutesBytes() bool { return permutesBytes }

// Find returns the vector instructions of a name. The empty name is the best that can be used here:
// off where the processor has too few, or the system refuses executable memory. The error is an
// *UnknownError, a *MissingError or a *RefusedError.
func Find(name string) (string, error) {
	return find(cmp.Or(name, preferred), best, hostcode.Available())
}

// find is Find on a processor with the instructions best, where refused is why code cannot run.
func find(name, best string, refused error) (string, error) {
	switch {
	case name == "" && refused != nil, name == Off:
		return Off, nil
	case name == "":
		return best, nil
	case name != AVX2 && name != AVX512:
		return "", &UnknownError{name}
	case best == Off || best == AVX2 && name == AVX512:
		return "", &MissingError{name, best}
	case refused != nil:
		return "", &RefusedError{name, refused}
	}
	return name, nil
}

// Names returns the names that Find takes here, least first.
func Names() (list []string) {
	for _, name := range names {
		if _, err := Find(name); err == nil {
			list = append(list, name)
		}
	}
	return list
}

// Lacking returns why code is not translated here, or nil if it is. The error is a *MissingError or
// a *RefusedError.
func Lacking() error {
	_, err := Find(AVX2)
	return err
}

// UnknownError names vector instructions that do not exist.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("unknown SIMD setting %q: want %s, %s or %s", e.Name, Off, AVX2, AVX512)
}

// MissingError names vector instructions that the host's processor does not have.
type MissingError struct{ Name, Best string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("this processor cannot run %s: the most it can is %s", e.Name, e.Best)
}

// RefusedError names vector instructions that need machine code made at run time, which the host
// refuses.
type RefusedError struct {
	Name string
	Err  error // of package hostcode
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("no code for %s can be made at run time: %v", e.Name, e.Err)
}

// Unwrap returns the error of package hostcode.
func (e *RefusedError) Unwrap() error { return e.Err }
