package ptx

import (
	"fmt"
	"slices"
	"strings"
)

// Parse reads a module. Messages call the source by name. The error is Errors: all mistakes of the
// text. Without one, all names are resolved and all operands fit their instructions.
func Parse(name string, text []byte) (*Module, error) {
	p := &parser{
		lexer: lexer{text: string(text), line: 1},
		lang:  theLanguage(),
		m:     &Module{Name: name},
		room:  maxRegisters + len(text),
	}
	p.names.open()
	p.next()
	for p.tok.kind != tokEOF {
		p.statement(p.directive)
	}
	p.finish()
	if len(p.errors) > 0 {
		slices.SortStableFunc(p.errors, func(a, b *Error) int { return a.Pos.compare(b.Pos) })
		return nil, p.errors
	}
	return p.m, nil
}

// parser reads a text by recursive descent. After a mistake, bad is set, tok is tokBad, and nothing
// more is read or reported before the statement ends; see statement.
type parser struct {
	lexer
	lang   *language
	m      *Module
	errors Errors

	tok   token
	depth int   // braces that are open before tok
	bad   bool  // there was a mistake in this statement
	at    token // where
	end   int   // of the token before tok

	names names
	// registers holds the registers that the module declares, borrowed the part of them that fn
	// uses.
	registers []moduleRegister
	borrowed  []*Decl
	fn        *Func // whose body is read
	room      int   // registers that may still be declared
	filled    int   // bytes of initial content
	// widest is the widest register that holds an address, if the text does not tell.
	widest int

	pools
	shapes  []*shape // of the operands of one instruction
	calls   []*Instr // calls with immediate arguments in this body
	waiting use      // the place that was named last
}

// next goes to the next token.
func (p *parser) next() {
	if p.bad {
		return
	}
	p.advance()
}

func (p *parser) advance() {
	switch p.tok.kind {
	case '{':
		p.depth++
	case '}':
		p.depth--
	}
	p.end = p.lexer.at
	p.tok = p.lexer.next()
}

// statement reads one statement by a function. After a mistake, the rest of it is skipped.
func (p *parser) statement(read func()) {
	depth, at := p.depth, p.tok.pos
	read()
	if p.bad {
		p.bad, p.tok = false, p.at
		p.skipStatement(depth)
	}
	if p.tok.pos == at && p.tok.kind != tokEOF {
		p.advance() // any statement is at least a token
	}
	if len(p.errors) >= maxErrors {
		p.lexer.at, p.tok = len(p.lexer.text), token{kind: tokEOF}
	}
}

// skipStatement goes behind the next ; of a depth. In a body, it stops at the } that closes the
// depth; outside, it goes behind a } that returns to it.
func (p *parser) skipStatement(depth int) {
	for p.tok.kind != tokEOF {
		kind := p.tok.kind
		if kind == '}' && p.depth <= depth && p.fn != nil {
			return
		}
		p.advance()
		if p.depth <= depth && (kind == ';' || kind == '}' && p.fn == nil) {
			return
		}
	}
}

// errorAt reports a mistake without giving up the statement.
func (p *parser) errorAt(pos Pos, format string, args ...any) {
	if p.bad || len(p.errors) >= maxErrors {
		return
	}
	p.errors = append(p.errors, &Error{p.m.Name, pos, fmt.Sprintf(format, args...)})
}

// fail reports a mistake at the current token and gives up the statement.
func (p *parser) fail(format string, args ...any) { p.failAt(p.tok.pos, format, args...) }

// failAt reports a mistake at a place before the current token and gives up the statement.
func (p *parser) failAt(pos Pos, format string, args ...any) {
	if p.bad {
		return
	}
	n := len(p.errors)
	if p.tok.kind != tokEOF || n == 0 || p.errors[n-1].Pos != pos { // the end is reported once
		p.errorAt(pos, format, args...)
	}
	p.bad, p.at, p.tok = true, p.tok, token{kind: tokBad, pos: p.tok.pos}
}

// want reports that something else was expected than the current token.
func (p *parser) want(what string) {
	p.fail("found %s; expected %s", p.tok.describe(), what)
}

// accept goes behind a token if it is of a kind.
func (p *parser) accept(k kind) bool {
	if p.tok.kind != k {
		return false
	}
	p.next()
	return true
}

// acceptWord goes behind a word if it is the one given.
func (p *parser) acceptWord(text string) bool {
	if p.tok.kind != tokWord || p.tok.text != text {
		return false
	}
	p.next()
	return true
}

// expect goes behind a token of a kind: one that stands for itself.
func (p *parser) expect(k kind) {
	if !p.accept(k) {
		p.want(quote(string(rune(k))))
	}
}

// ident returns a name and goes behind it.
func (p *parser) ident(what string) token {
	t := p.tok
	if t.kind != tokIdent {
		p.want(what)
		return token{pos: t.pos}
	}
	p.next()
	return t
}

// oneOf lists alternatives for a message.
func oneOf(words []string) string {
	const most = 40
	if len(words) > most {
		words = append(words[:most:most], "...")
	}
	if len(words) == 1 {
		return words[0]
	}
	return "one of " + strings.Join(words, ", ")
}

// finish completes the module at the end of the text.
func (p *parser) finish() {
	if p.m.Version == (Version{}) {
		p.errorAt(Pos{1, 1}, "no .version")
	}
	if p.m.AddressBits != 0 {
		return
	}
	p.m.AddressBits = 32
	if p.widest == 64 || p.widest == 0 && p.longParams() {
		p.m.AddressBits = 64
	}
}

// longParams reports whether a kernel has a parameter that may be an address of 64 bits.
func (p *parser) longParams() bool {
	for _, item := range p.m.Items {
		f, ok := item.(*Func)
		if !ok || !f.Entry {
			continue
		}
		for _, v := range f.Params {
			if v.Type == U64 || v.Type == B64 {
				return true
			}
		}
	}
	return false
}
