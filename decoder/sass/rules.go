package sass

import "jacquard/tesla"

// rule is the form in which an operation prints. The description of the instruction set has one per
// operation (tesla/isa, sass).
type rule struct {
	name string                          // the first part takes the size and the join flag
	by   func(*tesla.Instruction) string // the first part, if it depends on the operands
	// Short forms are called ...32, forms with a 32-bit number ...32I.
	sized bool
	// The condition register written shows in the name.
	flags     bool
	modifiers func(*tesla.Instruction) string   // types and flags after the name
	operands  func(*tesla.Instruction) []string // nil: the destination and all sources
	read      func(*reader) bool                // the reverse of operands
	late      bool                              // the name depends on operands
}
