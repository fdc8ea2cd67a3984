package maze

import (
	"encoding/binary"
	"errors"
	"strings"

	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/mem"
)

// watchdog is more than a maze issues with each lane alone.
const watchdog = 1 << 22

// Reference is the policy that runs each lane alone. Paths in kernels that are no mazes are
// compared with paths under it; in mazes it is itself compared with each thread walked alone.
const Reference = "mimd"

// Outcome is the result of a run.
type Outcome struct {
	Memory []byte // the slots of the threads
	Paths  *Paths
	Stats  *simt.Stats

	ways [][]way // of the threads of each block, if they were walked alone
}

// Run runs the maze, as program p, under a policy and on one core. It observes the paths of the
// lanes, and whether the maze looks like code that relies on lanes running in lockstep.
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

// Watch runs the maze under a policy with an observer.
func (m *Maze) Watch(policy string, watcher simt.Observer) (*simt.Stats, error) {
	return m.With(policy, func(l *simt.Launch) { l.Observer = watcher })
}

// With runs the maze under a policy, after set has changed the launch.
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

// Refusal returns the reason if err says that a policy cannot run a kernel, or that its control
// state overflowed. Other errors are failures.
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
