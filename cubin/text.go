package cubin

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"jacquard/tesla"
)

// textParser reads one text cubin into img. The other fields detect second definitions.
type textParser struct {
	*lexer
	img     Image
	kernels map[string]bool
	names   map[string]bool // of variables and samplers
	units   map[int]bool
	spans   []span // of the module's own banks
}

// item describes what may follow a key: a value after "=", or a block, whose reader starts after
// the opening brace.
type item struct {
	value  func(token) error
	block  func(key token) error
	repeat bool // may occur more than once
}

func parseText(data []byte) (*Image, error) {
	p := &textParser{lexer: newLexer(data), kernels: map[string]bool{}, names: map[string]bool{}, units: map[int]bool{}}
	hasArch := false
	end, err := p.items("the file", "", map[string]item{
		"architecture": {block: p.single(func(t token) (err error) {
			if p.img.Arch, err = tesla.ParseArch(t.text); err != nil {
				return errorAt(t, "%v", err)
			}
			hasArch = true
			return nil
		})},
		"abiversion": {block: p.single(integer("abiversion", maxABI, &p.img.ABIVersion))},
		"modname":    {block: p.single(word(&p.img.Name))},
		"code":       {block: p.code, repeat: true},
		"consts":     {block: p.constant, repeat: true},
		"reloc":      {block: p.global, repeat: true},
		"sampler":    {block: p.sampler, repeat: true},
	})
	if err != nil {
		return nil, err
	}
	if !hasArch {
		return nil, errorAt(end, "no architecture block")
	}
	if err := disjoint(p.spans); err != nil {
		return nil, err
	}
	return &p.img, nil
}

// items reads items up to the token end ("" is the end of the data) and returns that token.
func (p *textParser) items(where, end string, table map[string]item) (token, error) {
	seen := map[string]bool{}
	for {
		key, err := p.next()
		if err != nil || key.text == end {
			return key, err
		}
		it, known := table[key.text]
		switch {
		case key.text == "":
			return key, errorAt(key, "the data ends inside %s", where)
		case !known:
			return key, errorAt(key, "unknown key in %s: want %s", where, strings.Join(slices.Sorted(maps.Keys(table)), ", "))
		case seen[key.text] && !it.repeat:
			return key, errorAt(key, "second %s in %s", key.text, where)
		}
		seen[key.text] = true
		if it.block != nil {
			if err = p.expect("{", key.text); err == nil {
				err = it.block(key)
			}
		} else if err = p.expect("=", key.text); err == nil {
			err = p.value(key.text, it.value)
		}
		if err != nil {
			return key, err
		}
	}
}

// expect reads the punctuation that must follow.
func (p *textParser) expect(text, after string) error {
	t, err := p.next()
	if err == nil && t.text != text {
		err = errorAt(t, "want %q after %s", text, after)
	}
	return err
}

// value reads one word and passes it to set.
func (p *textParser) value(of string, set func(token) error) error {
	t, err := p.next()
	switch {
	case err != nil:
		return err
	case !t.isWord():
		return errorAt(t, "want a value for %s", of)
	}
	return set(t)
}

// single returns a reader of a block that holds one word.
func (p *textParser) single(set func(token) error) func(token) error {
	return func(key token) error {
		if err := p.value(key.text, set); err != nil {
			return err
		}
		return p.expect("}", "the value of "+key.text)
	}
}

// words returns a reader of a block of at most most machine words.
func (p *textParser) words(to *[]uint32, most int) func(token) error {
	return func(key token) error {
		for {
			t, err := p.next()
			switch {
			case err != nil:
				return err
			case t.text == "}":
				return nil
			case t.text == "":
				return errorAt(t, "the data ends inside %s", key.text)
			case len(*to) == most:
				return errorAt(t, "more than %d words in %s", most, key.text)
			}
			w, err := number(t)
			if err != nil {
				return err
			}
			*to = append(*to, w)
		}
	}
}

// skip passes over a block and its nested blocks.
func (p *textParser) skip(key token) error {
	for depth := 1; depth > 0; {
		t, err := p.next()
		switch {
		case err != nil:
			return err
		case t.text == "":
			return errorAt(t, "the data ends inside %s", key.text)
		case t.text == "{":
			depth++
		case t.text == "}":
			depth--
		}
	}
	return nil
}

// word returns a setter of a string.
func word(to *string) func(token) error {
	return func(t token) error {
		*to = t.text
		return nil
	}
}

// integer returns a setter of a number from 0 to most.
func integer(of string, most int, to *int) func(token) error {
	return func(t token) error {
		n, err := number(t)
		if err == nil && int64(n) > int64(most) {
			err = errorAt(t, "%s is above the limit of %d", of, most)
		}
		*to = int(n)
		return err
	}
}

// number reads a decimal or 0x number of 32 bits. A leading zero does not mean octal: old files
// print a zero word as 0000000000.
func number(t token) (uint32, error) {
	digits, base := t.text, 10
	if len(digits) > 2 && (digits[:2] == "0x" || digits[:2] == "0X") {
		digits, base = digits[2:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil {
		return 0, errorAt(t, "want a number of at most 32 bits, decimal or 0x")
	}
	return uint32(n), nil
}
