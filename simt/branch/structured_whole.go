package branch

import "jacquard/simt/lane"

// Structured code is nested, so a warp whose lanes are all together has, at an instruction, the masks
// that the ifs and loops around the instruction need: it may come there in any way. A kernel with
// calls has other masks for other callers.

// nesting is what is around the runs of structured code.
type nesting struct {
	around [][]actionKind // by action: the ifs and loops around a run, the outermost first
	run    []int          // by word of an address: the run with the instruction that ends there, or -1
	calls  bool
	depths []int // by instruction: see depthsOf
}

// newNesting returns the nesting of structured code.
func newNesting(code []action) *nesting {
	n := &nesting{around: make([][]actionKind, len(code))}
	var open []actionKind
	for i := range code {
		switch a := &code[i]; a.kind {
		case doIf, doLoop:
			open = append(open[:len(open):len(open)], a.kind)
		case doEndIf, doEndLoop:
			open = open[:len(open)-1]
		case doCall:
			n.calls = true
		case doRun:
			n.around[i] = open
			for word := a.pc / 4; word < a.end/4 && a.end != NoStop; word++ {
				for uint32(len(n.run)) <= word+1 {
					n.run = append(n.run, -1)
				}
				n.run[word+1] = i
			}
		}
	}
	return n
}

// whole reports whether all live lanes are active, and the code may be entered anywhere.
func (f *structured) whole() bool { return !f.nest.calls && f.masks.Active() == f.live }

// come makes the run with the instruction before next the present one. The policy was told nothing of
// the way there, on which all lanes were together.
func (f *structured) come(next uint32) {
	if a := &f.code[f.at]; a.kind == doRun && a.pc < next && next <= a.end {
		return
	}
	word := int(next / 4)
	if word >= len(f.nest.run) || f.nest.run[word] < 0 {
		return
	}
	f.at, f.most = f.nest.run[word], max(f.most, f.masks.Depth())
	f.nest.enter(f.masks, f.at, f.live)
}

// enter makes masks those of lanes that are all together in a run.
func (n *nesting) enter(m masks, run int, lanes lane.Mask) {
	m.Start(lanes)
	for _, kind := range n.around[run] {
		if kind == doLoop {
			m.Loop()
		} else {
			m.If(lanes)
		}
	}
}

// nestingFlow is a flow whose depth follows from the instructions that were issued.
type nestingFlow interface{ depths() []int }

// depths implements nestingFlow.
func (f *structured) depths() []int { return f.nest.depths }

// depths implements nestingFlow.
func (f *narrowed) depths() []int {
	if n, ok := f.newFlow().(nestingFlow); ok {
		return n.depths()
	}
	return nil
}

// Depths implements Nested.
func (p *perWarp) Depths() []int {
	if n, ok := p.newFlow().(nestingFlow); ok {
		return n.depths()
	}
	return nil
}

// depthsOf returns, by instruction, the depth of the masks behind the instruction, nil if they have
// others for other callers.
func depthsOf(k *Kernel, code []action, n *nesting, fresh func() masks) []int {
	if n.calls {
		return nil
	}
	list := make([]int, len(k.Code))
	for i := range k.Code {
		next := int(k.Code[i].Next / 4)
		if next >= len(n.run) || n.run[next] < 0 {
			continue
		}
		run, m := n.run[next], fresh()
		n.enter(m, run, 1)
		if k.Code[i].Next == code[run].end && code[run+1].kind == doIf {
			m.If(1)
		}
		list[i] = m.Depth()
	}
	return list
}
