package random

import (
	"slices"

	"jacquard/simt/branch"
	"jacquard/simt/engine/reference"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// trial is a straight kernel on its way: the reference engine tries instructions on it.
type trial struct {
	k      *Kernel
	space  *mem.Space
	blocks []*machine.State
	alive  []lane.Sel // by block: the threads that have not ended
}

// newTrial returns a kernel before its first instruction. The program names the address registers
// of the code to come.
func newTrial(k *Kernel, p *program.Program) (*trial, error) {
	space, err := k.Space()
	if err != nil {
		return nil, err
	}
	t := &trial{k: k, space: space}
	start := reference.Start{Program: p, Grid: k.Grid, Block: k.Block, Params: k.Params}
	start.Memory = machine.Grid{Global: space, Const: &k.Const, Textures: k.Textures}
	for b := range k.Grid[0] {
		st, all := start.State(b, 0)
		t.blocks, t.alive = append(t.blocks, st), append(t.alive, all)
	}
	return t, nil
}

// over reports whether every thread has ended.
func (t *trial) over() bool {
	return !slices.ContainsFunc(t.alive, func(s lane.Sel) bool { return s.N > 0 })
}

// step executes an instruction in all threads. It returns the fault if one did wrong; the kernel
// stands where it was then.
func (t *trial) step(in tesla.Instruction) (*machine.Fault, error) {
	k := t.k.Kernel
	k.Code = []tesla.Instruction{in}
	p, err := program.Lower(k)
	if err != nil {
		return nil, err
	}
	before := t.save()
	for b, st := range t.blocks {
		if f := t.stepBlock(b, st, &p.Code[0]); f != nil {
			t.restore(before)
			return f, nil
		}
	}
	return nil, nil
}

func (t *trial) stepBlock(b int, st *machine.State, u *program.Op) *machine.Fault {
	s := t.alive[b]
	if u.Guarded {
		s = reference.Guard(st, u, &s)
	}
	switch {
	case s.N == 0:
	case u.Event == branch.Return:
		t.alive[b] = without(t.alive[b], s)
	case u.Acts && !reference.Step(st, u, &s):
		return st.Caught()
	}
	return nil
}

// without returns the lanes of s that are not in gone.
func without(s, gone lane.Sel) lane.Sel {
	left := lane.Sel{Full: true}
	for k, w := range s.Warp[:s.N] {
		m := s.Mask[k]
		for i, v := range gone.Warp[:gone.N] {
			if v == w {
				m &^= gone.Mask[i]
			}
		}
		if m != 0 {
			left.Add(int(w), m)
		}
	}
	return left
}

// saved is the state that an instruction can change, apart from locks.
type saved struct {
	memory []byte
	files  []machine.File
	shared [][]byte
	alive  []lane.Sel
}

func (t *trial) save() *saved {
	v := &saved{memory: slices.Clone(t.space.Reach(Base)), alive: slices.Clone(t.alive)}
	for _, st := range t.blocks {
		v.files = append(v.files, st.File.Clone())
		v.shared = append(v.shared, slices.Clone(st.Shared.Bytes()))
	}
	return v
}

func (t *trial) restore(v *saved) {
	copy(t.space.Reach(Base), v.memory)
	t.alive = v.alive
	for b, st := range t.blocks {
		st.File = v.files[b]
		copy(st.Shared.Bytes(), v.shared[b])
	}
}
