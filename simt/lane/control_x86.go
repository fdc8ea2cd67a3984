//go:build amd64 || 386

package lane

// exchangeControl writes the thread's SSE control register and returns the old value.
//
//go:noescape
func exchangeControl(control uint32) (was uint32)

// plainControl is the control register in Go's mode: rounding to nearest, denormal numbers
// unchanged, no traps.
const plainControl = 0x1f80
