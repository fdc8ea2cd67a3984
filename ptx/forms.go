package ptx

// Form is a form of an operation, as the parser's table has it.
type Form struct {
	Op Op
	// Slots are the modifiers in the order of the text.
	Slots []Slot
	// Operands has a letter for each operand, which stands for what shape.go says.
	Operands []FormOperand
	// Since and Arch are the first version and target, or zero.
	Since Version
	Arch  int
}

// Slot is a place for one of some modifiers, without dots.
type Slot struct {
	Words    []string
	Optional bool
}

// FormOperand is an operand of a form.
type FormOperand struct {
	Letter   byte
	Optional bool
}

// Forms returns the forms of all operations, for tests and tables.
func Forms() []Form {
	var all []Form
	for _, forms := range theLanguage().forms {
		for _, f := range forms {
			all = append(all, f.describe())
		}
	}
	return all
}

// describe returns the form without what only the parser needs.
func (f *form) describe() Form {
	out := Form{Op: f.op, Since: f.since, Arch: f.arch}
	for _, s := range f.slots {
		if s.dropped {
			continue
		}
		slot := Slot{Optional: s.optional}
		for _, w := range s.words {
			slot.Words = append(slot.Words, w.text)
		}
		out.Slots = append(out.Slots, slot)
	}
	for _, a := range f.args {
		out.Operands = append(out.Operands, FormOperand{a.shape.letter, a.optional})
	}
	return out
}
