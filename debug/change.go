package debug

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"jacquard/debug/expr"
)

// edit is a change that the user made at a place of the launch. Runs that come there again make it
// again.
type edit struct {
	at     Position
	block  int // that it changes
	change func() error
}

// edited reports whether changes were made in a block.
func (r *run) edited(block int) bool {
	return slices.ContainsFunc(r.edits, func(e edit) bool { return e.at.Block == block || e.block == block })
}

// apply makes the changes of a place again. While the user is stopped there, they have been made.
func (r *run) apply(h *here) {
	for _, e := range r.edits {
		if e.at == h.pos {
			e.change()
		}
	}
}

// change makes a change now, and forgets changes that the user made later in the launch: they
// belonged to another future.
func (r *run) change(block int, do func() error) error {
	h := r.here
	if err := do(); err != nil {
		return err
	}
	r.edits = slices.DeleteFunc(r.edits, func(e edit) bool { return e.at.Block == h.number && e.at.Time > h.pos.Time })
	r.edits = append(r.edits, edit{h.pos, block, do})
	return nil
}

// Write implements Target.
func (s *Session) Write(m Memory, data []byte) error {
	_, err := query(s, func(r *run) (bool, error) {
		c, err := r.scope(m.Focus, 0)
		if err != nil {
			return false, err
		}
		return true, r.change(c.at.Block, func() error { return c.now().store(m.Space, m.Address, data) })
	})
	return err
}

// now returns the scope in the present run of the launch.
func (s *scope) now() *scope {
	n := *s
	if b := s.r.blocks[s.at.Block]; b != nil {
		n.b = b
	}
	return &n
}

// store writes to a memory.
func (s *scope) store(space string, address uint32, data []byte) error {
	if space == "const" {
		return errors.New("constant memory does not change while a kernel runs")
	}
	if space == "local" {
		if _, err := s.window(space, address, len(data)); err != nil {
			return err
		}
		local := s.b.st.LocalOf(s.at.Warp)
		for i, v := range data {
			at := address + uint32(i)
			word := &local[at/4][s.at.Lane]
			*word = *word&^(0xff<<(at%4*8)) | uint32(v)<<(at%4*8)
		}
		return nil
	}
	window, err := s.window(space, address, len(data))
	if err != nil {
		return err
	}
	if space == "global" || space == "" {
		s.r.Request.Global.Window(address, true) // the allocation counts as written
	}
	copy(window, data)
	return nil
}

// Assign implements Target.
func (s *Session) Assign(e Expression, value string) (*Result, error) {
	to, err := expr.Parse(e.Text)
	if err != nil {
		return nil, err
	}
	from, err := expr.Parse(value)
	if err != nil {
		return nil, err
	}
	return query(s, func(r *run) (*Result, error) {
		c, old, err := r.eval(to, e)
		if err != nil {
			return nil, err
		}
		v, err := from.Eval(c)
		if err != nil {
			return nil, err
		}
		if old.Place == nil {
			return nil, fmt.Errorf("%s cannot be assigned: want a register, a variable or *(@global int*)ADDRESS", e.Text)
		}
		if v, err = expr.Convert(v, old.Type); err != nil {
			return nil, err
		}
		err = r.change(c.at.Block, func() error { return c.now().assign(old.Place, v) })
		if err != nil {
			return nil, err
		}
		v.Place = old.Place
		return resultOf(v, e.Format), nil
	})
}

// assign writes a value to its place.
func (s *scope) assign(p *expr.Place, v expr.Value) error {
	if p.Space != "" {
		data := v.Data
		if p.Cut.Bits > 0 {
			old, err := s.Load(p.Space, p.Address, len(data))
			if err != nil {
				return err
			}
			data = p.Cut.Into(old, data)
		}
		return s.store(p.Space, p.Address, data)
	}
	n, err := strconv.Atoi(p.Name[1:])
	if err != nil {
		return fmt.Errorf("$%s cannot be changed", p.Name)
	}
	word := binary.LittleEndian.AppendUint32(nil, uint32(v.Int()))
	u := binary.LittleEndian.Uint32(word)
	switch p.Name[0] {
	case 'r', 'R':
		s.b.st.RegisterRow(n, s.at.Warp)[s.at.Lane] = u
		return nil
	case 'a':
		if s.r.code.p.Addresses>>n&1 == 0 {
			return fmt.Errorf("the kernel does not use $a%d", n)
		}
		rows := s.b.st.Address(uint8(n))
		rows.At(s.at.Warp)[s.at.Lane] = u & 0xffff
		return nil
	case 'c', 'p':
		f := &s.b.st.Flags[n][s.at.Warp]
		for i, m := range [...]*uint32{(*uint32)(&f.Z), (*uint32)(&f.S), (*uint32)(&f.C), (*uint32)(&f.O)} {
			*m = *m&^(1<<s.at.Lane) | u>>i&1<<s.at.Lane
		}
		return nil
	}
	return fmt.Errorf("$%s cannot be changed", p.Name)
}
