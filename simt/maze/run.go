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

// Reference is the policy whose paths are right by definition: it runs each lane alone.
const Reference = "mimd"

// Outcome is what a run left behind.
type Outcome struct {
	Memory []byte // the slots of the threads
	Paths  *Paths
	Stats  *simt.Stats
}

// Run runs the maze, which p was made of, under a policy.
func (m *Maze) Run(p *simt.Program, policy string) (*Outcome, error) {
	o := &Outcome{Paths: &Paths{}}
	l, at, err := m.launch(p, policy, o.Paths)
	if err != nil {
		return nil, err
	}
	if o.Stats, err = simt.Run(l); err != nil {
		return nil, err
	}
	o.Memory, err = l.Global.Bytes(at, m.slots())
	return o, err
}

// Watch runs the maze under a policy with an observer.
func (m *Maze) Watch(policy string, o simt.Observer) (*simt.Stats, error) {
	p, err := m.Program()
	if err != nil {
		return nil, err
	}
	l, _, err := m.launch(p, policy, o)
	if err != nil {
		return nil, err
	}
	return simt.Run(l)
}

// slots returns how many bytes the slots of all threads take.
func (m *Maze) slots() uint64 { return uint64(m.Grid * maxBlock * slotBytes) }

// launch returns a launch and the address of the slots.
func (m *Maze) launch(p *simt.Program, policy string, o simt.Observer) (*simt.Launch, uint32, error) {
	space := mem.NewSpace(1 << 20)
	at, err := space.Alloc(m.slots())
	if err != nil {
		return nil, 0, err
	}
	l := &simt.Launch{
		Program: p, Grid: [2]int{m.Grid, 1}, Block: [3]int{m.Block, 1, 1},
		Params: binary.LittleEndian.AppendUint32(nil, at), Global: space,
		Policy: policy, Watchdog: watchdog, Observer: o,
	}
	l.Const[0] = m.constants()
	return l, at, nil
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
