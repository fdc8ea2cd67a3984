// Package audit says, before a kernel runs, which of its instructions the simulator
// executes exactly and which would stop it.
package audit

import (
	"cmp"
	"slices"

	"jacquard/decoder"
	"jacquard/tesla"
)

// Report is what [Kernel] found.
type Report struct {
	Instructions int
	Operations   []Count   // by operation's name
	Problems     []Problem // in address order
}

// Count counts the instructions of one operation.
type Count struct {
	Op      string `json:"op"`
	Exact   int    `json:"exact"`
	Invalid int    `json:"invalid,omitempty"` // fault when they are executed
}

// Problem is an instruction that faults if a thread reaches it.
type Problem struct {
	PC     uint32 `json:"pc"`
	Text   string `json:"text"`
	Reason string `json:"reason"`
}

// reasons says why an encoding cannot execute.
var reasons = [...]string{
	tesla.BadOpcode:   "no instruction of this architecture",
	tesla.BadOperand:  "an operand or type is invalid",
	tesla.BadLength:   "a long instruction at an odd word, or cut off",
	tesla.BadGraphics: "not for compute programs",
}

// Kernel looks at code as a device of architecture a does. Code behind the last
// instruction that runs is looked at too.
func Kernel(a tesla.Arch, code []uint32) *Report {
	ins := decoder.Kernel(a, code)
	r := &Report{Instructions: len(ins)}
	counts := map[tesla.Op]*Count{}
	var pc uint32
	for _, in := range ins {
		c := counts[in.Op]
		if c == nil {
			c = &Count{Op: in.Op.String()}
			counts[in.Op] = c
		}
		if in.Bad == tesla.OK {
			c.Exact++
		} else {
			c.Invalid++
			r.Problems = append(r.Problems, Problem{pc, in.String(), reasons[in.Bad]})
		}
		pc += uint32(in.Size)
	}
	for _, c := range counts {
		r.Operations = append(r.Operations, *c)
	}
	slices.SortFunc(r.Operations, func(x, y Count) int { return cmp.Compare(x.Op, y.Op) })
	return r
}
