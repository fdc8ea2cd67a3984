package sass

import (
	"slices"
	"strconv"
	"strings"

	"jacquard/tesla"
)

// operand reads an operand into o: its sign, complement and absolute value, and its place.
func (r *reader) operand(role int, o *tesla.Operand) bool {
	text := r.next()
	x := tesla.Operand{As: o.As}
	text, x.Neg = strings.CutPrefix(text, "-")
	text, x.Not = strings.CutPrefix(text, "~")
	if inner, ok := strings.CutPrefix(text, "|"); ok {
		text, x.Abs = strings.CutSuffix(inner, "|")
	}
	places := r.in.Form.Places(role)
	if !r.place(&x, text, places) {
		for _, p := range places {
			r.want(examples[p.Kind])
		}
		return r.want()
	}
	if role >= 0 {
		r.bits |= r.in.Form.CutImmediate(role, &x)
	}
	*o = x
	r.at++
	return true
}

var examples = map[tesla.OperandKind]string{
	tesla.Reg: "a register R0", tesla.Pair: "a register R0", tesla.Quadruple: "a register R0", tesla.Half: "a half register R0L",
	tesla.Discard: "o [0x7f]", tesla.CondReg: "C0", tesla.AddrReg: "A1", tesla.Imm: "an immediate", tesla.Shared: "g [...]",
	tesla.Const: "c [...] [...]", tesla.Local: "local [...]", tesla.Global: "global14 [R0]", tesla.Special: "a special register",
	tesla.Output: "o [...]",
}

// place reads the place of an operand, one of several.
func (r *reader) place(o *tesla.Operand, text string, places []tesla.Place) bool {
	has := func(k tesla.OperandKind) bool {
		return slices.ContainsFunc(places, func(p tesla.Place) bool { return p.Kind == k })
	}
	space, inside, memory := strings.Cut(text, " [")
	switch {
	case text == "o [0x7f]" && has(tesla.Discard):
		o.Kind = tesla.Discard
		return true
	case memory:
		return r.memory(o, space, inside, places)
	case strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "-0x"):
		return has(tesla.Imm) && r.immediate(o, text)
	}
	if i := slices.Index(specials[:], text); i >= 0 {
		o.Kind, o.Index = tesla.Special, uint8(i)
		return has(tesla.Special)
	}
	kind, index, ok := register(text)
	o.Index = index
	if o.Kind = kind; kind == tesla.Reg {
		o.Kind = r.span(has)
	}
	return ok && has(o.Kind)
}

// register reads the name of a register.
func register(text string) (k tesla.OperandKind, index uint8, ok bool) {
	if text == "" {
		return tesla.None, 0, false
	}
	letters := strings.TrimRight(text, "0123456789LH")
	n, err := strconv.ParseUint(strings.Trim(text[len(letters):], "LH"), 10, 8)
	switch letters {
	case "R":
		k = tesla.Reg
	case "C":
		k, err = tesla.CondReg, below(n, 4, err)
	case "A":
		k, err = tesla.AddrReg, below(n, 8, err)
	case "SR":
		k = tesla.Special
	}
	half := strings.IndexByte("LH", text[len(text)-1])
	if half >= 0 && k == tesla.Reg {
		k, n = tesla.Half, 2*n+uint64(half)
	}
	return k, uint8(n), err == nil && k != tesla.None && n < 128
}

// below refuses a number that is too big.
func below(n, most uint64, err error) error {
	if n >= most {
		return strconv.ErrRange
	}
	return err
}

// span returns the kind of register that fits: the operation gives the number of registers.
func (r *reader) span(has func(tesla.OperandKind) bool) tesla.OperandKind {
	byType := map[int]tesla.OperandKind{8: tesla.Pair, 16: tesla.Quadruple}[r.in.Type.Bytes()]
	switch {
	case byType != tesla.None && has(byType):
		return byType
	case has(tesla.Reg):
		return tesla.Reg
	}
	return tesla.Pair
}

// immediate reads a number. A negative float has its own sign, after the sign of the operand.
func (r *reader) immediate(o *tesla.Operand, text string) bool {
	digits, negative := strings.CutPrefix(text, "-")
	v, err := strconv.ParseUint(digits, 0, 32)
	o.Kind, o.Value = tesla.Imm, uint32(v)
	signed := immediate(&r.in) && r.in.Type == tesla.F32
	if signed && o.Neg && !negative && -int32(o.Value) < 0 {
		o.Neg, negative = false, true
	}
	if negative {
		o.Value = -o.Value
	}
	return err == nil && (signed || !negative)
}

// memory reads an operand in memory: "SPACE [INSIDE" and the rest after the bracket.
func (r *reader) memory(o *tesla.Operand, space, inside string, places []tesla.Place) bool {
	if number, ok := strings.CutPrefix(space, "global"); ok {
		n, err := strconv.ParseUint(number, 10, 4)
		k, at, ok := register(strings.TrimSuffix(inside, "]"))
		o.Kind, o.Index, o.Value = tesla.Global, uint8(n), uint32(at)
		return ok && err == nil && k == tesla.Reg && r.fit(o, "", places)
	}
	if space == "c" {
		bank, rest, ok := strings.Cut(inside, "] [")
		n, err := strconv.ParseUint(bank, 0, 4)
		if !ok || err != nil {
			return false
		}
		o.Index, inside = uint8(n), rest
	}
	o.Kind = map[string]tesla.OperandKind{"g": tesla.Shared, "c": tesla.Const, "local": tesla.Local, "o": tesla.Output}[space]
	inside, typ, ok := strings.Cut(inside, "]")
	return ok && o.Kind != tesla.None && r.fit(o, typ, places) && readAddress(o, inside)
}

// fit finds a place for an operand in memory and sets its type there. typ is the suffix of the
// type.
func (r *reader) fit(o *tesla.Operand, typ string, places []tesla.Place) bool {
	best := -1
	for i, p := range places {
		// The names of these operations include the type.
		named := r.in.Op.Class() == tesla.ClassShared
		if p.Kind != o.Kind || o.Kind == tesla.Shared && !named && accesses[p.Type] != typ {
			continue
		}
		if best < 0 || p.Type == r.in.Type {
			best = i
		}
	}
	if best >= 0 {
		o.Type = places[best].Type
	}
	return best >= 0
}

// readAddress is the reverse of offset.
func readAddress(o *tesla.Operand, text string) bool {
	base, step, post := strings.Cut(text, "+++")
	if !post {
		if base, step, _ = strings.Cut(text, "+"); step == "" {
			base, step = "A0", text
		}
	}
	k, index, ok := register(base)
	v, err := strconv.ParseUint(step, 0, 32)
	o.Base, o.Post, o.Value = index, post, uint32(v)
	if !post && o.Kind != tesla.Local {
		o.Value *= uint32(o.Type.Bytes())
	}
	return ok && k == tesla.AddrReg && err == nil && index < 8
}
