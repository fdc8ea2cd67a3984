package branch

import (
	"fmt"

	"jacquard/simt/cfg"
)

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

// refuseCalls refuses a kernel that calls or announces a return.
func refuseCalls(k *Kernel) error {
	for _, in := range k.Code {
		if in.Kind == Call || in.Kind == PreReturn {
			return &RefusedError{PC: in.PC, Reason: "it has no place for the return address of the call"}
		}
	}
	return nil
}

// refuseUnknown refuses a kernel in which some way that lanes can go is not known.
func refuseUnknown(g *cfg.Graph, why string) error {
	for _, p := range g.Problems {
		if p.Kind == cfg.Indirect || p.Kind == cfg.TooManyBreaks {
			return &RefusedError{PC: p.PC, Reason: fmt.Sprintf("%s, and the instruction %s", why, p.Kind)}
		}
	}
	return nil
}
