package asm

import (
	"fmt"
	"strings"

	"jacquard/decoder"
	"jacquard/tesla"
)

// line is an instruction as text.
type line struct {
	item
	in   tesla.Instruction
	text string
	diff uint64 // bits that differ from the text's encoding
}

// lines decodes code and finds the note that each text needs, with labels before the targets or
// without.
func (s *Syntax) lines(a tesla.Arch, code []uint32, labels bool) ([]line, Sizes) {
	ins := decoder.Kernel(a, code)
	list := make([]line, len(ins))
	marks, pc := Targets(ins), uint32(0)
	for i, in := range ins {
		list[i] = s.line(a, in)
		list[i].label = labels && marks[pc] != 0
		pc += uint32(in.Size)
	}
	long := force(list, Long)
	if pairs := force(list, Pairs); pairs <= long {
		return list, Pairs
	}
	force(list, Long)
	return list, Long
}

// line returns the text and note of one instruction. An instruction that cannot execute, or whose
// text does not encode to it, needs its words.
func (s *Syntax) line(a tesla.Arch, in tesla.Instruction) line {
	l := line{in: in, text: s.Text(in)}
	w := uint64(in.Raw[1])<<32 | uint64(in.Raw[0])
	if in.Bad == tesla.OK || in.Bad == tesla.BadGraphics {
		c, err := s.encodings(a, tesla.Tokens(l.text, 1))
		if e := c.of(in.Size); err == nil && e.ok {
			l.choice, l.diff = c, w^e.w
			return l
		}
	}
	l.raw = in.Raw[:in.Size/4]
	return l
}

// force notes the sizes that the text must give, and returns their number.
func force(list []line, s Sizes) (n int) {
	word := 0
	for i := range list {
		word += int(list[i].in.Size) / 4
	}
	var next *item // its size decides the size of the one before
	for i := len(list) - 1; i >= 0; i-- {
		x, size := &list[i].item, list[i].in.Size
		word -= int(size) / 4
		x.forced = 0
		if s.size(x, next, word) != size {
			x.forced = size
			n++
		}
		next = x
	}
	return n
}

// note returns the note in braces after the text.
func (l *line) note() string {
	if l.raw != nil {
		return "words" + hexWords(l.raw)
	}
	var parts []string
	if l.forced != 0 {
		parts = append(parts, lengthNames[l.forced])
	}
	diff := l.diff
	if l.in.Marker == tesla.MarkerExit && diff&exitBit != 0 {
		parts = append(parts, "exit")
		diff &^= exitBit
	}
	if diff != 0 {
		words := []uint32{uint32(diff), uint32(diff >> 32)}
		parts = append(parts, "bits"+hexWords(words[:l.in.Size/4]))
	}
	return strings.Join(parts, ", ")
}

// exitBit ends the program after a long instruction. The other syntax does not show it.
const exitBit = 1 << 32

var lengthNames = map[uint8]string{4: "short", 8: "long"}

func hexWords(words []uint32) string {
	var b strings.Builder
	for _, w := range words {
		fmt.Fprintf(&b, " 0x%08x", w)
	}
	return b.String()
}

// String returns the text and the note.
func (l *line) String() string {
	if n := l.note(); n != "" {
		return l.text + " {" + n + "}"
	}
	return l.text
}
