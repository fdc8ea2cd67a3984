package ir

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard/ptx"
)

// Parse reads a kernel in the form that [Func.String] writes, so that tests of passes are written as
// text. A name that no line makes is [Undef]. A constant has the kind that its operation needs, a
// Word where that may be another. The text says nothing of Divisions, Geom and lines.
func Parse(text string) (*Func, error) {
	r := &reader{values: map[int32]*Value{}, syms: map[string]*ptx.Var{}}
	for i, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if err := r.line(strings.Fields(line)); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	if r.f == nil || len(r.f.Blocks) == 0 {
		return nil, fmt.Errorf("no kernel")
	}
	for _, link := range r.links {
		if err := link(); err != nil {
			return nil, err
		}
	}
	r.f.Order()
	return r.f, Verify(r.f)
}

// reader reads a text line by line. What names other lines is linked after all lines.
type reader struct {
	f      *Func
	values map[int32]*Value // by number
	syms   map[string]*ptx.Var
	links  []func() error
}

func (r *reader) line(words []string) error {
	if r.f == nil {
		r.f = NewFunc(words[0])
		r.f.Blocks = nil
		return nil
	}
	if name, ok := strings.CutSuffix(words[0], ":"); ok {
		return r.block(name, words[1:])
	}
	if len(r.f.Blocks) == 0 {
		return fmt.Errorf("%s stands in no block", words[0])
	}
	b := r.f.Blocks[len(r.f.Blocks)-1]
	if end := slices.Index([]string{"open", "jump", "branch", "exit", "trap"}, words[0]); end >= 0 {
		b.End = EndKind(end)
		r.links = append(r.links, func() error { return r.end(b, words[1:]) })
		return nil
	}
	return r.value(b, words)
}

// block reads the first line of a block: "b2: <- b0 b1 depth 1".
func (r *reader) block(name string, words []string) error {
	b := r.f.NewBlock()
	if name != fmt.Sprintf("b%d", b.ID) {
		return fmt.Errorf("block %s is block %d", name, b.ID)
	}
	if at := slices.Index(words, "depth"); at >= 0 {
		words = words[:at]
	}
	r.links = append(r.links, func() error {
		for _, w := range words {
			if w == "<-" {
				continue
			}
			p, err := r.place(w)
			if err != nil {
				return err
			}
			b.Preds = append(b.Preds, p)
		}
		return nil
	})
	return nil
}

func (r *reader) place(name string) (*Block, error) {
	n, err := strconv.ParseInt(strings.TrimPrefix(name, "b"), 10, 32)
	if b := r.f.at(int32(n)); err == nil && b != nil {
		return b, nil
	}
	return nil, fmt.Errorf("no block %s", name)
}

// end reads the end of a block, without its first word.
func (r *reader) end(b *Block, words []string) error {
	if b.End == Branch {
		if len(words) > 0 && words[0] == "uniform" {
			b.Uniform, words = true, words[1:]
		}
		if len(words) == 0 {
			return fmt.Errorf("b%d branches on nothing", b.ID)
		}
		b.Control = r.operand(words[0], Pred)
		b.Control.Uses++
		words = words[1:]
	}
	if len(words) != len(b.Succs()) {
		return fmt.Errorf("b%d ends with %d targets", b.ID, len(words))
	}
	for i, w := range words {
		to, err := r.place(w)
		if err != nil {
			return err
		}
		b.To[i] = to
	}
	return nil
}

// value reads "NAME = OPERATION OPERANDS", or the operation without a name.
func (r *reader) value(b *Block, words []string) error {
	v := r.f.New(NoOp, None)
	if len(words) > 2 && words[1] == "=" {
		var err error
		if v.Kind, v.ID, err = named(words[0]); err != nil {
			return err
		}
		if r.values[v.ID] != nil {
			return fmt.Errorf("%s has the number of another value", words[0])
		}
		r.values[v.ID] = v
		r.f.values = max(r.f.values, v.ID+1)
		words = words[2:]
	} else {
		r.links = append(r.links, func() error { return r.number(v) })
	}
	b.Add(v)
	if err := v.operation(words[0]); err != nil {
		return err
	}
	return r.operands(v, words[1:])
}

// number gives a value without a name a number that no name has.
func (r *reader) number(v *Value) error {
	v.ID = r.f.values
	r.f.values++
	return nil
}

// named returns the value of a name.
func named(name string) (Kind, int32, error) {
	k := slices.Index(kindNames[:], name[:1])
	n, err := strconv.ParseInt(name[1:], 10, 32)
	if err != nil || k < 0 {
		return None, 0, fmt.Errorf("%s is no value", name)
	}
	return Kind(k), int32(n), nil
}

// operation reads an operation with its modifiers.
func (v *Value) operation(word string) error {
	name := word
	op := slices.Index(opNames[:], name)
	for op <= int(NoOp) {
		at := strings.LastIndexByte(name, '.')
		if at < 0 {
			return fmt.Errorf("no operation %s", word)
		}
		name = name[:at]
		op = slices.Index(opNames[:], name)
	}
	v.Op = Op(op)
	if v.Op == Load || v.Op == Store {
		v.Count = 1
	}
	for _, m := range strings.Split(word[len(name):], ".")[1:] {
		if m == "" || !v.modifier(m) {
			return fmt.Errorf("no modifier .%s of %s", m, name)
		}
	}
	return nil
}

// modifier reads one modifier, and reports false if there is none of the name.
func (v *Value) modifier(m string) bool {
	for _, x := range v.marks() {
		if x.name == m {
			*x.on = true
			return true
		}
	}
	if counted(&v.Mask, m, "mask") || counted(&v.Count, m, "v") {
		return true
	}
	if t, ok := called(m, ptx.S16x2); ok {
		if v.Sub == ptx.NoType {
			v.Sub = t
		} else {
			v.From = t
		}
		return true
	}
	return set(&v.Cmp, m, ptx.Nan) || set(&v.Atom, m, ptx.AtomMax) || set(&v.Round, m, ptx.RNA) || set(&v.Space, m, ptx.Tex)
}

// counted sets to if m is a prefix and a number.
func counted(to *uint8, m, prefix string) bool {
	digits, ok := strings.CutPrefix(m, prefix)
	n, err := strconv.ParseUint(digits, 10, 8)
	if !ok || err != nil {
		return false
	}
	*to = uint8(n)
	return true
}

// called returns the value from 1 to last that prints as name.
func called[T interface {
	~uint8
	String() string
}](name string, last T) (x T, ok bool) {
	for x = 1; x <= last; x++ {
		if x.String() == name {
			return x, true
		}
	}
	return 0, false
}

// set sets to if there is a value that prints as name.
func set[T interface {
	~uint8
	String() string
}](to *T, name string, last T) bool {
	x, ok := called(name, last)
	if ok {
		*to = x
	}
	return ok
}

// operands reads what follows an operation: operands, "+IMM" and the name of a variable.
func (r *reader) operands(v *Value, words []string) error {
	var args []string
	for _, w := range words {
		digits, isImm := strings.CutPrefix(w, "+")
		_, id, err := named(w)
		switch {
		case isImm:
			n, err := strconv.ParseUint(digits, 0, 64)
			if err != nil {
				return err
			}
			v.Imm = n
		case err == nil || strings.HasPrefix(w, "0x"):
			args = append(args, w)
			r.f.values = max(r.f.values, id+1)
		default:
			if r.syms[w] == nil {
				r.syms[w] = &ptx.Var{Name: w}
			}
			v.Sym = r.syms[w]
		}
	}
	r.links = append(r.links, func() error {
		kinds := kindsOf(v, args)
		for i, w := range args {
			v.AddArg(r.operand(w, kinds[i]))
		}
		return nil
	})
	return nil
}

// operand returns the value that a word names, a constant of the kind if it is a number.
func (r *reader) operand(word string, k Kind) *Value {
	if n, err := strconv.ParseUint(word, 0, 64); err == nil {
		return r.f.Const(k, n)
	}
	kind, id, _ := named(word)
	v := r.values[id]
	if v == nil {
		v = r.f.New(Undef, kind)
		v.ID, v.Block = id, r.f.Blocks[0]
		r.values[id] = v
	}
	return v
}

// kindsOf returns the kind that each operand of v has if it is a constant, by the signature of its
// operation.
func kindsOf(v *Value, words []string) []Kind {
	sign, bound := signatures[v.Op], map[byte]Kind{}
	kinds := make([]Kind, len(words))
	fits(sign[0], v.Kind, bound)
	for i, w := range words {
		if k, _, err := named(w); err == nil {
			fits(letter(sign[2:], i), k, bound)
		}
	}
	for i := range words {
		l := letter(sign[2:], i)
		kinds[i] = Word
		if k := slices.Index(kindNames[:], string(l)); k > 0 {
			kinds[i] = Kind(k)
		} else if k, ok := bound[l]; ok {
			kinds[i] = k
		}
	}
	return kinds
}

// letter returns the letter of operand i in a signature, whose star repeats the one before.
func letter(sign string, i int) byte {
	if at := strings.IndexByte(sign, '*'); at >= 0 && i >= at {
		i = at - 1
	}
	if i >= len(sign) {
		return 'w'
	}
	return sign[i]
}
