package expr

import (
	"errors"
	"fmt"
)

// common returns the type in which C computes with two scalars.
func common(a, b *Type) *Type {
	size := max(a.Size, b.Size, 4)
	switch {
	case a.Kind == Float || b.Kind == Float:
		if a.Kind == Float && a.Size == 8 || b.Kind == Float && b.Size == 8 {
			return TypeDouble
		}
		return TypeFloat
	case a.Kind == Uint && a.Size == size || b.Kind == Uint && b.Size == size:
		if size == 8 {
			return TypeULong
		}
		return TypeUint
	case size == 8:
		return TypeLong
	}
	return TypeInt
}

// binary2 computes a binary operator.
func binary2(op string, l, r Value) (Value, error) {
	l, r = decayed(l), decayed(r)
	pointers := l.Type.Kind == Pointer || r.Type.Kind == Pointer
	switch {
	case l.Type.Kind > Pointer, r.Type.Kind > Pointer, pointers && (l.Type.Kind == Float || r.Type.Kind == Float):
		return Value{}, fmt.Errorf("%s between a %s and a %s", op, l.Type, r.Type)
	case pointers && (op == "+" || op == "-"):
		return steps(op, l, r)
	}
	l, r = addresses(l, r)
	t := common(l.Type, r.Type)
	if t.Kind == Float {
		return floats(op, t, l.Float(), r.Float())
	}
	l, _ = Convert(l, t)
	r, _ = Convert(r, t)
	return integers(op, t, l, r)
}

// decayed returns an array as a pointer to its first element, and any other value as it is.
func decayed(v Value) Value {
	if v.Type.Kind == Array && v.Place != nil && v.Place.Space != "" {
		return Of(PointerTo(v.Type.Elem, v.Place.Space), int64(v.Place.Address))
	}
	return v
}

// steps adds a number of elements to a pointer, or subtracts it, or returns how many elements lie
// between two pointers.
func steps(op string, l, r Value) (Value, error) {
	if op == "+" && r.Type.Kind == Pointer {
		l, r = r, l
	}
	size := func(v Value) int64 { return int64(max(v.Type.Elem.Size, 1)) }
	switch {
	case r.Type.Kind != Pointer && op == "+":
		return Of(l.Type, l.Int()+r.Int()*size(l)), nil
	case r.Type.Kind != Pointer:
		return Of(l.Type, l.Int()-r.Int()*size(l)), nil
	case op == "+" || l.Type.Kind != Pointer || size(l) != size(r):
		return Value{}, fmt.Errorf("%s between a %s and a %s", op, l.Type, r.Type)
	case l.Type.Space != r.Type.Space:
		return Of(TypeLong, (l.generic()-r.generic())/size(l)), nil
	}
	return Of(TypeLong, (l.Int()-r.Int())/size(l)), nil
}

// addresses turns pointers into numbers: two of different memories into generic addresses.
func addresses(l, r Value) (Value, Value) {
	both := l.Type.Kind == Pointer && r.Type.Kind == Pointer && l.Type.Space != r.Type.Space
	number := func(v Value) Value {
		switch {
		case v.Type.Kind != Pointer:
			return v
		case both:
			return Of(TypeULong, v.generic())
		case v.Type.Size == 8:
			return Of(TypeULong, v.Int())
		}
		return Of(TypeUint, v.Int())
	}
	return number(l), number(r)
}

func floats(op string, t *Type, a, b float64) (Value, error) {
	switch op {
	case "+":
		return OfFloat(t, a+b), nil
	case "-":
		return OfFloat(t, a-b), nil
	case "*":
		return OfFloat(t, a*b), nil
	case "/":
		return OfFloat(t, a/b), nil
	}
	return compare(op, a, b)
}

func compare[T int64 | uint64 | float64](op string, a, b T) (Value, error) {
	switch op {
	case "==":
		return truth(a == b), nil
	case "!=":
		return truth(a != b), nil
	case "<":
		return truth(a < b), nil
	case ">":
		return truth(a > b), nil
	case "<=":
		return truth(a <= b), nil
	case ">=":
		return truth(a >= b), nil
	}
	return Value{}, fmt.Errorf("no operator %s here", op)
}

func integers(op string, t *Type, l, r Value) (Value, error) {
	a, b := l.Int(), r.Int()
	switch op {
	case "+":
		return Of(t, a+b), nil
	case "-":
		return Of(t, a-b), nil
	case "*":
		return Of(t, a*b), nil
	case "&":
		return Of(t, a&b), nil
	case "|":
		return Of(t, a|b), nil
	case "^":
		return Of(t, a^b), nil
	case "<<":
		return Of(t, a<<uint(b)), nil
	case "/", "%":
		return divide(op, t, a, b)
	}
	if t.Kind == Uint {
		if op == ">>" {
			return Of(t, int64(l.bits()>>uint(b))), nil
		}
		return compare(op, l.bits(), r.bits())
	}
	if op == ">>" {
		return Of(t, a>>uint(b)), nil
	}
	return compare(op, a, b)
}

func divide(op string, t *Type, a, b int64) (Value, error) {
	switch {
	case b == 0:
		return Value{}, errors.New("division by zero")
	case t.Kind == Uint && op == "/":
		return Of(t, int64(uint64(a)/uint64(b))), nil
	case t.Kind == Uint:
		return Of(t, int64(uint64(a)%uint64(b))), nil
	case op == "/":
		return Of(t, a/b), nil
	}
	return Of(t, a%b), nil
}
