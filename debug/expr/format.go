package expr

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Limits of a text: the elements of an array, and bytes after which it shows no further part.
const (
	mostShown = 32
	mostText  = 1 << 16
)

// Format returns a value as text. format is a letter of print: x d u o t c f a, or 0 for what fits
// the type.
func (v *Value) Format(format byte) string {
	switch v.Type.Kind {
	case Array, Struct, Bytes:
		return v.compound(format)
	}
	size := v.Type.Size
	u := v.bits()
	switch format {
	case 'x', 'a':
		return "0x" + strconv.FormatUint(u, 16)
	case 'o':
		return "0" + strconv.FormatUint(u, 8)
	case 't':
		return strconv.FormatUint(u, 2)
	case 'u':
		return strconv.FormatUint(u, 10)
	case 'd':
		signed := Value{Type: &Type{Kind: Int, Size: size}, Data: v.Data}
		return strconv.FormatInt(signed.Int(), 10)
	case 'c':
		if c := byte(u); c >= 0x7f { // no letter of C
			return fmt.Sprintf("%d '\\x%02x'", v.Int(), c)
		}
		return fmt.Sprintf("%d %q", v.Int(), rune(byte(u)))
	case 'f':
		as := Value{Type: &Type{Kind: Float, Size: size}, Data: v.Data}
		if size == 4 || size == 8 {
			return as.Format(0)
		}
	}
	switch {
	case v.Type.Kind == Float:
		return strconv.FormatFloat(v.Float(), 'g', -1, 8*size)
	case v.Type.Words[v.Int()] != "":
		return v.Type.Words[v.Int()]
	case v.Type.Letter:
		return v.Format('c')
	case v.Type.Kind == Pointer && v.Type.Space == Generic && u != 0:
		space, address := v.InSpace()
		return fmt.Sprintf("(@%s %s) 0x%x", space, v.Type, address)
	case v.Type.Kind == Pointer:
		return fmt.Sprintf("(%s) 0x%x", v.Type, u)
	case v.Type.Kind == Uint:
		return strconv.FormatUint(u, 10)
	}
	return strconv.FormatInt(v.Int(), 10)
}

// compound is Format of an array, a struct or bytes.
func (v *Value) compound(format byte) string {
	var parts []string
	size := 0
	add := func(name string, part *Value) (more bool) {
		if size > mostText {
			parts = append(parts, "...")
			return false
		}
		text := name + part.Format(format)
		parts, size = append(parts, text), size+len(text)
		return true
	}
	switch v.Type.Kind {
	case Bytes:
		return fmt.Sprintf("% x", v.Data)
	case Array:
		if v.Type.Len == 0 { // as many as the memory has
			return "{...}"
		}
		if text, ok := v.letters(); ok && format == 0 {
			return text
		}
		for i := range min(v.Type.Len, mostShown) {
			e, err := Element(nil, *v, int64(i))
			if err != nil || !add("", &e) {
				break
			}
		}
		if v.Type.Len > mostShown {
			parts = append(parts, "...")
		}
	case Struct:
		for _, f := range v.Type.Fields {
			e, err := Member(*v, f.Name)
			if err != nil || !add(f.Name+" = ", &e) {
				break
			}
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// letters returns an array of letters as text, up to the letter 0. ok is false if there is none, or
// if a byte before is no letter.
func (v *Value) letters() (text string, ok bool) {
	before, _, ok := bytes.Cut(v.Data, []byte{0})
	if !ok || !v.Type.Elem.Letter || slices.ContainsFunc(before, func(c byte) bool {
		return c > '~' || c < ' ' && c != '\n' && c != '\t' && c != '\r'
	}) {
		return "", false
	}
	return strconv.Quote(string(before)), true
}
