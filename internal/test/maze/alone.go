package maze

import (
	"encoding/binary"
	"fmt"

	"jacquard/simt/engine/reference"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// Alone walks every thread of a random maze through the code by itself, from barrier to barrier,
// and returns the memory that the threads leave and their paths. It shares nothing with the
// policies: the reference engine executes straight instructions, and control flow is written here
// from docs/isa/control.md.
func (m *Maze) Alone() (*Outcome, error) {
	k, err := m.Kernel()
	if err != nil {
		return nil, err
	}
	p, err := program.Lower(k)
	if err != nil {
		return nil, err
	}
	space := mem.NewSpace(1 << 20)
	at, err := space.Alloc(uint64(m.MemoryBytes()))
	if err != nil {
		return nil, err
	}
	start := reference.Start{
		Program: p, Grid: [2]int{m.Grid, 1}, Block: [3]int{m.Block, 1, 1},
		Params: binary.LittleEndian.AppendUint32(nil, at),
		Memory: machine.Grid{Global: space, Const: &[16][]byte{m.Constants()}},
	}
	o := &Outcome{Paths: &Paths{blocks: map[[2]int]*threads{}}}
	for b := range m.Grid {
		list, err := m.walkBlock(&start, b)
		if err != nil {
			return nil, err
		}
		t := &threads{path: make([][lane.Width]path, m.warps())}
		ways := make([]way, len(list))
		for i := range list {
			t.path[i/lane.Width][i%lane.Width] = list[i].path
			ways[i] = list[i].way
		}
		o.Paths.blocks[[2]int{b, 0}] = t
		o.ways = append(o.ways, ways)
	}
	o.Memory = space.Reach(at)[:m.MemoryBytes()]
	return o, nil
}

// walkBlock walks the threads of a block: each in turn to its next barrier, until all have ended.
func (m *Maze) walkBlock(start *reference.Start, b int) ([]walker, error) {
	st, _ := start.State(b, 0)
	list := make([]walker, m.Block)
	for i := range list {
		list[i].st = st
		list[i].self.Add(i/lane.Width, 1<<(i%lane.Width))
	}
	for going := true; going; {
		going = false
		for i := range list {
			if list[i].ended {
				continue
			}
			if err := list[i].phase(); err != nil {
				return nil, fmt.Errorf("thread %d of block %d alone: %w", i, b, err)
			}
			going = true
		}
	}
	return list, nil
}

// walker is a thread on its way.
type walker struct {
	st     *machine.State // of its block
	self   lane.Sel
	at     uint32 // pc
	tokens []token
	path   path
	way    way
	ended  bool
}

// way is the instructions that a thread comes through, in order.
type way []stride

// stride is an instruction on a way.
type stride struct {
	pc    uint32
	holds bool // its guard holds
}

// token is an address announced for a break, or for the return of a call.
type token struct {
	to   uint32
	call bool
}

// stepLimit is more instructions than a thread of a maze executes.
const stepLimit = 1 << 20

// phase takes the thread to its next barrier or its end.
func (t *walker) phase() error {
	for t.path.steps < stepLimit {
		i, ok := t.st.Program.Index(t.at)
		if !ok {
			return fmt.Errorf("no instruction at pc 0x%x", t.at)
		}
		u := &t.st.Program.Code[i]
		t.path.step(t.at)
		t.at = u.Next
		s := reference.Guard(t.st, u, &t.self)
		t.way = append(t.way, stride{u.PC, s.N > 0})
		if s.N > 0 {
			if err := t.execute(u); err != nil {
				return err
			}
		}
		t.ended = t.ended || u.Ins.Marker == tesla.MarkerExit
		if t.ended || u.Ins.Op == tesla.OpBar {
			return nil
		}
	}
	return fmt.Errorf("more than %d instructions", stepLimit)
}

// execute carries out an instruction whose guard holds (docs/isa/control.md).
func (t *walker) execute(u *program.Op) error {
	in := u.Ins
	switch in.Op {
	case tesla.OpBar, tesla.OpJoinAt: // without effect on one thread
	case tesla.OpBra:
		t.at = in.Target
	case tesla.OpBreakAddr:
		t.tokens = append(t.tokens, token{in.Target, false})
	case tesla.OpPreRet:
		t.tokens = append(t.tokens, token{in.Target, true})
	case tesla.OpCall:
		t.tokens = append(t.tokens, token{t.at, true})
		t.at = in.Target
	case tesla.OpBreak:
		if !t.leave(false) {
			return fmt.Errorf("a break leads nowhere, after pc 0x%x", u.PC)
		}
	case tesla.OpRet:
		t.ended = !t.leave(true)
	default:
		if !reference.Step(t.st, u, &t.self) {
			t.st.Locate(u, 0)
			return t.st.Caught()
		}
		if in.Op == tesla.OpBraIndirect {
			t.at = t.st.Indirect[t.self.Warp[0]].Target
		}
	}
	return nil
}

// leave goes where the innermost token of a kind leads, and reports whether there is one. A return
// skips the breaks announced since its call; a break does not leave a call.
func (t *walker) leave(call bool) bool {
	for n := len(t.tokens) - 1; n >= 0; n-- {
		last := t.tokens[n]
		if last.call && !call {
			return false
		}
		t.tokens = t.tokens[:n]
		if last.call == call {
			t.at = last.to
			return true
		}
	}
	return false
}
