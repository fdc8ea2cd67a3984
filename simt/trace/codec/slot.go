package codec

import (
	"fmt"
	"strconv"
	"strings"
)

// SlotKind is a kind of value.
type SlotKind uint8

// The kinds.
const (
	Register        SlotKind = iota // $r after the instruction
	AddressRegister                 // $a after the instruction
	Condition                       // $c after the instruction
	Address                         // where a load, store or atomic accessed memory
	Data                            // $r that a store or atomic took to memory
)

// slotLetters are the kinds in text.
const slotLetters = "rac@d"

// Slot names a value of an instruction.
type Slot struct {
	Kind   SlotKind
	Number int // of the register
}

// String returns the slot as the file has it: r12, a1, c0, @, d3.
func (s Slot) String() string {
	if s.Kind == Address {
		return "@"
	}
	return fmt.Sprintf("%c%d", slotLetters[s.Kind], s.Number)
}

// Name returns the slot in words for a reader: $r12, $a1, $c0, addr, data $r3.
func (s Slot) Name() string {
	switch s.Kind {
	case Address:
		return "addr"
	case Data:
		return fmt.Sprintf("data $r%d", s.Number)
	}
	return "$" + s.String()
}

// parseSlots is the inverse of joinSlots.
func parseSlots(text string) ([]Slot, error) {
	var list []Slot
	for word := range strings.FieldsSeq(text) {
		k := strings.IndexByte(slotLetters, word[0])
		if k < 0 {
			return nil, fmt.Errorf("unknown value %q", word)
		}
		s := Slot{Kind: SlotKind(k)}
		if s.Kind != Address {
			n, err := strconv.ParseUint(word[1:], 10, 8)
			if err != nil {
				return nil, fmt.Errorf("unknown value %q", word)
			}
			s.Number = int(n)
		}
		if len(list) == mostValues {
			return nil, fmt.Errorf("an instruction with more than %d values", mostValues)
		}
		list = append(list, s)
	}
	return list, nil
}

func joinSlots(list []Slot) string {
	var words []string
	for _, s := range list {
		words = append(words, s.String())
	}
	return strings.Join(words, " ")
}
