package asm

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"jacquard/decoder"
	"jacquard/decoder/sass"
	"jacquard/tesla"
)

// Syntax is a text form of instructions.
type Syntax struct {
	Name string

	// Text prints an instruction.
	Text func(tesla.Instruction) string

	// Parse reads tokens as an instruction of the form of blank. The error is a *tesla.ParseError.
	Parse func(blank *tesla.Instruction, tokens []tesla.Token) ([]tesla.Parsed, error)
}

// The syntaxes of the reference disassembler and of NVIDIA's own.
var (
	Envy = Syntax{"envy", tesla.Instruction.String, parseEnvy}
	SASS = Syntax{"sass", sass.Text, sass.Parse}
)

func parseEnvy(blank *tesla.Instruction, tokens []tesla.Token) ([]tesla.Parsed, error) {
	p, err := tesla.Parse(*blank, tokens)
	return []tesla.Parsed{p}, err
}

// encoded is a way to encode a line.
type encoded struct {
	ok    bool
	w     uint64
	in    tesla.Instruction
	label string // stands for the target
}

// choice holds the encodings of a line: the first one with four bytes and the first with eight.
type choice struct{ short, long encoded }

// of returns the encoding with size bytes.
func (c *choice) of(size uint8) *encoded {
	if size == 4 {
		return &c.short
	}
	return &c.long
}

// encodings returns the encodings of an instruction's text. The error is a *tesla.ParseError.
func (s *Syntax) encodings(a tesla.Arch, tokens []tesla.Token) (choice, error) {
	var c choice
	var best *tesla.ParseError
	var refused *tesla.ParseError
	for f := tesla.Form(1); int(f) < tesla.Forms; f++ {
		if !decoder.Has(a, f) {
			continue
		}
		blank := &blanks()[f]
		to := c.of(blank.Size)
		if to.ok {
			continue
		}
		list, err := s.Parse(blank, tokens)
		if err != nil {
			best = farther(best, err.(*tesla.ParseError))
			continue
		}
		if !to.first(s, a, list, tokens) {
			refused = &tesla.ParseError{Tokens: tokens, At: 0, Want: []string{fmt.Sprintf("operands that %s takes together", strings.ToLower(blank.Op.String()))}}
		}
	}
	switch {
	case c.short.ok || c.long.ok:
		return c, nil
	case refused != nil:
		return c, refused
	case len(best.Want) > mostWanted || len(best.Want) == 0:
		best.Want = []string{"an operation of " + a.String()}
	}
	return c, best
}

// mostWanted is the most words that an error lists; a longer list would be all operations.
const mostWanted = 12

// blanks holds the Blank of every form.
var blanks = sync.OnceValue(func() *[tesla.Forms]tesla.Instruction {
	var list [tesla.Forms]tesla.Instruction
	for f := range list {
		list[f] = decoder.Blank(tesla.Form(f))
	}
	return &list
})

// first takes the first instruction of list that can be encoded.
func (e *encoded) first(s *Syntax, a tesla.Arch, list []tesla.Parsed, tokens []tesla.Token) bool {
	for _, p := range list {
		if w0, w1, ok := decoder.EncodeAs(a, p.Instruction); ok {
			*e = encoded{true, uint64(w1)<<32 | uint64(w0) | p.Bits, p.Instruction, p.Label}
			if s.verify(a, e, tokens) {
				return true
			}
		}
	}
	return false
}

// verify compares the text with the printed form of the instruction read from it, because the
// other syntax is ambiguous.
func (s *Syntax) verify(a tesla.Arch, e *encoded, tokens []tesla.Token) bool {
	if s.Name == Envy.Name || e.label != "" {
		return true
	}
	back := tesla.Tokens(s.Text(decoder.Decode(a, uint32(e.w), uint32(e.w>>32))), 1)
	e.ok = slices.EqualFunc(back, tokens, func(x, y tesla.Token) bool { return x.Text == y.Text })
	return e.ok
}

// farther returns the error that is farther right in the line. Two errors at one place become one
// with the wants of both.
func farther(a, b *tesla.ParseError) *tesla.ParseError {
	switch {
	case a == nil || b.At > a.At:
		return b
	case b.At < a.At:
		return a
	}
	for _, w := range b.Want {
		if !slices.Contains(a.Want, w) {
			a.Want = append(a.Want, w)
		}
	}
	return a
}
