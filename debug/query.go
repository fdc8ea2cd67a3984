package debug

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"jacquard/debug/expr"
	"jacquard/simt/branch"
)

// paths returns where the live lanes of a warp are. The warp that issues next is at its instruction.
func (b *blockWatch) paths(w int) (list []Path) {
	r := b.r
	active := uint32(0)
	if h := r.at(b); h != nil {
		if active = h.sel[w]; active != 0 {
			list = append(list, Path{Place: r.code.place(h.index), Lanes: active})
		}
	}
	for _, p := range b.view.Places(w, nil) {
		if lanes := uint32(p.Lanes) &^ active; lanes != 0 {
			list = append(list, Path{Place: r.code.placeOf(p), Lanes: lanes, Blocked: p.Blocked})
		}
	}
	return list
}

func (c *code) placeOf(p branch.Place) Place {
	place := c.place(c.index(p.PC))
	place.PC = p.PC
	return place
}

// at returns where the launch is, if it is in block b.
func (r *run) at(b *blockWatch) *here {
	if h := r.moment; h != nil && h.blockWatch == b {
		return h
	}
	return nil
}

// indexOf returns the next instruction of a lane.
func (r *run) indexOf(f Focus) int {
	b := r.blocks[f.Block]
	if b == nil {
		return 0
	}
	for _, p := range b.paths(f.Warp) {
		if p.Lanes>>f.Lane&1 != 0 {
			return r.code.index(p.PC)
		}
	}
	if h := r.here; h != nil && h.blockWatch == b && h.pos.Warp == f.Warp {
		return h.index
	}
	return int(max(b.last[f.Warp], 0))
}

// scope returns the scope of a lane in a frame.
func (r *run) scope(f Focus, frame int) (*scope, error) {
	b, err := r.block(f.Block)
	if err != nil {
		return nil, err
	}
	if f.Warp < 0 || f.Warp >= r.launch.Warps || f.Lane < 0 || f.Lane > 31 {
		return nil, fmt.Errorf("no warp %d, lane %d: a block has %d warps of 32 lanes", f.Warp, f.Lane, r.launch.Warps)
	}
	if _, ok := r.launch.Thread(f); !ok {
		return nil, fmt.Errorf("no thread in lane %d of warp %d: the block has %v threads", f.Lane, f.Warp, r.launch.Block)
	}
	return &scope{r: r, b: b, at: f, pc: r.indexOf(f), frame: frame}, nil
}

// eval returns the value of a parsed expression, and the scope of its lane.
func (r *run) eval(n *expr.Node, e Expression) (c *scope, v expr.Value, err error) {
	if c, err = r.scope(e.Focus, e.Frame); err == nil {
		v, err = n.Eval(c)
	}
	return c, v, err
}

// query calls look with the stopped launch.
func query[R any](s *Session, look func(r *run) (R, error)) (R, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.stopped()
	if err != nil {
		var none R
		return none, err
	}
	return look(r)
}

// Launch implements Target.
func (s *Session) Launch() (*Launch, error) {
	return query(s, func(r *run) (*Launch, error) { return r.launch, nil })
}

// Blocks implements Target.
func (s *Session) Blocks() ([]Block, error) {
	return query(s, func(r *run) (list []Block, err error) {
		for _, n := range slices.Sorted(maps.Keys(r.blocks)) {
			b := Block{Number: n, Index: r.launch.BlockIndex(n)}
			for w := range r.launch.Warps {
				b.Live += bits.OnesCount32(uint32(r.blocks[n].view.Live(w)))
			}
			list = append(list, b)
		}
		return list, nil
	})
}

// Warps implements Target.
func (s *Session) Warps(block int) ([]Warp, error) {
	return query(s, func(r *run) (list []Warp, err error) {
		b, err := r.block(block)
		if err != nil {
			return nil, err
		}
		lanes := b.view.Lanes()
		for w := range r.launch.Warps {
			one := Warp{Warp: w, Lanes: uint32(lanes[w]), Live: uint32(b.view.Live(w)), Paths: b.paths(w)}
			if h := r.here; h.blockWatch == b {
				one.Active, one.Here = h.sel[w], h.sel[w] != 0
			}
			for _, e := range b.view.State(w, nil) {
				entry := Entry{Kind: e.Kind.String(), PC: int64(e.PC), Lanes: uint32(e.Mask)}
				if e.PC == branch.NoStop {
					entry.PC = -1
				}
				one.Stack = append(one.Stack, entry)
			}
			list = append(list, one)
		}
		return list, nil
	})
}

// Frames implements Target.
func (s *Session) Frames(at Focus) ([]Frame, error) {
	return query(s, func(r *run) ([]Frame, error) {
		if _, err := r.scope(at, 0); err != nil {
			return nil, err
		}
		return r.frames(at), nil
	})
}

// frames returns the calls of a lane, innermost first.
func (r *run) frames(f Focus) (list []Frame) {
	list = slices.Clone(r.inlined(r.indexOf(f)))
	b := r.blocks[f.Block]
	if b == nil || !r.code.calls {
		return list
	}
	state := b.view.State(f.Warp, nil)
	for _, e := range slices.Backward(state) {
		if e.Kind == branch.CallEntry && e.Mask>>f.Lane&1 != 0 && e.PC != branch.NoStop {
			list = append(list, r.inlined(max(r.code.index(e.PC)-1, 0))...)
		}
	}
	return list
}

// Registers implements Target.
func (s *Session) Registers(at Focus) ([]Register, error) {
	return query(s, func(r *run) (list []Register, err error) {
		c, err := r.scope(at, 0)
		if err != nil {
			return nil, err
		}
		add := func(group, name string) {
			if v, err := c.Register(name); err == nil {
				list = append(list, Register{Group: group, Name: "$" + name, Value: uint32(v.Int())})
			}
		}
		for n := range r.code.p.Kernel.Registers {
			add("Registers", fmt.Sprintf("r%d", n))
		}
		for n := 1; n < 5; n++ {
			if r.code.p.Addresses>>n&1 != 0 {
				add("Addresses", fmt.Sprintf("a%d", n))
			}
		}
		for n := range 4 {
			add("Predicates", fmt.Sprintf("c%d", n))
			last := &list[len(list)-1]
			last.Text = flagText(last.Value)
		}
		for _, n := range [...]string{"pc", "warpid", "laneid", "physid"} {
			add("Special", n)
		}
		return list, nil
	})
}

// flagText names the bits of a condition register: zero, sign, carry, overflow.
func flagText(flags uint32) string {
	text := ""
	for i, c := range "ZSCO" {
		if flags>>i&1 != 0 {
			text += string(c)
		}
	}
	return "[" + text + "]"
}

// Variables implements Target.
func (s *Session) Variables(at Focus, frame int) ([]Variable, error) {
	return query(s, func(r *run) (list []Variable, err error) {
		c, err := r.scope(at, frame)
		if err != nil {
			return nil, err
		}
		if c.b.st == nil {
			return nil, nil
		}
		for _, n := range c.list() {
			v := Variable{Name: n.name, Type: n.typ.String(), Kind: n.kind}
			if value, err := c.value(&n); err != nil {
				v.Fault = "<" + strings.Trim(err.Error(), "<>") + ">"
			} else {
				v.Value = value.Format(0)
			}
			list = append(list, v)
		}
		return list, nil
	})
}

// Evaluate implements Target.
func (s *Session) Evaluate(e Expression) (*Result, error) {
	n, err := expr.Parse(e.Text)
	if err != nil {
		return nil, err
	}
	return query(s, func(r *run) (*Result, error) {
		c, v, err := r.eval(n, e)
		if err != nil {
			return nil, err
		}
		result := resultOf(v, e.Format)
		if e.Lanes {
			result.Lanes = lanesOf(r, n, e, c.b)
		}
		return result, nil
	})
}

// lanesOf returns the value of an expression in every live lane of a warp.
func lanesOf(r *run, n *expr.Node, e Expression, b *blockWatch) []string {
	list := make([]string, 32)
	live := uint32(b.view.Live(e.Focus.Warp))
	for l := range list {
		f := e.Focus
		f.Lane = l
		if c, err := r.scope(f, e.Frame); err == nil && live>>l&1 != 0 {
			if v, err := n.Eval(c); err == nil {
				list[l] = v.Format(letter(e.Format))
			} else {
				list[l] = "<" + err.Error() + ">"
			}
		}
	}
	return list
}

func letter(format string) byte {
	if format == "" {
		return 0
	}
	return format[0]
}

func resultOf(v expr.Value, format string) *Result {
	result := &Result{Text: v.Format(letter(format)), Type: v.Type.String(), Place: v.Place, Size: len(v.Data)}
	if v.Type.Kind <= expr.Pointer {
		var b [8]byte
		copy(b[:], v.Data)
		result.Bits = binary.LittleEndian.Uint64(b[:])
	}
	switch v.Type.Kind {
	case expr.Pointer:
		result.Space = v.Type.Space
	case expr.Struct:
		for _, f := range v.Type.Fields {
			if m, err := expr.Member(v, f.Name); err == nil {
				result.Fields = append(result.Fields, Variable{Name: f.Name, Value: m.Format(0), Type: m.Type.String()})
			}
		}
	case expr.Array:
		for i := range v.Type.Len {
			if m, err := expr.Element(nil, v, int64(i)); err == nil {
				result.Fields = append(result.Fields, Variable{Name: fmt.Sprintf("[%d]", i), Value: m.Format(0), Type: m.Type.String()})
			}
		}
	}
	return result
}

// Read implements Target.
func (s *Session) Read(m Memory) ([]byte, error) {
	return query(s, func(r *run) ([]byte, error) {
		c, err := r.scope(m.Focus, 0)
		if err != nil {
			return nil, err
		}
		return c.Load(m.Space, m.Address, m.Size)
	})
}

// Disassemble implements Target.
func (s *Session) Disassemble(from, count int) ([]Instruction, error) {
	return query(s, func(r *run) (list []Instruction, err error) {
		for i := max(from, 0); i < from+count && i < r.code.p.Instructions(); i++ {
			in := r.code.p.Code[i].Ins
			one := Instruction{Place: r.code.place(i), Index: i, Text: in.String()}
			for w := 0; w < int(in.Size); w += 4 {
				one.Bytes = binary.LittleEndian.AppendUint32(one.Bytes, in.Raw[w/4])
			}
			list = append(list, one)
		}
		return list, nil
	})
}

// LastWrite implements Target. It runs the launch again up to here, twice.
func (s *Session) LastWrite(e Expression) (*Writer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.stopped()
	if err != nil {
		return nil, err
	}
	w, err := writeOf(r, e)
	if err != nil {
		return nil, err
	}
	if r.before == nil {
		return nil, errNoWayBack
	}
	back := *s.stop
	c := &scan{focus: e.Focus, write: w, back: &back}
	r.trip = trip{on: true, until: r.here.pos, atEnd: r.here.ended(), scan: c}
	if _, err := s.goOn(); err != nil {
		return nil, err
	}
	if c.writer == nil {
		return nil, errors.New("nothing wrote there since the launch began")
	}
	return c.writer, nil
}

// writeOf returns what an expression names, for a look at its writes.
func writeOf(r *run, e Expression) (*Watch, error) {
	n, err := expr.Parse(e.Text)
	if err != nil {
		return nil, err
	}
	_, v, err := r.eval(n, e)
	if err != nil {
		return nil, err
	}
	return WatchOf(resultOf(v, ""), e.Focus)
}

// WatchOf returns a watchpoint on the value of an expression, or on what an address points to.
func WatchOf(v *Result, f Focus) (*Watch, error) {
	switch {
	case v.Place != nil && v.Place.Space == "" && slices.Contains([]string{"r", "a", "c"}, v.Place.Name[:1]):
		return &Watch{Register: v.Place.Name, Focus: f, Writes: true}, nil
	case v.Place != nil && (v.Place.Space == "global" || v.Place.Space == "shared"):
		return &Watch{Space: v.Place.Space, Address: v.Place.Address, Size: v.Size, Focus: f, Writes: true}, nil
	case v.Place == nil && v.Space == "":
		return &Watch{Space: "global", Address: uint32(v.Bits), Size: 4, Focus: f, Writes: true}, nil
	}
	return nil, errors.New("it can be neither watched nor traced: want a register, or a place in global or shared memory as *(@shared int*)0x20")
}
