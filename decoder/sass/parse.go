package sass

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"jacquard/tesla"
)

// Parse reads tokens in the form of Text, as instructions of the form of blank: several if the
// text is ambiguous. The error is a *tesla.ParseError; it wants nothing if the name belongs to
// another operation.
func Parse(blank *tesla.Instruction, tokens []tesla.Token) ([]tesla.Parsed, error) {
	if len(tokens) == 0 || !called(blank, tokens[0].Text) {
		return nil, &tesla.ParseError{Tokens: tokens}
	}
	r := &reader{blank: *blank, rule: &rules[blank.Op], tokens: tokens, list: split(tokens)}
	r.registers()
	r.guards()
	if blank.Op == tesla.OpCvt {
		r.hidden()
	}
	var found []tesla.Parsed
	for v := range tesla.Variants(r.blank) {
		r.in, r.label, r.bits = v, "", 0
		if !r.rule.late && mnemonic(r.rule, &r.in) != r.name {
			continue
		}
		if r.at = 0; r.operands() && mnemonic(r.rule, &r.in) == r.name {
			found = append(found, tesla.Parsed{Instruction: r.in, Label: r.label, Bits: r.bits})
		}
	}
	if found == nil {
		if r.wanted == nil {
			r.best, r.wanted = -1, []string{"other modifiers of " + r.rule.name}
		}
		return nil, r.failed()
	}
	return found, nil
}

// called reports whether a name belongs to instructions of a form, with any modifiers.
func called(blank *tesla.Instruction, name string) bool {
	base, _, _ := strings.Cut(name, ".")
	own, _, _ := strings.Cut(mnemonic(&rules[blank.Op], blank), ".")
	return base == own
}

// reader reads the operands of one instruction.
type reader struct {
	blank  tesla.Instruction
	rule   *rule
	name   string // of the instruction
	tokens []tesla.Token
	list   []part

	in     tesla.Instruction
	label  string
	bits   uint64 // of an immediate, past the bits that the operation uses
	at     int    // part to be read
	best   int    // the farthest part that did not fit, -1 for the name
	wanted []string
}

// part is an operand: its text, and its first token.
type part struct {
	text  string
	token int
}

// split divides the tokens after the name at commas outside of brackets.
func split(tokens []tesla.Token) []part {
	var list []part
	open := false
	for i := 1; i < len(tokens); i++ {
		text := tokens[i].Text
		if !open {
			list = append(list, part{"", i})
		}
		last := &list[len(list)-1]
		switch {
		case last.text == "" || text == "," || strings.HasPrefix(text, ")"):
			last.text += text
		default:
			last.text += " " + text
		}
		open = !strings.HasSuffix(last.text, ",") || strings.Count(last.text, "(") > strings.Count(last.text, ")")
		if !open {
			last.text = strings.TrimSuffix(last.text, ",")
		}
	}
	return list
}

var (
	written = regexp.MustCompile(`\.C([0-3])$`)
	carried = regexp.MustCompile(`\.CARRY([0-3])`)
)

// registers takes the condition registers from the name.
func (r *reader) registers() {
	r.name = r.tokens[0].Text
	if m := written.FindStringSubmatch(r.name); m != nil && r.rule.flags {
		r.blank.CDst = tesla.C0 + tesla.CReg(m[1][0]-'0')
	} else if r.rule.flags {
		r.blank.CDst = tesla.NoCond
	}
	if m := carried.FindStringSubmatch(r.name); m != nil {
		r.blank.CarryIn = tesla.C0 + tesla.CReg(m[1][0]-'0')
	}
}

// hidden takes the modifiers of a conversion from its name; the other syntax prints no modifiers.
func (r *reader) hidden() {
	if strings.Contains(r.name, ".IR") {
		r.blank.Mods |= tesla.Integral
	}
	for i, suffix := range roundings {
		if suffix != "" && strings.Contains(r.name, suffix) {
			r.blank.Round = tesla.Round(i)
		}
	}
}

func (r *reader) failed() *tesla.ParseError {
	at := 0
	switch {
	case r.best >= len(r.list):
		at = len(r.tokens)
	case r.best >= 0 && len(r.list) > 0:
		at = r.list[r.best].token
	}
	return &tesla.ParseError{Tokens: r.tokens, At: at, Want: r.wanted}
}

// want notes what would fit at this part. It returns false.
func (r *reader) want(what ...string) bool {
	if r.at > r.best || r.wanted == nil {
		r.best, r.wanted = r.at, nil
	}
	if r.at == r.best {
		for _, w := range what {
			if w != "" && !slices.Contains(r.wanted, w) {
				r.wanted = append(r.wanted, w)
			}
		}
	}
	return false
}

// next returns the next part, "" after the last.
func (r *reader) next() string {
	if r.at < len(r.list) {
		return r.list[r.at].text
	}
	return ""
}

// word consumes a part that is one of several words, and returns the word's index.
func (r *reader) word(words ...string) (int, bool) {
	i := slices.Index(words, r.next())
	if i < 0 || r.at >= len(r.list) {
		return 0, r.want(words...)
	}
	r.at++
	return i, true
}

// number consumes a number.
func (r *reader) number() (uint32, bool) {
	v, err := strconv.ParseUint(r.next(), 0, 32)
	if err != nil {
		return 0, r.want("a number")
	}
	r.at++
	return uint32(v), true
}

// operands reads all operands.
func (r *reader) operands() bool {
	read := r.rule.read
	if read == nil {
		read = (*reader).usual
	}
	if !read(r) {
		return false
	}
	return r.at == len(r.list) || r.want("the end of the instruction")
}

var guardBehind = regexp.MustCompile(` \((C[0-3]\.[A-Z_]+)\)$`)

// guards takes the guard from after an operand.
func (r *reader) guards() {
	for i := range r.list {
		p := &r.list[i]
		m := guardBehind.FindStringSubmatchIndex(p.text)
		if m == nil {
			continue
		}
		if g, ok := parseGuard(p.text[m[2]:m[3]]); ok {
			r.blank.Guard, p.text = g, p.text[:m[0]]
		}
	}
}

// parseGuard reads "C0.NE".
func parseGuard(text string) (tesla.Guard, bool) {
	reg, name, ok := strings.Cut(text, ".")
	c := slices.Index(conditions[:], name)
	if !ok || c < 0 || name == "" || len(reg) != 2 || reg[0] != 'C' || reg[1] < '0' || reg[1] > '3' {
		return tesla.Guard{}, false
	}
	return tesla.Guard{Reg: reg[1] - '0', Cond: tesla.Cond(c)}, true
}
