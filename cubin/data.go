package cubin

import (
	"cmp"
	"encoding/binary"
	"slices"

	"jacquard/tesla"
)

// dataRules bounds the fields of a const, consts or reloc block.
type dataRules struct {
	segname string
	named   bool
	anyBank bool
	bank    int // the only bank, unless anyBank
	offset  int // highest allowed
	bytes   int // highest allowed
}

// dataBlock holds the fields that const, consts and reloc blocks share.
type dataBlock struct {
	name                string
	bank, offset, bytes int
	init                []byte
}

// data reads a const, consts or reloc block.
func (p *textParser) data(key token, rules dataRules) (dataBlock, error) {
	v := dataBlock{bank: -1, offset: -1, bytes: -1}
	var segname string
	var words []uint32
	table := map[string]item{
		"segname": {value: word(&segname)},
		"segnum":  {value: integer("segnum", maxBank, &v.bank)},
		"offset":  {value: integer("offset", rules.offset, &v.offset)},
		"bytes":   {value: integer("bytes", rules.bytes, &v.bytes)},
		"mem":     {block: p.words(&words, maxInit)},
	}
	if rules.named {
		table["name"] = item{value: word(&v.name)}
	}
	if _, err := p.items(key.text, "}", table); err != nil {
		return v, err
	}
	switch {
	case segname != rules.segname:
		return v, errorAt(key, "%s has segname %q, want %q", key.text, segname, rules.segname)
	case v.bank < 0, v.offset < 0, v.bytes < 0:
		return v, errorAt(key, "%s needs segnum, offset and bytes", key.text)
	case !rules.anyBank && v.bank != rules.bank:
		return v, errorAt(key, "%s in bank %d, want %d", key.text, v.bank, rules.bank)
	case len(words) > 0 && 4*(len(words)-1) >= v.bytes:
		return v, errorAt(key, "mem holds %d words, %s only %d bytes", len(words), key.text, v.bytes)
	}
	v.init = littleEndian(words, v.bytes)
	return v, nil
}

// littleEndian turns words into at most most bytes; no words give nil. A size need not be a
// multiple of 4: the last word is cut.
func littleEndian(words []uint32, most int) []byte {
	if len(words) == 0 {
		return nil
	}
	b := make([]byte, 0, 4*len(words))
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b[:min(len(b), most)]
}

// span is the range of a constant bank that the block of key claims.
type span struct {
	key        token
	bank       int
	start, end int // bytes
}

// disjoint reports the first span that leaves its bank or overlaps an earlier span. Sorting keeps
// the cost low for hostile files.
func disjoint(spans []span) error {
	for _, s := range spans {
		if s.end > tesla.BankBytes {
			return errorAt(s.key, "%s ends at byte %d of a bank of %d", s.key.text, s.end, tesla.BankBytes)
		}
	}
	spans = slices.DeleteFunc(slices.Clone(spans), func(s span) bool { return s.start == s.end })
	slices.SortFunc(spans, func(a, b span) int {
		return cmp.Or(a.bank-b.bank, a.start-b.start, a.key.offset-b.key.offset)
	})
	for i := 1; i < len(spans); i++ {
		a, b := spans[i-1], spans[i]
		if a.bank == b.bank && a.end > b.start {
			later, other := a.key, b.key
			if b.key.offset > a.key.offset {
				later, other = other, later
			}
			return errorAt(later, "%s overlaps the one of line %d at byte %d of bank %d", later.text, other.line, b.start, b.bank)
		}
	}
	return nil
}
