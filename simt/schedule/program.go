package schedule

import (
	"sync"

	"jacquard/simt/branch"
	"jacquard/simt/engine"
	"jacquard/simt/program"
)

// Program is a lowered kernel with an engine's code for it. Several launches may use it at the same
// time.
type Program struct {
	*program.Program
	code     engine.Code
	prepared sync.Map // by Launch.Policy: a prepared
}

// NewProgram makes a Program of a lowered kernel and an engine's code for it.
func NewProgram(p *program.Program, code engine.Code) *Program {
	return &Program{Program: p, code: code}
}

// SIMD returns the name of the vector instructions that the program computes with.
func (p *Program) SIMD() string { return p.code.SIMD() }

// prepared is a divergence policy that has read the program.
type prepared struct {
	newPolicy func() branch.Policy // one per block at work
	loose     bool                 // see branch.Choice
	warp      int                  // lanes per warp
	forks     []bool               // by instruction: the policy knows the fork that begins there
	depths    []int                // see branch.Nested
	workers   *sync.Pool           // of earlier launches under the policy
	grids     *sync.Pool           // of earlier launches under the policy
}

// policies prepares the divergence policy named text, once for all launches.
func (p *Program) policies(text string) (prepared, error) {
	if known, ok := p.prepared.Load(text); ok {
		return known.(prepared), nil
	}
	choice, err := branch.Find(text)
	if err != nil {
		return prepared{}, err
	}
	newPolicy, err := choice.Prepare(&branch.Kernel{Code: p.Outline(), Graph: p.Graph})
	if err != nil {
		return prepared{}, err
	}
	policy := newPolicy()
	ready := prepared{newPolicy, choice.Loose, choice.Warp, p.ForksFor(policy), nil, new(sync.Pool), new(sync.Pool)}
	if n, ok := policy.(branch.Nested); ok {
		ready.depths = n.Depths()
	}
	p.prepared.Store(text, ready)
	return ready, nil
}
