package simt

import (
	"sync"

	"jacquard/simt/branch"
	"jacquard/simt/engine"
	"jacquard/simt/engine/interp"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
)

// What users of a launch need of the packages below this one.
type (
	Kernel      = program.Kernel
	Modes       = program.Modes
	Effects     = program.Effects
	Plan        = program.Plan
	Refusal     = program.Refusal
	LaunchError = program.LaunchError
	Fault       = machine.Fault
	FaultKind   = machine.FaultKind
	Overrun     = machine.Overrun
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

// RefusedKind returns the fault of an instruction that cannot run.
func RefusedKind(r *Refusal) FaultKind { return machine.RefusedKind(r) }

// Program is a kernel made ready to run. It may serve many launches, at the same time too.
type Program struct {
	*program.Program
	code     engine.Code
	prepared sync.Map // by Launch.Policy: a prepared
}

// Lower makes a program of a decoded kernel. It fails if the kernel's resources are
// impossible, with a *LaunchError, or if the host cannot do what SIMD asks for, with an
// error of package lane. Encodings that cannot execute become instructions that fault.
func Lower(k Kernel) (*Program, error) { return LowerFor(k, interp.Compile) }

// LowerFor is Lower for another engine than the usual one. Its errors are those of compile too.
func LowerFor(k Kernel, compile func(*program.Program) (engine.Code, error)) (*Program, error) {
	p, err := program.Lower(k)
	if err != nil {
		return nil, err
	}
	code, err := compile(p)
	if err != nil {
		return nil, err
	}
	return &Program{Program: p, code: code}, nil
}

// SIMD returns the name of the vector instructions that the program computes with.
func (p *Program) SIMD() string { return p.code.SIMD() }

// CheckSIMD returns the error with which Lower refuses a value of Kernel.SIMD, nil if it
// takes it.
func CheckSIMD(name string) error {
	_, err := lane.Find(name)
	return err
}

// prepared is a divergence policy that has read the program.
type prepared struct {
	newPolicy func() branch.Policy // one per block
	loose     bool                 // see branch.Scheme
	mixes     bool                 // see branch.Policy
	forks     []bool               // by instruction: a fork begins there that the policy knows
	workers   *sync.Pool           // that launches under it left
}

// policies prepares the divergence policy that text names. What the policy has learnt from
// the code is kept for later launches.
func (p *Program) policies(text string) (prepared, error) {
	if known, ok := p.prepared.Load(text); ok {
		return known.(prepared), nil
	}
	scheme, err := branch.Find(text)
	if err != nil {
		return prepared{}, err
	}
	newPolicy, err := scheme.Prepare(&branch.Kernel{Code: p.Outline(), Graph: p.Graph})
	if err != nil {
		return prepared{}, err
	}
	policy := newPolicy()
	ready := prepared{newPolicy, scheme.Loose, policy.Mixes(), p.ForksFor(policy), new(sync.Pool)}
	p.prepared.Store(text, ready)
	return ready, nil
}
