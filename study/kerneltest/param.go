package kerneltest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// param checks one entry of params and converts it.
func (f *fileParam) param() (Param, error) {
	p := Param{Name: f.Name, Offset: f.Offset, Note: f.Note}
	switch f.Kind {
	case "value":
		if f.Words != 0 || f.Init != "" || f.Expect != "" || f.Rule != "" || f.RTol != nil || f.ATol != nil {
			return p, f.wrong("a value has only size and value")
		}
		return p, f.value(&p)
	case "buffer":
		if f.Size != 0 || f.Value != "" {
			return p, f.wrong("a buffer has no size or value")
		}
		p.Buffer = true
		return p, f.buffer(&p)
	}
	return p, f.wrong("kind is %q, want buffer or value", f.Kind)
}

func (f *fileParam) wrong(format string, args ...any) error {
	return wrong(fmt.Sprintf("param %q", f.Name), format, args...)
}

func (f *fileParam) value(p *Param) error {
	if !slices.Contains([]int{1, 2, 4, 8}, f.Size) {
		return f.wrong("size is %d, want 1, 2, 4 or 8", f.Size)
	}
	digits, ok := strings.CutPrefix(f.Value, "0x")
	n, err := strconv.ParseUint(digits, 16, 64)
	if !ok || err != nil || len(digits) != 2*f.Size {
		return f.wrong("value is %q, want 0x and %d hex digits", f.Value, 2*f.Size)
	}
	p.Value = binary.LittleEndian.AppendUint64(nil, n)[:f.Size]
	return nil
}

func (f *fileParam) buffer(p *Param) error {
	if f.Words < 1 {
		return f.wrong("words is %d, want at least 1", f.Words)
	}
	var err error
	if p.Init, err = f.words("init", f.Init); err != nil {
		return err
	}
	if f.Expect == Unchanged.String() {
		if f.Rule != "" || f.RTol != nil || f.ATol != nil {
			return f.wrong("an unchanged buffer has no compare")
		}
		p.Expect, p.Compare = p.Init, Unchanged
		return nil
	}
	if f.Rule == Any.String() {
		if f.Expect != "" || f.RTol != nil || f.ATol != nil {
			return f.wrong("%s has no expect and no tolerances", f.Rule)
		}
		p.Compare = Any
		return nil
	}
	if p.Expect, err = f.words("expect", f.Expect); err != nil {
		return err
	}
	switch f.Rule {
	case Exact.String():
		p.Compare = Exact
	case ExactBut2Percent.String():
		p.Compare = ExactBut2Percent
	case Float32.String():
		p.Compare = Float32
	case Float64.String():
		p.Compare = Float64
		if f.Words%2 != 0 {
			return f.wrong("float64 needs an even number of words, not %d", f.Words)
		}
	default:
		return f.wrong("compare is %q, want exact, float32, float64, exact_but_2_percent or any", f.Rule)
	}
	if p.Compare != Float32 && p.Compare != Float64 {
		if f.RTol != nil || f.ATol != nil {
			return f.wrong("%s has no tolerances", f.Rule)
		}
		return nil
	}
	if f.RTol == nil || f.ATol == nil || *f.RTol < 0 || *f.ATol < 0 {
		return f.wrong("%s needs rtol and atol, not negative", f.Rule)
	}
	p.RTol, p.ATol = *f.RTol, *f.ATol
	return nil
}

// mostWords bounds the words that a text may stand for: the largest device memory.
const mostWords = 1 << 30

// words reads hex words separated by blanks. Three dots at the end repeat all words before them.
func (f *fileParam) words(key, text string) ([]byte, error) {
	fields := strings.Fields(text)
	if last := len(fields) - 1; last > 0 && fields[last] == "..." {
		some, err := (&fileParam{Name: f.Name, Words: last}).words(key, strings.Join(fields[:last], " "))
		if err != nil {
			return nil, err
		}
		if f.Words > mostWords {
			return nil, f.wrong("words is %d, at most %d fit", f.Words, mostWords)
		}
		return bytes.Repeat(some, (f.Words+last-1)/last)[:4*f.Words], nil
	}
	if len(fields) != f.Words {
		return nil, f.wrong("%s has %d words, want %d", key, len(fields), f.Words)
	}
	b := make([]byte, 0, 4*len(fields))
	for i, s := range fields {
		w, err := strconv.ParseUint(s, 16, 32)
		if err != nil || len(s) != 8 {
			return nil, f.wrong("%s word %d is %q, want eight hex digits", key, i, s)
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(w))
	}
	return b, nil
}
