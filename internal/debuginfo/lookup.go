package debuginfo

import (
	"encoding/binary"
	"strconv"
)

// Lookup returns the value of an expression of C that names a variable or a part of one: a.b[3],
// *p, p->x, a[i], &a, or a number. A reference is what it refers to. find returns the variable of a
// name. The error is a [*ValueError], or that of the memory.
func Lookup(expression string, find func(name string) (Value, bool), m Memory) (Value, error) {
	l := &looker{text: expression, find: find, memory: m}
	v, err := l.unary(0)
	if err == nil && l.next() != "" {
		err = valueErrorf("%q is not understood from %q on", expression, l.token)
	}
	if err != nil {
		return Value{}, err
	}
	v.Name = expression
	return v, nil
}

type looker struct {
	text   string
	token  string // that was looked at last
	find   func(string) (Value, bool)
	memory Memory
}

// next returns the token in front, "" at the end.
func (l *looker) next() string {
	for l.text != "" && (l.text[0] == ' ' || l.text[0] == '\t') {
		l.text = l.text[1:]
	}
	n := 0
	for n < len(l.text) && inName(l.text[n]) {
		n++
	}
	switch {
	case n > 0:
	case len(l.text) > 1 && l.text[:2] == "->":
		n = 2
	case l.text != "":
		n = 1
	}
	l.token = l.text[:n]
	return l.token
}

func inName(c byte) bool {
	return c == '_' || c == '$' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// take goes behind the token in front if it is the one given.
func (l *looker) take(token string) bool {
	if l.next() != token {
		return false
	}
	l.text = l.text[len(token):]
	return true
}

func (l *looker) want(token string) error {
	if !l.take(token) {
		return valueErrorf("%q is missing in front of %q", token, l.text)
	}
	return nil
}

// unary reads *x, &x, -x, or what postfix reads.
func (l *looker) unary(depth int) (Value, error) {
	if depth > mostTypes {
		return Value{}, valueErrorf("the expression is nested too deep")
	}
	op := l.next()
	if op != "*" && op != "&" && op != "-" {
		return l.postfix(depth)
	}
	l.take(op)
	v, err := l.unary(depth + 1)
	switch {
	case err != nil:
		return v, err
	case op == "*":
		return v.Deref(l.memory)
	case op == "&":
		return v.address()
	}
	n, err := v.Integer(l.memory)
	return integer(-n), err
}

// postfix reads a variable, a number or an expression in parentheses, and the parts behind it.
func (l *looker) postfix(depth int) (Value, error) {
	v, err := l.primary(depth)
	for err == nil {
		if v.Type.Under().Kind == Reference {
			if v, err = v.Deref(l.memory); err != nil {
				break
			}
		}
		switch {
		case l.take("."), l.take("->"):
			name := l.next()
			l.text = l.text[len(name):]
			v, err = v.Member(l.memory, name)
		case l.take("["):
			var i Value
			if i, err = l.unary(depth + 1); err != nil {
				return v, err
			}
			var at int64
			if at, err = i.Integer(l.memory); err == nil {
				v, err = v.Index(l.memory, at)
			}
			if err == nil {
				err = l.want("]")
			}
		default:
			return v, nil
		}
	}
	return v, err
}

func (l *looker) primary(depth int) (Value, error) {
	if l.take("(") {
		v, err := l.unary(depth + 1)
		if err == nil {
			err = l.want(")")
		}
		return v, err
	}
	name := l.next()
	if name == "" || !inName(name[0]) {
		return Value{}, valueErrorf("a name is missing in front of %q", l.text)
	}
	l.text = l.text[len(name):]
	if '0' <= name[0] && name[0] <= '9' {
		n, err := strconv.ParseInt(name, 0, 64)
		if err != nil {
			return Value{}, valueErrorf("%q is no number", name)
		}
		return integer(n), nil
	}
	if v, ok := l.find(name); ok {
		return v, nil
	}
	return Value{}, valueErrorf("there is no variable %s here", name)
}

// integer returns a value that lies in no memory.
func integer(n int64) Value {
	return Value{Type: &Type{Kind: Signed, Name: "long", Size: 8, Sign: true}, data: binary.LittleEndian.AppendUint64(nil, uint64(n))}
}

// address returns a pointer to a value.
func (v Value) address() (Value, error) {
	bases := map[Space]uint64{Global: 0, Generic: 0, Shared: WindowShared, Local: WindowLocal, Const: WindowConst}
	base, ok := bases[v.Place.Space]
	if !ok || v.data != nil || v.Bits > 0 || v.Place.Symbol != "" {
		return Value{}, valueErrorf("%s has no address that is known here", v.Name)
	}
	return Value{Name: "&" + v.Name, Type: &Type{Kind: Pointer, Elem: v.Type}, data: integer(int64(base + v.Place.Offset)).data}, nil
}
