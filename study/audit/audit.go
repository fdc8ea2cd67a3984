package audit

import (
	"cmp"
	"maps"
	"slices"

	"jacquard/cubin"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/tesla"
)

// Report is the result of [Kernel].
type Report struct {
	Instructions int
	Operations   []Count // by operation name
	// Evidence has the executable instructions' evidence: the most certain first, then by operation
	// name.
	Evidence []Evidence
	Problems []Problem // in address order
}

// Count counts the instructions of one operation.
type Count struct {
	Op          string `json:"op"`
	Verified    int    `json:"verified,omitempty"`    // exact on hardware
	Documented  int    `json:"documented,omitempty"`  // follows public documentation
	Unverified  int    `json:"unverified,omitempty"`  // a guess
	Unsupported int    `json:"unsupported,omitempty"` // valid, but not simulated
	Illegal     int    `json:"illegal,omitempty"`     // no such instruction on the device
}

// Exact returns the number of verified or documented instructions.
func (c *Count) Exact() int { return c.Verified + c.Documented }

// Evidence counts the instructions of one operation with the same exactness for the same reason.
type Evidence struct {
	Class        string `json:"class"`
	Op           string `json:"op"`
	Why          string `json:"why"`
	Instructions int    `json:"instructions"`
}

// Problem is an instruction that faults if a thread reaches it.
type Problem struct {
	PC     uint32 `json:"pc"`
	Text   string `json:"text"`
	Kind   string `json:"kind"`
	Reason string `json:"reason"`
}

// Kernel examines k for a device of architecture a, including code that no thread can reach. The
// error is simt.Lower's: resources that no device has.
func Kernel(a tesla.Arch, k *cubin.Kernel) (*Report, error) {
	p, err := load.Program(a, k, simt.Host{})
	if err != nil {
		return nil, err
	}
	refusals := map[uint32]simt.Refusal{}
	for _, r := range p.Refusals() {
		refusals[r.PC] = r
	}
	ins := p.Kernel.Code
	report := &Report{Instructions: len(ins)}
	counts := map[tesla.Op]*Count{}
	evidence := map[reason]int{}
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
			sure := in.Certainty()
			evidence[reason{sure, in.Op}]++
			c.add(sure.Exactness)
		case r.Unsupported:
			c.Unsupported++
		default:
			c.Illegal++
		}
		if refused {
			report.Problems = append(report.Problems, Problem{pc, in.String(), simt.RefusedKind(&r).String(), r.Reason})
		}
		pc += uint32(in.Size)
	}
	for _, c := range counts {
		report.Operations = append(report.Operations, *c)
	}
	slices.SortFunc(report.Operations, func(x, y Count) int { return cmp.Compare(x.Op, y.Op) })
	report.Evidence = list(evidence)
	return report, nil
}

func (c *Count) add(e tesla.Exactness) {
	switch e {
	case tesla.Verified:
		c.Verified++
	case tesla.Documented:
		c.Documented++
	default:
		c.Unverified++
	}
}

// reason is the key of a row of evidence.
type reason struct {
	tesla.Certainty
	op tesla.Op
}

func list(counts map[reason]int) []Evidence {
	reasons := slices.SortedFunc(maps.Keys(counts), func(x, y reason) int {
		return cmp.Or(cmp.Compare(y.Exactness, x.Exactness), cmp.Compare(x.op, y.op), cmp.Compare(x.Why, y.Why))
	})
	var all []Evidence
	for _, r := range reasons {
		all = append(all, Evidence{r.Exactness.String(), r.op.String(), r.Why, counts[r]})
	}
	return all
}
