package simt

import (
	"errors"

	"jacquard/simt/branch"
	"jacquard/simt/check"
	"jacquard/simt/count"
	"jacquard/simt/engine"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/simt/schedule"
	"jacquard/simt/watch"
	"jacquard/tesla"
)

// Code and launches.
type (
	Kernel      = program.Kernel
	Host        = program.Host
	Modes       = program.Modes
	Program     = schedule.Program
	Effects     = program.Effects
	Plan        = program.Plan
	Refusal     = program.Refusal
	Launch      = schedule.Launch
	LaunchError = program.LaunchError
	Pool        = schedule.Pool
	Signals     = schedule.Signals
)

// Statistics.
type (
	Stats            = count.Stats
	InstructionStats = count.InstructionStats
	Operands         = count.Operands
	Costs            = count.Costs
	Outcomes         = count.Outcomes
	Arbiter          = count.Arbiter
	Executed         = count.Executed
)

// Slots is the number of groups of eight lanes: see count.Slots.
const Slots = count.Slots

// Listeners.
type (
	Observer      = watch.Observer
	BlockObserver = watch.BlockObserver
	Block         = watch.Block
	Issue         = watch.Issue
	WarpIssue     = watch.WarpIssue
	Recorder      = watch.Recorder
	BlockRecorder = watch.BlockRecorder
	Stretch       = watch.Stretch
	Values        = watch.Values
)

// What a kernel does wrong, or gets away with on hardware.
type (
	Fault         = machine.Fault
	FaultKind     = machine.FaultKind
	Overrun       = machine.Overrun
	MissedBarrier = check.MissedBarrier
	Dependence    = check.Dependence
	InStep        = schedule.InStep
	Order         = schedule.Order
)

// The settings of Launch.InStep.
const (
	InStepAuto = schedule.InStepAuto
	InStepOn   = schedule.InStepOn
	InStepOff  = schedule.InStepOff
)

// The settings of Launch.Order.
const (
	OrderTurns       = schedule.OrderTurns
	OrderInstruction = schedule.OrderInstruction
)

// The kinds of fault. The driver turns each into a CUDA error in one table.
const (
	FaultIllegalInstruction = machine.FaultIllegalInstruction
	FaultIllegalAddress     = machine.FaultIllegalAddress
	FaultMisaligned         = machine.FaultMisaligned
	FaultInvalidPC          = machine.FaultInvalidPC
	FaultStack              = machine.FaultStack
	FaultTrap               = machine.FaultTrap
	FaultBarrier            = machine.FaultBarrier
	FaultLivelock           = machine.FaultLivelock
	FaultWatchdog           = machine.FaultWatchdog
	FaultInterrupt          = machine.FaultInterrupt
	FaultUnsupported        = machine.FaultUnsupported
	FaultInternal           = machine.FaultInternal
)

// Lower makes a program of a decoded kernel. It fails if the kernel's resources are
// impossible, with a *LaunchError, or if the host cannot do what Kernel.Host asks for, with
// an error of CheckSIMD or CheckEngine. Encodings that cannot execute become instructions
// that fault.
func Lower(k Kernel) (*Program, error) {
	if err := CheckEngine(k.Host); err != nil {
		return nil, err
	}
	return LowerFor(k, engines[k.Host.Engine])
}

// LowerFor is Lower for another engine. It also returns errors of compile.
func LowerFor(k Kernel, compile func(*program.Program) (engine.Code, error)) (*Program, error) {
	p, err := program.Lower(k)
	if err != nil {
		return nil, err
	}
	code, err := compile(p)
	if err != nil {
		return nil, err
	}
	return schedule.NewProgram(p, code), nil
}

// ParseOrder returns the order of a word, as Order.String gives it.
func ParseOrder(text string) (Order, error) { return schedule.ParseOrder(text) }

// RefusedKind returns the kind of fault of an instruction that cannot run.
func RefusedKind(r *Refusal) FaultKind { return machine.RefusedKind(r) }

// Run runs a launch and returns what it counted. The error is a *LaunchError if the device refuses
// the launch (then the Stats are nil), a *Fault if the kernel faulted (the Stats then say
// Incomplete), a *branch.RefusedError if the policy cannot run the kernel, or a
// *branch.UnknownPolicyError or *branch.OptionError.
func Run(l *Launch) (*Stats, error) { return schedule.Run(l) }

// RefusedError says that the divergence policy of a launch cannot run its kernel.
type RefusedError = branch.RefusedError

// WantPolicy returns "" if Launch.Policy takes text: a divergence policy with options of its own.
// Otherwise it returns the values that text could have, in words.
func WantPolicy(text string) string {
	_, err := branch.Find(text)
	var option *branch.OptionError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &option):
		return option.Want()
	}
	return tesla.Alternatives(Policies())
}

// WarpLanes returns how many lanes a warp has under a policy, as Launch.Policy takes it: fewer than 32
// with the option warp; 0 if there is no such policy.
func WarpLanes(policy string) int {
	c, _ := branch.Find(policy)
	return c.Warp
}

// Policies returns the names of the divergence policies, the default first.
func Policies() (names []string) {
	for _, s := range branch.Policies() {
		names = append(names, s.Name)
	}
	return names
}
