package ptx

import (
	"math/bits"
	"strings"
)

// form is one form of an operation, made from a line of the table.
type form struct {
	op      Op
	slots   []slot
	args    []arg
	since   Version
	arch    int
	allowed [numFields]uint64 // the values, or flags, of each field; bit 0 for none
	groups  []group
	vector  bool // there is a slot for .v2 and .v4
	least   int  // operands that must be there
}

// slot is a place for one of some words.
type slot struct {
	words    []word
	optional bool
	fixed    bool // the word is always there and has no field
	dropped  bool // the word is accepted and not printed
}

// word is a modifier and its meaning.
type word struct {
	text string
	meaning
}

// group is a slot that takes at most one of several flags.
type group struct {
	flags    Mods
	optional bool
}

// arg is an operand of a form.
type arg struct {
	shape    *shape
	optional bool
}

// newForm reads a line of the table.
func newForm(op Op, mods, args, since string) *form {
	f := &form{op: op}
	for i := range f.allowed {
		f.allowed[i] = 1
	}
	f.allowed[fieldMods] = 0
	for text := range strings.FieldsSeq(mods) {
		f.addSlot(text)
	}
	for text := range strings.FieldsSeq(args) {
		letter, optional := strings.CutPrefix(text, "?")
		f.args = append(f.args, arg{&shapes[letter[0]], optional})
		if !optional {
			f.least++
		}
	}
	for text := range strings.FieldsSeq(since) {
		if arch, ok := strings.CutPrefix(text, "sm_"); ok {
			f.arch = decimal(arch)
			continue
		}
		major, minor, _ := strings.Cut(text, ".")
		f.since = Version{decimal(major), decimal(minor)}
	}
	return f
}

// decimal returns the number that digits of the table stand for.
func decimal(digits string) int {
	n := 0
	for _, c := range digits {
		n = 10*n + int(c-'0')
	}
	return n
}

// addSlot adds a slot of the table.
func (f *form) addSlot(text string) {
	var s slot
	text, s.fixed = strings.CutPrefix(text, "=")
	text, s.dropped = strings.CutPrefix(text, "-")
	text, s.optional = strings.CutSuffix(text, "?")
	name := ""
	for part := range strings.SplitSeq(text, "|") {
		if macro := macros[part]; macro != "" {
			part = macro
		}
		for word := range strings.SplitSeq(part, "|") {
			name = s.addWord(word, name)
		}
	}
	f.slots = append(f.slots, s)
	if !s.fixed && !s.dropped {
		f.allow(&f.slots[len(f.slots)-1])
	}
}

// addWord adds an alternative, which may have the name of a field before it. It returns that name,
// or the one that the alternatives before it have.
func (s *slot) addWord(text, name string) string {
	if before, after, named := strings.Cut(text, ":"); named && !strings.HasPrefix(after, ":") {
		name, text = before, after
	}
	w := word{text: text}
	if !s.fixed && !s.dropped {
		w.meaning = meaningOf(text, name)
	}
	s.words = append(s.words, w)
	return name
}

// allow notes the words that the slot allows. The second slot of types sets Instr.From, the third
// Instr.From2.
func (f *form) allow(s *slot) {
	at := s.words[0].field
	if at == fieldType && f.allowed[fieldType] != 1 {
		at = fieldFrom
		if f.allowed[fieldFrom] != 1 {
			at = fieldFrom2
		}
		for i := range s.words {
			s.words[i].field = at
		}
	}
	f.vector = f.vector || at == fieldVector
	var values uint64
	for _, w := range s.words {
		values |= 1 << w.value
	}
	if at == fieldMods {
		f.groups = append(f.groups, group{Mods(values), s.optional})
	} else if !s.optional {
		f.allowed[at] &^= 1
	}
	f.allowed[at] |= values
}

// matches reports whether the instruction has the modifiers of the form.
func (f *form) matches(ins *Instr) bool {
	if ins.Mods&^Mods(f.allowed[fieldMods]) != 0 {
		return false
	}
	for at := fieldType; at < numFields; at++ {
		if at != fieldMods && f.allowed[at]>>ins.get(at)&1 == 0 {
			return false
		}
	}
	for _, g := range f.groups {
		n := bits.OnesCount64(uint64(ins.Mods & g.flags))
		if n > 1 || n == 0 && !g.optional {
			return false
		}
	}
	return true
}

// misses counts the modifiers of the instruction that the form lacks, and its own that are missing.
func (f *form) misses(ins *Instr) int {
	n := bits.OnesCount64(uint64(ins.Mods &^ Mods(f.allowed[fieldMods])))
	for at := fieldType; at < numFields; at++ {
		if at != fieldMods && f.allowed[at]>>ins.get(at)&1 == 0 {
			n++
		}
	}
	for _, g := range f.groups {
		if g.flags&ins.Mods == 0 && !g.optional {
			n++
		}
	}
	return n
}

// nearForms returns the forms that differ least from the instruction.
func (l *language) nearForms(ins *Instr) []string {
	var all []string
	least := 1 << 10
	for _, f := range l.forms[ins.Op] {
		n := f.misses(ins)
		if n < least {
			all, least = nil, n
		}
		if n == least {
			all = append(all, f.String())
		}
	}
	return all
}

// formOf returns the form of an instruction, nil if it has none.
func (l *language) formOf(ins *Instr) *form {
	if int(ins.Op) >= len(l.forms) {
		return nil
	}
	for _, f := range l.forms[ins.Op] {
		if f.matches(ins) {
			return f
		}
	}
	return nil
}

// String returns the form as messages show it: add{.sat}.(u32|s32).
func (f *form) String() string {
	var b strings.Builder
	b.WriteString(f.op.String())
	for _, s := range f.slots {
		if s.dropped {
			continue
		}
		text := "." + s.words[0].text
		if len(s.words) > 1 {
			all := make([]string, len(s.words))
			for i, w := range s.words {
				all[i] = w.text
			}
			text = ".(" + strings.Join(all, "|") + ")"
		}
		if s.optional {
			text = "{" + text + "}"
		}
		b.WriteString(text)
	}
	return b.String()
}
