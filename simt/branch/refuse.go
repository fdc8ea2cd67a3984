package branch

import "fmt"

// Instruction is what a scheme may know of an instruction before a kernel runs: its place
// and its control event.
type Instruction struct {
	PC, Next uint32
	Kind     EventKind // 0 if it is no control instruction
	Target   uint32    // of those that have one in the code
	Indirect bool      // the target is known only when it runs
	Guarded  bool      // not all active lanes may take part
	Join     bool      // it carries the join marker
}

// RefusedError says that a scheme cannot run a kernel.
type RefusedError struct {
	Policy string
	PC     uint32 // of the instruction that cannot be run
	Reason string
}

// Error names the policy, the reason and the place.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("divergence policy %s cannot run this kernel: %s at pc 0x%x", e.Policy, e.Reason, e.PC)
}
