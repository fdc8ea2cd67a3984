//go:build !amd64

package lane

// hostSIMD returns the name of the best set of kernels for this processor.
func hostSIMD() string { return Off }

// vectorized returns the set of that name, which hostSIMD allows.
func vectorized(string) *Kernels { return portable() }
