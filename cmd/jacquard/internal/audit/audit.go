// Package audit says, before a kernel runs, which of its instructions the simulator
// executes exactly and which would stop it.
package audit

import (
	"cmp"
	"slices"

	"jacquard/cubin"
	"jacquard/decoder"
	"jacquard/simt"
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
	Op          string `json:"op"`
	Exact       int    `json:"exact"`
	Unsupported int    `json:"unsupported,omitempty"` // valid, but not simulated
	Illegal     int    `json:"illegal,omitempty"`     // the device has no such instruction
}

// Problem is an instruction that faults if a thread reaches it.
type Problem struct {
	PC     uint32 `json:"pc"`
	Text   string `json:"text"`
	Kind   string `json:"kind"`
	Reason string `json:"reason"`
}

// Kernel looks at k as a device of architecture a does. Code that no thread can reach is
// looked at too. The error is that of simt.Lower: resources that no device has.
func Kernel(a tesla.Arch, k *cubin.Kernel) (*Report, error) {
	ins := decoder.Kernel(a, k.Code)
	p, err := simt.Lower(simt.Kernel{
		Name: k.Name, Arch: a, Code: ins, Registers: k.Registers, Shared: k.Shared, Local: k.Local,
	})
	if err != nil {
		return nil, err
	}
	refusals := map[uint32]simt.Refusal{}
	for _, r := range p.Refusals() {
		refusals[r.PC] = r
	}
	report := &Report{Instructions: len(ins)}
	counts := map[tesla.Op]*Count{}
	var pc uint32
	for _, in := range ins {
		c := counts[in.Op]
		if c == nil {
			c = &Count{Op: in.Op.String()}
			counts[in.Op] = c
		}
		r, refused := refusals[pc]
		switch {
		case !refused:
			c.Exact++
		case r.Kind == simt.FaultUnsupported:
			c.Unsupported++
		default:
			c.Illegal++
		}
		if refused {
			report.Problems = append(report.Problems, Problem{pc, in.String(), r.Kind.String(), r.Reason})
		}
		pc += uint32(in.Size)
	}
	for _, c := range counts {
		report.Operations = append(report.Operations, *c)
	}
	slices.SortFunc(report.Operations, func(x, y Count) int { return cmp.Compare(x.Op, y.Op) })
	return report, nil
}
