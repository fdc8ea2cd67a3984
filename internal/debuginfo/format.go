package debuginfo

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Limits of a text: elements of an array, bytes of the text, structures in structures.
const (
	mostElements = 200
	mostText     = 4096
	mostDepth    = 16
)

func element(i int64) string { return "[" + strconv.FormatInt(i, 10) + "]" }

// Format returns the value as text: 3, 2.5, 65 'A', true, {x = 1, y = {2, 3}}, "text",
// (@shared int *) 0x20. A part that cannot be read is <its problem>.
func (v Value) Format(m Memory) (string, error) {
	if _, err := v.bytes(m, 1); err != nil {
		return "", err
	}
	f := &formatter{memory: m}
	f.value(v, 0)
	return f.text.String(), f.err
}

type formatter struct {
	memory Memory
	text   strings.Builder
	err    error // of the whole value
}

func (f *formatter) value(v Value, depth int) {
	t := v.Type.Under()
	switch {
	case depth > mostDepth || f.text.Len() > mostText:
		f.text.WriteString("...")
		return
	case t.Kind == Struct:
		f.members(v, t, depth)
		return
	case t.Kind == Array:
		f.elements(v, t, depth)
		return
	}
	text, err := v.scalar(f.memory)
	if err != nil {
		if depth == 0 {
			f.err = err
		}
		text = "<" + err.Error() + ">"
	}
	f.text.WriteString(text)
}

func (f *formatter) members(v Value, t *Type, depth int) {
	f.text.WriteByte('{')
	for i := range t.Members {
		if i > 0 {
			f.text.WriteString(", ")
		}
		m := &t.Members[i]
		name := m.Name
		if name == "" {
			name = "<" + m.Type.String() + ">"
		}
		f.text.WriteString(name + " = ")
		f.value(v.memberAt(m), depth+1)
	}
	f.text.WriteByte('}')
}

func (f *formatter) elements(v Value, t *Type, depth int) {
	if e := t.Elem.Under(); e.Kind == Char && e.Size == 1 && f.letters(v) {
		return
	}
	f.text.WriteByte('{')
	for i := range t.Count {
		if i > 0 {
			f.text.WriteString(", ")
		}
		if i == mostElements || f.text.Len() > mostText {
			f.text.WriteString("...")
			break
		}
		x, err := v.Index(f.memory, int64(i))
		if err != nil {
			f.text.WriteString("<" + err.Error() + ">")
			break
		}
		f.value(x, depth+1)
	}
	f.text.WriteByte('}')
}

// letters writes an array of letters up to the one that ends it. It reports false if there is none,
// or if another byte is no letter.
func (f *formatter) letters(v Value) bool {
	b, err := v.bytes(f.memory, mostElements)
	end := strings.IndexByte(string(b), 0)
	if err != nil || end < 0 {
		return false
	}
	for _, c := range b[:end] {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c > '~' {
			return false
		}
	}
	f.text.WriteString(strconv.Quote(string(b[:end])))
	return true
}

// scalar returns the text of a value without parts.
func (v Value) scalar(m Memory) (string, error) {
	t := v.Type.Under()
	if t.Kind == Float {
		return v.float(m)
	}
	n, err := v.Integer(m)
	if err != nil {
		return "", err
	}
	switch t.Kind {
	case Bool:
		if n == 0 || n == 1 {
			return strconv.FormatBool(n == 1), nil
		}
	case Char:
		return fmt.Sprintf("%d %s", n, strconv.QuoteRuneToASCII(rune(uint8(n)))), nil
	case Enum:
		for _, e := range t.Values {
			if e.Value == n {
				return e.Name, nil
			}
		}
	case Pointer, Reference:
		return v.pointer(t, uint64(n)), nil
	case Unsigned:
		return strconv.FormatUint(uint64(n), 10), nil
	}
	return strconv.FormatInt(n, 10), nil
}

func (v Value) pointer(t *Type, at uint64) string {
	name := t.Elem.String() + star(t.Elem, map[Kind]string{Pointer: "*", Reference: "&"}[t.Kind])
	if at == 0 {
		return "(" + name + ") 0x0"
	}
	p := InSpace(at)
	return fmt.Sprintf("(@%s %s) 0x%x", p.Space, name, p.Offset)
}

func (v Value) float(m Memory) (string, error) {
	b, err := v.bytes(m, 8)
	if err != nil {
		return "", err
	}
	switch len(b) {
	case 4:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(number(b)))), 'g', -1, 32), nil
	case 8:
		return strconv.FormatFloat(math.Float64frombits(number(b)), 'g', -1, 64), nil
	}
	return "", valueErrorf("a float of %d bytes", len(b))
}
