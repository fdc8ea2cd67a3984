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
	space := mem.NewSpace(1 << 20)
	length := uint64(m.Grid * maxBlock * slotBytes)
	at, err := space.Alloc(length)
	if err != nil {
		return nil, err
	}
	l := &simt.Launch{
		Program: p, Grid: [2]int{m.Grid, 1}, Block: [3]int{m.Block, 1, 1},
		Params: binary.LittleEndian.AppendUint32(nil, at), Global: space,
		Policy: policy, Watchdog: watchdog,
	}
	l.Const[0] = m.constants()
	paths := &Paths{}
	l.Observer = paths
	stats, err := simt.Run(l)
	if err != nil {
		return nil, err
	}
	memory, err := space.Bytes(at, length)
	if err != nil {
		return nil, err
	}
	return &Outcome{Memory: memory, Paths: paths, Stats: stats}, nil
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
