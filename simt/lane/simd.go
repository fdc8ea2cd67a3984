package lane

import (
	"cmp"
	"fmt"
	"strings"
)

// The names of the sets of kernels.
const (
	Off    = "off" // portable code
	AVX2   = "avx2"
	AVX512 = "avx512"
)

// preferred is the set for the empty name, if not the best. No Go code writes it: "make matrix"
// sets it through the linker, so that every test there computes with every set.
var preferred string

// Find returns the set of kernels with the given name. The empty name is the best set for the
// host's processor. The error is an *UnknownSIMDError or *MissingSIMDError.
func Find(name string) (*Kernels, error) {
	best := hostSIMD()
	if name == "" {
		name = cmp.Or(preferred, best)
	}
	switch {
	case name == Off:
		return portable(), nil
	case name != AVX2 && name != AVX512:
		return nil, &UnknownSIMDError{name}
	case best == Off || best == AVX2 && name == AVX512:
		return nil, &MissingSIMDError{name, best}
	}
	return vectorized(name), nil
}

// Sets returns every set of kernels that the host's processor can run, the portable one
// first.
func Sets() []*Kernels {
	var list []*Kernels
	for _, name := range []string{Off, AVX2, AVX512} {
		if k, err := Find(name); err == nil {
			list = append(list, k)
		}
	}
	return list
}

// UnknownSIMDError names a set of kernels that does not exist.
type UnknownSIMDError struct{ Name string }

func (e *UnknownSIMDError) Error() string {
	return fmt.Sprintf("unknown SIMD setting %q: want %s", e.Name, strings.Join([]string{Off, AVX2}, ", ")+" or "+AVX512)
}

// MissingSIMDError names a set of kernels that the host's processor cannot run.
type MissingSIMDError struct{ Name, Best string }

func (e *MissingSIMDError) Error() string {
	return fmt.Sprintf("this processor cannot run %s: the most it can is %s", e.Name, e.Best)
}
