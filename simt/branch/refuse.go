package branch

import "fmt"

// RefusedError says that a scheme cannot run a kernel.
type RefusedError struct {
	Policy string // Scheme.Prepare fills it in
	PC     uint32 // of the instruction that cannot be run
	Reason string
}

// Error names the policy, the reason and the place.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("divergence policy %s cannot run this kernel: %s at pc 0x%x", e.Policy, e.Reason, e.PC)
}
