package sass

import "jacquard/tesla"

// rule says how an operation prints. The description of the instruction set has one for every
// operation (tesla/isa, sass).
type rule struct {
	name      string                            // the first part takes the size and the join flag
	by        func(*tesla.Instruction) string   // the first part, if it depends on the operands
	sized     bool                              // short forms are called ...32, those with a 32-bit number ...32I
	flags     bool                              // the condition register that is written shows in the name
	modifiers func(*tesla.Instruction) string   // types and flags behind the name
	operands  func(*tesla.Instruction) []string // nil: the destination and all sources
	read      func(*reader) bool                // the reverse of operands
	late      bool                              // the name depends on operands
}
