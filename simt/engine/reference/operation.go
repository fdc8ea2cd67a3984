package reference

import (
	"fmt"

	"jacquard/simt/program"
	"jacquard/tesla"
)

// Operation is an instruction that computes a value from its sources, in one thread.
type Operation struct {
	In      *tesla.Instruction
	Kernel  *program.Kernel // device and mode bits
	A, B, C uint64          // the sources before modifiers
	Flags   uint8           // of CarryIn of In
	Lane    int             // of the thread
}

// Result is the result of an operation. Flags matter if In writes a condition register.
type Result struct {
	Value uint64
	Flags uint8
}

// Compute returns the result of the operation.
func (o *Operation) Compute() Result { return families[o.In.Op.Class()](o) }

// families lists the functions that compute the operations of a class. docs/isa/operations.md has a
// section for each of them.
var families = [tesla.Classes]func(*Operation) Result{
	tesla.ClassMove:    (*Operation).move,
	tesla.ClassInteger: (*Operation).integer,
	tesla.ClassFloat:   (*Operation).single,
	tesla.ClassDouble:  (*Operation).double,
	tesla.ClassSpecial: (*Operation).special,
	tesla.ClassConvert: (*Operation).convert,
}

// unknown is for operations without a family.
func (o *Operation) unknown() Result { panic(fmt.Sprintf("reference: %s is no operation", o.In.Op)) }
