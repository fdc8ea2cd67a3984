package expr

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Node is a parsed expression.
type Node struct {
	op   string // an operator, or: number, name, register, call, cast, index, member, unary operators with a u before
	text string
	val  Value
	typ  *Type
	args []*Node
}

// Parse parses an expression.
func Parse(text string) (*Node, error) {
	p := &parser{}
	if err := p.scan(text); err != nil {
		return nil, err
	}
	n, err := p.binary(0)
	if err == nil && p.at < len(p.tokens) {
		err = fmt.Errorf("%q is left over", p.tokens[p.at])
	}
	if err != nil {
		return nil, fmt.Errorf("expression %q: %w", text, err)
	}
	return n, nil
}

type parser struct {
	tokens []string
	at     int
}

var operators = []string{"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->"}

// scan splits text into tokens.
func (p *parser) scan(text string) error {
next:
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		n := 1
		for _, o := range operators {
			if strings.HasPrefix(text, o) {
				p.tokens, text = append(p.tokens, o), text[2:]
				continue next
			}
		}
		switch c := text[0]; {
		case digit(c):
			for n < len(text) && (letter(text[n]) || digit(text[n]) || text[n] == '.' || (text[n] == '-' || text[n] == '+') && strings.ContainsRune("eE", rune(text[n-1])) && !strings.HasPrefix(text, "0x")) {
				n++
			}
		case letter(c) || c == '$' || c == '@':
			for n < len(text) && (letter(text[n]) || digit(text[n])) {
				n++
			}
		case !strings.ContainsRune("+-*/%&|^~!<>()[].,=?:", rune(c)):
			return fmt.Errorf("%q is no part of an expression", c)
		}
		p.tokens, text = append(p.tokens, text[:n]), text[n:]
	}
	return nil
}

func digit(c byte) bool  { return c >= '0' && c <= '9' }
func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

func (p *parser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return ""
}

func (p *parser) take(token string) bool {
	if p.peek() != token || token == "" {
		return false
	}
	p.at++
	return true
}

func (p *parser) want(token string) error {
	if !p.take(token) {
		return fmt.Errorf("want %q", token)
	}
	return nil
}

// levels are the binary operators, those that bind least first.
var levels = [][]string{
	{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"},
}

func (p *parser) binary(level int) (*Node, error) {
	if level == len(levels) {
		return p.unary()
	}
	n, err := p.binary(level + 1)
	for err == nil {
		op := ""
		for _, o := range levels[level] {
			if p.take(o) {
				op = o
				break
			}
		}
		if op == "" {
			return n, nil
		}
		var right *Node
		right, err = p.binary(level + 1)
		n = &Node{op: op, args: []*Node{n, right}}
	}
	return nil, err
}

func (p *parser) unary() (*Node, error) {
	for _, o := range [...]string{"-", "+", "!", "~", "*", "&"} {
		if p.take(o) {
			n, err := p.unary()
			return &Node{op: "u" + o, args: []*Node{n}}, err
		}
	}
	if p.peek() == "(" {
		begin := p.at
		p.at++
		t, err := p.typeName()
		if err != nil {
			return nil, err
		}
		if t != nil {
			if err := p.want(")"); err != nil {
				return nil, err
			}
			n, err := p.unary()
			return &Node{op: "cast", typ: t, args: []*Node{n}}, err
		}
		p.at = begin
	}
	return p.postfix()
}

// typeName parses a type; nil if none begins here.
func (p *parser) typeName() (*Type, error) {
	begin, space := p.at, ""
	if s, ok := strings.CutPrefix(p.peek(), "@"); ok {
		if space = spaces[s]; space == "" {
			return nil, fmt.Errorf("no memory @%s: want %s", s, spaceNames())
		}
		p.at++
	}
	words := ""
	for {
		w := strings.TrimSpace(words + " " + p.peek())
		if p.peek() == "const" {
			p.at++
			continue
		}
		if _, ok := named[w]; !ok {
			break
		}
		words = w
		p.at++
	}
	t := named[words]
	if t == nil {
		p.at = begin
		if space != "" {
			return nil, fmt.Errorf("want a type after @%s", space)
		}
		return nil, nil
	}
	for p.take("*") {
		if space == "" {
			space = "global"
		}
		t = PointerTo(t, space)
		space = ""
	}
	return t, nil
}

func (p *parser) postfix() (*Node, error) {
	n, err := p.primary()
	for err == nil {
		switch {
		case p.take("["):
			var i *Node
			if i, err = p.binary(0); err == nil {
				err = p.want("]")
			}
			n = &Node{op: "index", args: []*Node{n, i}}
		case p.take("."), p.take("->"):
			arrow := p.tokens[p.at-1] == "->"
			if arrow {
				n = &Node{op: "u*", args: []*Node{n}}
			}
			name := p.peek()
			if name == "" || !letter(name[0]) {
				return nil, errors.New("want the name of a member")
			}
			n = &Node{op: "member", text: name, args: []*Node{n}}
			p.at++
		default:
			return n, nil
		}
	}
	return nil, err
}

func (p *parser) primary() (*Node, error) {
	t := p.peek()
	if t == "" {
		return nil, fmt.Errorf("it breaks off")
	}
	p.at++
	switch {
	case t == "(":
		n, err := p.binary(0)
		if err == nil {
			err = p.want(")")
		}
		return n, err
	case t[0] == '$':
		return &Node{op: "register", text: t[1:]}, nil
	case letter(t[0]):
		return &Node{op: "name", text: t}, nil
	case digit(t[0]):
		return number(t)
	}
	return nil, fmt.Errorf("unexpected %q", t)
}

// number parses a number as C does.
func number(t string) (*Node, error) {
	hex := strings.HasPrefix(t, "0x") || strings.HasPrefix(t, "0X")
	if !hex && strings.ContainsAny(t, ".eEfF") {
		single := strings.TrimRight(t, "fF")
		f, err := strconv.ParseFloat(single, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is no number", t)
		}
		if single != t {
			return &Node{op: "number", val: OfFloat(TypeFloat, f)}, nil
		}
		return &Node{op: "number", val: OfFloat(TypeDouble, f)}, nil
	}
	plain := strings.TrimRight(t, "uUlL")
	u, err := strconv.ParseUint(plain, 0, 64)
	if err != nil {
		return nil, fmt.Errorf("%q is no number", t)
	}
	unsigned := strings.ContainsAny(t[len(plain):], "uU")
	typ := TypeULong
	switch {
	case !unsigned && u < 1<<31:
		typ = TypeInt
	case (unsigned || hex) && u < 1<<32:
		typ = TypeUint
	case !unsigned && u < 1<<63:
		typ = TypeLong
	}
	return &Node{op: "number", val: Of(typ, int64(u))}, nil
}
