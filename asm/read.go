package asm

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"jacquard/cubin"
	"jacquard/tesla"
)

// Read assembles the text of one module: the output of a [Writer], labels ("name:"), and comments
// ("//" to the end of the line, and "/* */" within a line). Addresses and words before instructions
// are comments, too. The error is a *SyntaxError, or several joined.
func Read(text string) (*cubin.Image, error) {
	return read(source{syntax: Envy, img: &cubin.Image{}}, text)
}

// ReadLines assembles a text as Read does, and gives kernels a line table of the text itself under a
// name.
func ReadLines(name, text string) (*cubin.Image, error) {
	return read(source{syntax: Envy, img: &cubin.Image{}, name: name}, text)
}

func read(r source, text string) (*cubin.Image, error) {
	for n, l := range strings.Split(text, "\n") {
		r.line = n + 1
		if err := r.read(strings.TrimRight(l, "\r")); err != nil {
			r.errs = append(r.errs, err)
		}
	}
	r.finish()
	if !r.module && r.errs == nil {
		r.errs = append(r.errs, &SyntaxError{1, 1, "expected .module; found no module"})
	}
	if r.errs != nil {
		return nil, errors.Join(r.errs...)
	}
	return r.img, nil
}

// source is a text being read.
type source struct {
	syntax Syntax
	img    *cubin.Image
	name   string // of the text in line tables; "" for no tables
	module bool
	line   int
	errs   []error

	kernel *cubin.Kernel // the last kernel, nil before the first
	sizes  Sizes
	code   []statement
	labels map[string]labelled // of the kernel
	data   *[]byte             // that .words adds to
	room   int                 // bytes that it can hold
}

// labelled is the place of a label: before a statement.
type labelled struct{ index, line int }

// statement is an instruction with its place in the text.
type statement struct {
	item
	bits         uint64
	line, column int
	target       int // column of its label
}

// lead matches the address, words and marks in front of an instruction in a listing.
var lead = regexp.MustCompile(`^[0-9a-f]{8}:( [0-9a-f]{8}){1,2} +(CB |C  |B |C )?`)

// decoration matches the lines of a listing in the other syntax that are no instructions.
var decoration = regexp.MustCompile(`^\s*(code for sm_1[0-3]|Function : .*|\.{20,})\s*$`)

var labelStart = regexp.MustCompile(`^\s*([A-Za-z_][A-Za-z_0-9.]*):`)

func (r *source) fail(column int, format string, args ...any) error {
	return &SyntaxError{r.line, column, fmt.Sprintf(format, args...)}
}

// read reads one line. It blanks parts without meaning, so that columns stay the same.
func (r *source) read(text string) error {
	text = withoutComments(text)
	if decoration.MatchString(text) {
		return nil
	}
	if n := len(lead.FindString(text)); n > 0 {
		text = strings.Repeat(" ", n) + text[n:]
	}
	for {
		m := labelStart.FindStringSubmatchIndex(text)
		if m == nil {
			break
		}
		if err := r.label(text[m[2]:m[3]], m[2]+1); err != nil {
			return err
		}
		text = strings.Repeat(" ", m[1]) + text[m[1]:]
	}
	trimmed := strings.TrimLeftFunc(text, unicode.IsSpace)
	column := len(text) - len(trimmed) + 1
	switch {
	case trimmed == "":
		return nil
	case trimmed[0] == '.':
		return r.directive(fields(trimmed, column))
	}
	return r.instruction(strings.TrimRightFunc(trimmed, func(c rune) bool { return c == ';' || unicode.IsSpace(c) }), column)
}

// withoutComments blanks comments.
func withoutComments(text string) string {
	for {
		start := strings.Index(text, "/*")
		if start < 0 {
			break
		}
		end := strings.Index(text[start:], "*/")
		if end < 0 {
			break
		}
		end += start + 2
		text = text[:start] + strings.Repeat(" ", end-start) + text[end:]
	}
	text, _, _ = strings.Cut(text, "//")
	return text
}

func (r *source) label(name string, column int) error {
	if r.kernel == nil {
		return r.fail(column, "expected .kernel before label %s", name)
	}
	if old, ok := r.labels[name]; ok {
		return r.fail(column, "label %s is already at line %d", name, old.line)
	}
	r.labels[name] = labelled{len(r.code), r.line}
	return nil
}

// instruction reads an instruction and the note in braces after it.
func (r *source) instruction(text string, column int) error {
	if r.kernel == nil {
		return r.fail(column, "expected .kernel before the first instruction; found %q", strings.Fields(text + " ;")[0])
	}
	x := statement{line: r.line, column: column}
	body, note, noted := strings.Cut(text, "{")
	if noted {
		if err := r.note(&x, note, column+len(body)+1); err != nil {
			return err
		}
	}
	if x.raw == nil && strings.HasPrefix(body, "???") {
		list, err := r.words(fields(strings.TrimPrefix(body, "???"), column+3))
		if err != nil || len(list) == 0 || len(list) > 2 {
			return r.fail(column, "expected an instruction, or {words ...} behind one that is none; found \"???\"")
		}
		x.raw = list
	}
	if x.raw == nil {
		tokens := tesla.Tokens(body, column)
		c, err := r.syntax.encodings(r.img.Arch, tokens)
		if err != nil {
			return r.wrong(err.(*tesla.ParseError), column+len(strings.TrimRight(body, " \t")))
		}
		x.choice = c
		if x.forced != 0 && !c.of(x.forced).ok {
			return r.fail(column, "%s has no encoding of %d bytes", tokens[0].Text, x.forced)
		}
		x.target = tokens[len(tokens)-1].Column
	}
	r.code = append(r.code, x)
	return nil
}

// wrong gives an error its place; end is the column after the last word.
func (r *source) wrong(e *tesla.ParseError, end int) error {
	if e.At < len(e.Tokens) {
		end = e.Tokens[e.At].Column
	}
	return r.fail(end, "%s", e.Error())
}

// note reads "short", "long", "exit", "bits W0 [W1]" and "words W0 [W1]", separated by commas.
func (r *source) note(x *statement, text string, column int) error {
	inside, rest, ok := strings.Cut(text, "}")
	if !ok || strings.Trim(rest, " \t;") != "" {
		return r.fail(column+len(inside), "expected } at the end of the line")
	}
	for part := range strings.SplitSeq(inside, ",") {
		list := fields(part, column)
		column += len(part) + 1
		if len(list) == 0 {
			return r.fail(column, "expected short, long, exit, bits or words; found nothing")
		}
		words, err := r.words(list[1:])
		size := slices.Index([]string{"short", "long"}, list[0].Text)
		switch {
		case err != nil:
			return err
		case size >= 0 && len(words) == 0:
			x.forced = uint8(4 + 4*size)
		case list[0].Text == "exit" && len(words) == 0:
			x.bits ^= exitBit
		case list[0].Text == "bits" && (len(words) == 1 || len(words) == 2):
			for i, w := range words {
				x.bits ^= uint64(w) << (32 * i)
			}
		case list[0].Text == "words" && (len(words) == 1 || len(words) == 2):
			x.raw = words
		default:
			return r.fail(list[0].Column, "expected short, long, exit, bits or words; found %q", list[0].Text)
		}
	}
	return nil
}

// words reads numbers of 32 bits.
func (r *source) words(list []tesla.Token) ([]uint32, error) {
	var out []uint32
	for _, f := range list {
		v, err := strconv.ParseUint(f.Text, 0, 32)
		if err != nil {
			return nil, r.fail(f.Column, "expected a number of 32 bits; found %q", f.Text)
		}
		out = append(out, uint32(v))
	}
	return out, nil
}
