package reference

import (
	"fmt"

	"jacquard/simt/program"
	"jacquard/tesla"
)

// Operation is an instruction that computes a value of its sources, in one thread.
type Operation struct {
	In      *tesla.Instruction
	Kernel  *program.Kernel // device and mode bits
	A, B, C uint64          // the sources as they were read, before modifiers
	Flags   uint8           // of the condition register that CarryIn of In names
	Lane    int             // of the thread
}

// Result is what an operation leaves. Flags matter if In writes a condition register.
type Result struct {
	Value uint64
	Flags uint8
}

// Compute returns what the operation leaves.
func (o *Operation) Compute() Result {
	f := families[o.In.Op]
	if f == nil {
		panic(fmt.Sprintf("reference: %s is no operation", o.In.Op))
	}
	return f(o)
}

// families lists the operations by what computes them: docs/isa/operations.md has a section for
// each.
var families = map[tesla.Op]func(*Operation) Result{
	tesla.OpIAdd:  (*Operation).integer,
	tesla.OpIMul:  (*Operation).integer,
	tesla.OpIMad:  (*Operation).integer,
	tesla.OpISad:  (*Operation).integer,
	tesla.OpISet:  (*Operation).integer,
	tesla.OpIMax:  (*Operation).integer,
	tesla.OpIMin:  (*Operation).integer,
	tesla.OpShl:   (*Operation).integer,
	tesla.OpShr:   (*Operation).integer,
	tesla.OpLogic: (*Operation).integer,

	tesla.OpFAdd:   (*Operation).single,
	tesla.OpFMul:   (*Operation).single,
	tesla.OpFMad:   (*Operation).single,
	tesla.OpFMax:   (*Operation).single,
	tesla.OpFMin:   (*Operation).single,
	tesla.OpFSet:   (*Operation).compareSingle,
	tesla.OpSlct:   (*Operation).choose,
	tesla.OpQuadOp: (*Operation).quad,

	tesla.OpRcp:    (*Operation).special,
	tesla.OpRsqrt:  (*Operation).special,
	tesla.OpLg2:    (*Operation).special,
	tesla.OpSin:    (*Operation).special,
	tesla.OpCos:    (*Operation).special,
	tesla.OpEx2:    (*Operation).special,
	tesla.OpPreSin: (*Operation).special,
	tesla.OpPreEx2: (*Operation).special,

	tesla.OpDAdd: (*Operation).double,
	tesla.OpDMul: (*Operation).double,
	tesla.OpDFma: (*Operation).double,
	tesla.OpDMin: (*Operation).double,
	tesla.OpDMax: (*Operation).double,
	tesla.OpDSet: (*Operation).compareDouble,
	tesla.OpCvt:  (*Operation).convert,

	tesla.OpMov:            (*Operation).move,
	tesla.OpMovFromCond:    (*Operation).move,
	tesla.OpMovFromAddr:    (*Operation).move,
	tesla.OpMovFromSpecial: (*Operation).move,
	tesla.OpMovToCond:      (*Operation).moveToCond,
	tesla.OpShlToAddr:      (*Operation).shiftToAddr,
	tesla.OpAddAddr:        (*Operation).addAddr,
}
