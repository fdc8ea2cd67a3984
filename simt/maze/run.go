package maze

import (
	"encoding/binary"
	"errors"
	"strings"

	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/mem"
)

// watchdog is far beyond what a maze issues, with each lane alone.
const watchdog = 1 << 22

// Reference is the policy that runs each lane alone: paths in kernels that are no mazes are
// compared with those under it. In mazes it is itself compared with each thread walked alone.
const Reference = "mimd"

// Outcome is what a run left behind.
type Outcome struct {
	Memory []byte // the slots of the threads
	Paths  *Paths
	Stats  *simt.Stats
}

// Run runs the maze, which p was made of, under a policy, on one core and watched: what its
// lanes do, and whether it looks like code that relies on lanes running in step.
func (m *Maze) Run(p *simt.Program, policy string) (*Outcome, error) {
	paths := &Paths{}
	o, err := m.run(p, policy, func(l *simt.Launch) {
		l.Observer, l.InStep, l.Workers = paths, simt.InStepOn, 1
	})
	if err == nil {
		o.Paths = paths
	}
	return o, err
}

// fast runs the maze as programs run it: nobody watches, blocks run at the same time. The
// outcome has no paths.
func (m *Maze) fast(p *simt.Program, policy string) (*Outcome, error) {
	return m.run(p, policy, func(l *simt.Launch) {
		l.InStep, l.Workers, l.Watchdog = simt.InStepOff, m.Grid, 0
	})
}

// Watch runs the maze under a policy with an observer.
func (m *Maze) Watch(policy string, watcher simt.Observer) (*simt.Stats, error) {
	return m.With(policy, func(l *simt.Launch) { l.Observer = watcher })
}

// With runs the maze under a policy, the launch being as set leaves it.
func (m *Maze) With(policy string, set func(*simt.Launch)) (*simt.Stats, error) {
	p, err := m.Program()
	if err != nil {
		return nil, err
	}
	o, err := m.run(p, policy, set)
	if err != nil {
		return nil, err
	}
	return o.Stats, nil
}

// run runs the maze after set has changed the launch.
func (m *Maze) run(p *simt.Program, policy string, set func(*simt.Launch)) (*Outcome, error) {
	space := mem.NewSpace(1 << 20)
	length := uint64(m.MemoryBytes())
	at, err := space.Alloc(length)
	if err != nil {
		return nil, err
	}
	l := &simt.Launch{
		Program: p, Grid: [2]int{m.Grid, 1}, Block: [3]int{m.Block, 1, 1},
		Params: binary.LittleEndian.AppendUint32(nil, at), Global: space,
		Policy: policy, Watchdog: watchdog,
	}
	l.Const[0] = m.Constants()
	set(l)
	o := &Outcome{}
	if o.Stats, err = simt.Run(l); err != nil {
		return nil, err
	}
	o.Memory, err = space.Bytes(at, length)
	return o, err
}

// Refusal returns the reason if err says that a policy cannot run a kernel, or ran out of
// room for its control state. Other errors are failures.
func Refusal(err error) (reason string, refused bool) {
	var r *branch.RefusedError
	var f *simt.Fault
	switch {
	case errors.As(err, &r):
		return r.Reason, true
	case errors.As(err, &f) && f.Kind == simt.FaultStack && strings.Contains(f.Detail, "overflow"):
		return f.Detail, true
	}
	return "", false
}
