//go:build !amd64

package lane

// hostSIMD returns the name of the best set of kernels for this processor.
func hostSIMD() string { return Off }

// vectorized returns the set of that name; hostSIMD must support it.
func vectorized(string) *Kernels { return portable() }
