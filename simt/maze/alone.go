package maze

import (
	"encoding/binary"
	"fmt"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Alone walks every thread of a random maze through the code by itself, from barrier to
// barrier, and returns what they leave and which way they go. It is written from the
// description of the machine, shares nothing with the engine or the policies, and knows only
// the instructions that random mazes are made of.
func (m *Maze) Alone() (*Outcome, error) {
	o := &Outcome{Memory: make([]byte, m.Grid*maxBlock*slotBytes), Paths: &Paths{blocks: map[[2]int]*threads{}}}
	for b := range m.Grid {
		w := walk{m: m, memory: o.Memory, block: uint32(b)}
		list := make([]walker, m.Block)
		for i := range list {
			list[i].regs[regThread] = uint32(i)
		}
		for going := true; going; {
			going = false
			for i := range list {
				if list[i].ended {
					continue
				}
				if err := w.phase(&list[i]); err != nil {
					return nil, fmt.Errorf("thread %d of block %d alone: %w", i, b, err)
				}
				going = true
			}
		}
		t := &threads{path: make([][lane.Width]path, (m.Block+lane.Width-1)/lane.Width)}
		for i := range list {
			t.path[i/lane.Width][i%lane.Width] = list[i].path
		}
		o.Paths.blocks[[2]int{b, 0}] = t
	}
	return o, nil
}

// walk is a block whose threads are walked.
type walk struct {
	m      *Maze
	memory []byte
	block  uint32
	words  [maxBlock]uint32 // that threads exchange
}

// walker is a thread on its way.
type walker struct {
	regs       [registers]uint32
	address    uint32 // $a1
	zero, sign bool   // $c0
	at         uint32 // pc
	tokens     []token
	path       path
	ended      bool
}

// token is an address announced for a break, or for the return of a call.
type token struct {
	to   uint32
	call bool
}

// enough is more instructions than a thread of a maze executes.
const enough = 1 << 20

// phase takes a thread to its next barrier or its end.
func (w *walk) phase(t *walker) error {
	for t.path.steps < enough {
		i := int(t.at / size)
		if i >= len(w.m.Code) {
			return fmt.Errorf("no instruction at pc 0x%x", t.at)
		}
		in := &w.m.Code[i]
		t.path.step(t.at)
		t.at += size
		if err := w.execute(t, in); err != nil {
			return err
		}
		t.ended = t.ended || in.Marker == tesla.MarkerExit
		if t.ended || in.Op == tesla.OpBar {
			return nil
		}
	}
	return fmt.Errorf("more than %d instructions", enough)
}

func (w *walk) execute(t *walker, in *tesla.Instruction) error {
	a, err := w.value(t, in.Src[0])
	if err != nil {
		return err
	}
	b, err := w.value(t, in.Src[1])
	if err != nil {
		return err
	}
	if compute := results[in.Op]; compute != nil {
		t.set(in, compute(in, a, b))
		return nil
	}
	act := actions[in.Op]
	if act == nil {
		return fmt.Errorf("mazes have no %s", in.Op)
	}
	if !t.holds(in.Guard.Cond) {
		return nil
	}
	return act(w, t, in, a, b)
}

// results are the instructions that compute something of two operands.
var results = map[tesla.Op]func(in *tesla.Instruction, a, b uint32) uint32{
	tesla.OpMov:      func(_ *tesla.Instruction, a, _ uint32) uint32 { return a },
	tesla.OpLdShared: func(_ *tesla.Instruction, a, _ uint32) uint32 { return a },
	tesla.OpIAdd:     func(_ *tesla.Instruction, a, b uint32) uint32 { return a + b },
	tesla.OpShl:      func(_ *tesla.Instruction, a, b uint32) uint32 { return a << b },
	tesla.OpShr:      func(_ *tesla.Instruction, a, b uint32) uint32 { return a >> b },
	tesla.OpLogic: func(in *tesla.Instruction, a, b uint32) uint32 {
		return map[tesla.Logic]uint32{tesla.And: a & b, tesla.Or: a | b, tesla.Xor: a ^ b}[in.Logic]
	},
}

// actions are the other instructions, for a thread whose guard holds.
var actions = map[tesla.Op]func(w *walk, t *walker, in *tesla.Instruction, a, b uint32) error{
	tesla.OpNop:    nothing,
	tesla.OpBar:    nothing,
	tesla.OpJoinAt: nothing,
	tesla.OpShlToAddr: func(_ *walk, t *walker, _ *tesla.Instruction, a, b uint32) error {
		t.address = a << b
		return nil
	},
	tesla.OpStShared: func(w *walk, t *walker, _ *tesla.Instruction, _, b uint32) error {
		to, err := at(w.words[:], t.address)
		if err == nil {
			*to = b
		}
		return err
	},
	tesla.OpStGlobal: func(w *walk, t *walker, in *tesla.Instruction, _, b uint32) error {
		to := t.regs[in.Src[0].Value]
		if uint64(to)+4 > uint64(len(w.memory)) {
			return fmt.Errorf("no slot at 0x%x", to)
		}
		binary.LittleEndian.PutUint32(w.memory[to:], b)
		return nil
	},
	tesla.OpBra:         func(_ *walk, t *walker, in *tesla.Instruction, _, _ uint32) error { return t.goTo(in.Target) },
	tesla.OpBraIndirect: func(_ *walk, t *walker, _ *tesla.Instruction, a, _ uint32) error { return t.goTo(a) },
	tesla.OpBreakAddr: func(_ *walk, t *walker, in *tesla.Instruction, _, _ uint32) error {
		return t.announce(token{in.Target, false})
	},
	tesla.OpPreRet: func(_ *walk, t *walker, in *tesla.Instruction, _, _ uint32) error {
		return t.announce(token{in.Target, true})
	},
	tesla.OpCall: func(_ *walk, t *walker, in *tesla.Instruction, _, _ uint32) error {
		t.tokens = append(t.tokens, token{t.at, true})
		return t.goTo(in.Target)
	},
	tesla.OpBreak: func(_ *walk, t *walker, _ *tesla.Instruction, _, _ uint32) error {
		if !t.leave(false) {
			return fmt.Errorf("a break leads nowhere, behind pc 0x%x", t.at-size)
		}
		return nil
	},
	tesla.OpRet: func(_ *walk, t *walker, _ *tesla.Instruction, _, _ uint32) error {
		t.ended = !t.leave(true)
		return nil
	},
}

func nothing(*walk, *walker, *tesla.Instruction, uint32, uint32) error { return nil }

func (t *walker) goTo(pc uint32) error {
	t.at = pc
	return nil
}

func (t *walker) announce(to token) error {
	t.tokens = append(t.tokens, to)
	return nil
}

// value returns what an operand holds. Of shared memory that is the block's number, the
// address of the slots, which is 0 here, or a word of some thread.
func (w *walk) value(t *walker, o tesla.Operand) (uint32, error) {
	word, err := new(uint32), error(nil)
	switch {
	case o.Kind == tesla.Imm:
		word = &o.Value
	case o.Kind == tesla.Reg:
		word = &t.regs[o.Index]
	case o.Kind == tesla.Const:
		word, err = at(w.m.Table, t.address+o.Value)
	case o.Kind == tesla.Shared && o.Base != 0:
		word, err = at(w.words[:], t.address)
	case o.Kind == tesla.Shared && o.Value != parameter:
		word = &w.block
	}
	if err != nil {
		return 0, err
	}
	return *word, nil
}

// at returns the word at a byte address of a table.
func at(table []uint32, address uint32) (*uint32, error) {
	if address%4 != 0 || int(address/4) >= len(table) {
		return nil, fmt.Errorf("no word at 0x%x", address)
	}
	return &table[address/4], nil
}

// set writes a result, and the flags if the instruction says so.
func (t *walker) set(in *tesla.Instruction, v uint32) {
	t.regs[in.Dst.Index] = v
	if in.CDst != tesla.NoCond {
		t.zero, t.sign = v == 0, int32(v) < 0
	}
}

// holds evaluates a guard; one that mazes do not use holds.
func (t *walker) holds(c tesla.Cond) bool {
	switch c {
	case equal:
		return t.zero
	case different:
		return !t.zero
	case lessEqual:
		return t.zero || t.sign
	case greater:
		return !t.zero && !t.sign
	}
	return true
}

// leave goes where the innermost token of a kind leads. A return passes by the breaks announced
// since its call; a break does not leave a call.
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
