package simt

import (
	"jacquard/simt/count"
	"jacquard/simt/engine"
	"jacquard/simt/engine/interp"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/simt/schedule"
	"jacquard/tesla"
)

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
	return schedule.NewProgram(p, code), nil
}

// CheckSIMD returns the error with which Lower refuses a value of Kernel.SIMD, nil if it
// takes it.
func CheckSIMD(name string) error {
	_, err := lane.Find(name)
	return err
}

// ByExactness splits the warp- and thread-instructions of a launch of p by how certain
// it is that they did what hardware does. They add up to the totals of s, and to nothing
// if s counted nothing.
func ByExactness(p *Program, s *Stats) [tesla.Exactnesses]Executed {
	return count.ByExactness(p.Program, s)
}

// LimitsOf returns the limits of a target.
func LimitsOf(a tesla.Arch) Limits { return schedule.LimitsOf(a) }

// RefusedKind returns the fault of an instruction that cannot run.
func RefusedKind(r *Refusal) FaultKind { return machine.RefusedKind(r) }

// Run carries out a launch and returns what it counted. The error is a *LaunchError if
// the device refuses the launch (then the Stats are nil), a *Fault if the kernel
// misbehaved (the Stats then say Incomplete), a *branch.RefusedError if the policy cannot
// run the kernel, or a *branch.UnknownPolicyError or *branch.OptionError.
func Run(l *Launch) (*Stats, error) { return schedule.Run(l) }
