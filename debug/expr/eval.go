package expr

import (
	"errors"
	"fmt"
)

// Scope gives an expression what it names.
type Scope interface {
	// Name returns the value of a variable, as threadIdx, or of a member, as threadIdx.x.
	Name(name string) (Value, error)

	// Register returns the value of a register, without its $.
	Register(name string) (Value, error)

	// Load reads n bytes of a memory.
	Load(space string, address uint32, n int) ([]byte, error)
}

// ErrUnknown is the error of a Scope that cannot know a value yet. && and || still have a value if
// the other side decides.
var ErrUnknown = errors.New("the value is not known here")

// Eval returns the value of an expression.
func (n *Node) Eval(s Scope) (Value, error) {
	switch n.op {
	case "number":
		return n.val, nil
	case "register":
		return s.Register(n.text)
	case "name":
		return s.Name(n.text)
	case "&&", "||":
		return n.logic(s)
	case "cast":
		v, err := n.args[0].Eval(s)
		if err != nil {
			return Value{}, err
		}
		return Convert(v, n.typ)
	case "member":
		return n.member(s)
	case "index":
		return n.index(s)
	case "u&":
		return n.address(s)
	case "u*":
		v, err := n.args[0].Eval(s)
		if err != nil {
			return Value{}, err
		}
		return deref(s, v, 0)
	}
	if n.op[0] == 'u' {
		return n.unary(s)
	}
	l, err := n.args[0].Eval(s)
	if err != nil {
		return Value{}, err
	}
	r, err := n.args[1].Eval(s)
	if err != nil {
		return Value{}, err
	}
	return binary2(n.op, l, r)
}

func truth(b bool) Value {
	if b {
		return Of(TypeInt, 1)
	}
	return Of(TypeInt, 0)
}

// Condition returns the value of an expression as that of a condition.
func (n *Node) Condition(s Scope) (bool, error) {
	v, err := n.Eval(s)
	switch {
	case err != nil:
		return false, err
	case v.Type.Kind > Array, v.Type.Kind == Array && decayed(v).Type.Kind == Array:
		return false, fmt.Errorf("a %s is no condition", v.Type)
	}
	v = decayed(v)
	return v.True(), nil
}

// logic evaluates && and ||. One side that is not known does not matter if the other decides.
func (n *Node) logic(s Scope) (Value, error) {
	decides := n.op == "||"
	l, errL := n.args[0].Condition(s)
	if errL == nil && l == decides {
		return truth(decides), nil
	}
	if errL != nil && !errors.Is(errL, ErrUnknown) {
		return Value{}, errL
	}
	r, errR := n.args[1].Condition(s)
	switch {
	case errR == nil && r == decides:
		return truth(decides), nil
	case errR != nil:
		return Value{}, errR
	case errL != nil:
		return Value{}, errL
	}
	return truth(!decides), nil
}

// member evaluates a.b: a name with a dot, or a field of a struct.
func (n *Node) member(s Scope) (Value, error) {
	if of := n.args[0]; of.op == "name" {
		if v, err := s.Name(of.text + "." + n.text); err == nil || errors.Is(err, ErrUnknown) {
			return v, err
		}
	}
	v, err := n.args[0].Eval(s)
	if err == nil {
		v, err = Member(v, n.text)
	}
	if err != nil {
		return Value{}, err
	}
	return Refer(s, v)
}

// Member returns a field of a struct.
func Member(v Value, name string) (Value, error) {
	for _, f := range v.Type.Fields {
		if f.Name != name {
			continue
		}
		if f.Offset < 0 || f.Offset > len(v.Data)-f.Type.Size {
			return Value{}, fmt.Errorf("%s is not whole", name)
		}
		return f.Cut.of(Value{Type: f.Type, Data: v.Data[f.Offset:][:f.Type.Size], Place: v.Place.plus(f.Offset)}), nil
	}
	return Value{}, fmt.Errorf("a %s has no %s", v.Type, name)
}

func (p *Place) plus(n int) *Place {
	if p == nil || p.Space == "" {
		return nil
	}
	return &Place{Space: p.Space, Address: p.Address + uint32(n)}
}

func (n *Node) index(s Scope) (Value, error) {
	v, err := n.args[0].Eval(s)
	if err != nil {
		return Value{}, err
	}
	i, err := n.args[1].Eval(s)
	if err != nil {
		return Value{}, err
	}
	if i.Type.Kind > Uint {
		return Value{}, fmt.Errorf("a %s is no index", i.Type)
	}
	return Element(s, v, i.Int())
}

// Element returns an element of an array, or of what a pointer points to.
func Element(s Scope, v Value, i int64) (Value, error) {
	if v.Type.Kind == Array && v.Type.Len == 0 && v.Place != nil && v.Place.Space != "" {
		return deref(s, Of(PointerTo(v.Type.Elem, v.Place.Space), int64(v.Place.Address)), i)
	}
	if v.Type.Kind == Array {
		t := v.Type.Elem
		if i < 0 || i >= int64(v.Type.Len) {
			return Value{}, fmt.Errorf("index %d: the array has %d elements", i, v.Type.Len)
		}
		at := int(i) * t.Size
		if at+t.Size > len(v.Data) {
			return Value{}, fmt.Errorf("element %d is not whole", i)
		}
		return Value{Type: t, Data: v.Data[at:][:t.Size], Place: v.Place.plus(at)}, nil
	}
	return deref(s, v, i)
}

// Refer returns what a reference refers to, and any other value as it is.
func Refer(s Scope, v Value) (Value, error) {
	if v.Type.Kind == Pointer && v.Type.Refers {
		return deref(s, v, 0)
	}
	return v, nil
}

// deref reads element i of what a pointer points to.
func deref(s Scope, v Value, i int64) (Value, error) {
	if v.Type.Kind == Array && v.Type.Elem != nil {
		return Element(s, v, i)
	}
	if v.Type.Kind != Pointer {
		return Value{}, fmt.Errorf("a %s is no pointer: write *(@global int*)0x100", v.Type)
	}
	t := v.Type.Elem
	if t.Size == 0 {
		return Value{}, fmt.Errorf("%s has an unknown size", t)
	}
	space, at := v.InSpace()
	at += uint32(i * int64(t.Size))
	data, err := s.Load(space, at, t.Size)
	return Value{Type: t, Data: data, Place: &Place{Space: space, Address: at}}, err
}

// address evaluates &a.
func (n *Node) address(s Scope) (Value, error) {
	v, err := n.args[0].Eval(s)
	if err != nil {
		return Value{}, err
	}
	if v.Place == nil || v.Place.Space == "" || v.Place.Cut.Bits > 0 {
		return Value{}, errors.New("it has no address")
	}
	return Of(PointerTo(v.Type, v.Place.Space), int64(v.Place.Address)), nil
}

func (n *Node) unary(s Scope) (Value, error) {
	if n.op == "u!" {
		yes, err := n.args[0].Condition(s)
		return truth(!yes), err
	}
	v, err := n.args[0].Eval(s)
	switch {
	case err != nil:
		return Value{}, err
	case v.Type.Kind >= Pointer:
		return Value{}, fmt.Errorf("%s of a %s", n.op[1:], v.Type)
	}
	t := common(v.Type, TypeInt)
	switch {
	case n.op == "u-" && t.Kind == Float:
		return OfFloat(t, -v.Float()), nil
	case n.op == "u-":
		return Of(t, -v.Int()), nil
	case n.op == "u~" && t.Kind != Float:
		return Of(t, ^v.Int()), nil
	case n.op == "u+":
		return Convert(v, t)
	}
	return Value{}, fmt.Errorf("%s of a %s", n.op[1:], v.Type)
}
