package tesla

import (
	"slices"
	"strings"
)

// Parsed is an instruction read from text, with the parts that an Instruction cannot hold.
type Parsed struct {
	Instruction
	Label string // stands for Target; "" if a number does
	Bits  uint64 // of an immediate, past the bits that the operation uses
}

// Parse reads tokens in the syntax of Instruction.String as an instruction of the form of blank,
// which has the members common to the form. It is the reverse of String; members that the text
// leaves open are as in blank. The error is a *ParseError.
func Parse(blank Instruction, tokens []Token) (Parsed, error) {
	if blank.Form == 0 || int(blank.Form) >= len(syntax) {
		return Parsed{}, &ParseError{Want: []string{"an instruction of a known form"}}
	}
	r := reader{in: Parsed{Instruction: blank}, tokens: tokens}
	for _, p := range syntax[blank.Form] {
		if !r.piece(p) {
			return Parsed{}, r.failed()
		}
	}
	if r.at < len(tokens) {
		r.want("the end of the instruction")
		return Parsed{}, r.failed()
	}
	r.complete()
	return r.in, nil
}

// complete sets the members that follow from others.
func (r *reader) complete() {
	in := &r.in
	if in.Op.about().components && in.Dst.Kind == None { // no component is fetched
		in.Dst = Operand{Kind: Reg, Index: in.Src[0].Index}
	}
	if in.Src[0].Kind == Reg { // 8 bits of a full register print like 8 bits of a half
		switch in.From {
		case U8:
			in.From = U8W
		case S8:
			in.From = S8W
		}
	}
}

// reader reads the pieces of one form from tokens.
type reader struct {
	in     Parsed
	tokens []Token
	at     int
	wanted []string // texts that would fit at token at
}

// next returns the next token, "" after the last.
func (r *reader) next() string {
	if r.at < len(r.tokens) {
		return r.tokens[r.at].Text
	}
	return ""
}

// take consumes n tokens.
func (r *reader) take(n int) bool {
	r.at += n
	r.wanted = nil
	return true
}

// want notes the words that would fit, and reports whether they may be omitted.
func (r *reader) want(what ...string) bool {
	for _, w := range what {
		if w != "" && !slices.Contains(r.wanted, w) {
			r.wanted = append(r.wanted, w)
		}
	}
	return false
}

func (r *reader) failed() *ParseError { return &ParseError{Tokens: r.tokens, At: r.at, Want: r.wanted} }

// is consumes a text of one or several tokens.
func (r *reader) is(text string) bool {
	words := strings.Fields(text)
	for i, w := range words {
		if r.at+i >= len(r.tokens) || r.tokens[r.at+i].Text != w {
			return false
		}
	}
	return r.take(len(words))
}

// oneOf consumes one of several words and returns its index.
func (r *reader) oneOf(words []string) (int, bool) {
	for i, w := range words {
		if w != "" && r.is(w) {
			return i, true
		}
	}
	return 0, r.want(words...)
}

// piece reads one piece.
func (r *reader) piece(p piece) bool {
	switch p.show {
	case showWord:
		return r.is(p.words[0]) || r.want(p.words[0])
	case showOne, showMaybe:
		v, ok := r.oneOf(p.words)
		r.in.setMember(member(p.arg), int64(v))
		return ok || p.show == showMaybe
	case showFlag:
		if _, ok := r.oneOf(p.words); ok {
			r.in.Mods |= Mods(p.arg)
		}
		return true
	case showHex:
		return r.hex(member(p.arg))
	case showLanes:
		return r.lanes()
	case showIcmp, showCmp:
		return r.cmp(p.show == showIcmp)
	case showQuadlane:
		v, ok := r.oneOf([]string{"l0", "l1", "l2", "l3", "dx", "dy"})
		r.in.QuadLane = uint8(v)
		return ok
	case showTexdst:
		return r.texdst()
	case showTexsrc:
		return r.texsrc()
	case showTexunit:
		return r.numbered("$t", &r.in.Tex.Unit, "a texture unit $t0")
	case showTexsampler:
		return r.numbered("$s", &r.in.Tex.Sampler, "a sampler $s0")
	case showGuard:
		return r.guard()
	}
	return r.operandPiece(p)
}

// hex reads a number, or a label.
func (r *reader) hex(m member) bool {
	text := r.next()
	if v, ok := number(text); ok {
		if r.in.setMember(m, v); r.in.member(m) != v {
			return r.want("a number that fits")
		}
		return r.take(1)
	}
	if m == memberTarget && isName(text) {
		r.in.Label = text
		return r.take(1)
	}
	if m == memberTarget {
		r.want("a label")
	}
	return r.want("a number")
}

// lanes reads the lanes of four that execute, or all without text.
func (r *reader) lanes() bool {
	list, ok := strings.CutPrefix(r.next(), "(l")
	if !ok || r.at+1 >= len(r.tokens) || r.tokens[r.at+1].Text != ")" {
		return !r.want("lanes like (l02)")
	}
	r.in.Idle = 15
	if list != "none" {
		for _, c := range list {
			if c < '0' || c > '3' {
				return r.want("lanes like (l02)")
			}
			r.in.Idle &^= 1 << (c - '0')
		}
	}
	return r.take(2)
}

// cmp reads the outcomes for which a comparison is true; integers are never unordered.
func (r *reader) cmp(integer bool) bool {
	const most = Less | Equal | Greater | Unordered
	for c := range most + 1 {
		if r.next() == c.String() {
			if integer && c == most {
				c &^= Unordered
			}
			r.in.Cmp = c
			return r.take(1)
		}
	}
	return r.want("a comparison like le")
}

// guard reads a guard, or nothing.
func (r *reader) guard() bool {
	word, ok := strings.CutPrefix(r.next(), "(")
	if !ok {
		return !r.want("a guard like (lg $c0)")
	}
	r.want("a guard like (lg $c0)")
	c := slices.Index(wordsCond, word)
	at, n := r.at, 2
	if Cond(c) != CondNever {
		n = 3
	}
	if c < 0 || at+n > len(r.tokens) || r.tokens[at+n-1].Text != ")" {
		return true // lanes, or an error that a later piece finds
	}
	r.in.Guard = Guard{Cond: Cond(c)}
	if n == 3 {
		o, ok := parseOperand(r.tokens[at+1].Text)
		if !ok || o.Kind != CondReg {
			r.take(1)
			return r.want("$c0, $c1, $c2 or $c3")
		}
		r.in.Guard.Reg = o.Index
	}
	return r.take(n)
}
