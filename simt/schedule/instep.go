package schedule

import "jacquard/simt/check"

// InStep says whether a launch looks for code that relies on the lanes of a warp running in
// step. Old code leaves out the barrier between lanes of one warp that pass values through
// memory, because hardware runs them together; a policy that does not gives such
// code other results.
type InStep uint8

// The settings.
const (
	InStepAuto InStep = iota // under policies that may run lanes apart that stand together
	InStepOn                 // under every policy
	InStepOff
)

// askInStep has the convoy looked at, if its launch asks for that.
func (c *convoy) askInStep() {
	l, loose := c.g.l, c.g.scheme.loose
	c.inStep, c.st.Hook = nil, nil
	if l.InStep == InStepOff || l.InStep == InStepAuto && !loose {
		return
	}
	policy := ""
	if loose {
		policy = l.Policy
	}
	c.inStep = check.NewInStep(c.st, policy)
	c.st.Hook = c.inStep
}
