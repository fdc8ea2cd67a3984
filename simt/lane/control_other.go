//go:build !amd64 && !386

package lane

// Unverified: whether programs on other processors change the floating-point control register of
// their threads. This function leaves it unchanged.
func exchangeControl(control uint32) (was uint32) { return control }

const plainControl = 0
