package branch

import (
	"errors"
	"slices"

	"jacquard/simt/cfg"
)

// action is one instruction of structured code, the language of machines whose control flow is
// nested ifs and loops. It is written from the tree of regions that simt/cfg finds in the flow
// graph of Tesla code. Joins and announcements have no effect; breaks and returns become what they
// are in the tree.
type action struct {
	kind  actionKind
	pc    uint32 // doRun: the instructions from pc up to end
	end   uint32
	taken bool // doIf: the taken lanes stay active, not the others
	ifs   int  // doBreak, doContinue: number of ifs open inside the loop
	to    int  // doWhile: the loop's body; doCall: the function
	// out is the next action that can activate lanes, to go on with if no lane is active.
	out int
}

// actionKind is the kind of an action.
type actionKind uint8

// The kinds. The active lanes of a run execute instructions; the other actions act on masks.
const (
	doRun      actionKind = iota
	doIf                  // by the branch at the end of the run before it
	doElse                // the other lanes of the if run
	doEndIf               // all lanes of the if continue
	doLoop                // start of a loop
	doWhile               // lanes in the loop begin the next round
	doEndLoop             // all lanes that left the loop continue
	doBreak               // the active lanes leave the innermost loop
	doContinue            // the active lanes wait for the next round of the innermost loop
	doCall                // the active lanes enter a function
	doReturn              // the active lanes leave the function, or end outside functions
	doExit                // the active lanes end
	doBack                // all lanes that left the function continue
)

// structure makes structured code of a kernel, which starts at the first action. calls says whether
// the policy has a place for return addresses.
func structure(k *Kernel, calls bool) ([]action, error) {
	g := k.Graph()
	if len(g.Functions) == 0 { // there is no code: the run faults
		return []action{{kind: doRun, end: NoStop}}, nil
	}
	if !calls && len(g.Calls) > 0 {
		return nil, &RefusedError{PC: g.Calls[0].PC, Reason: noReturnStack}
	}
	for _, p := range g.Problems {
		if p.Kind == cfg.Indirect {
			return nil, &RefusedError{PC: p.PC, Reason: "it has no branch whose target only a run can tell"}
		}
	}
	s := &structurer{kernel: k, start: make([]int, len(g.Functions)), callee: map[uint32]int{}}
	s.barriers = slices.ContainsFunc(k.Code, func(in Instruction) bool { return in.Kind == Arrive })
	for _, c := range g.Calls {
		s.callee[c.PC] = c.Callee
	}
	for i, f := range g.Functions {
		if s.function(i, f); s.err != nil {
			return nil, s.err
		}
	}
	for i := range s.code {
		if a := &s.code[i]; a.kind == doCall {
			a.to = s.start[a.to]
		}
	}
	return s.code, nil
}

// structurer writes structured code.
type structurer struct {
	kernel   *Kernel
	code     []action
	f        *cfg.Function
	rounds   []int          // the loops around the region being written
	start    []int          // by function: its first action
	callee   map[uint32]int // by address of a call: the function
	barriers bool           // the kernel has barriers
	err      error          // the first error
}

func (s *structurer) refuse(pc uint32, reason string) {
	if s.err == nil {
		s.err = &RefusedError{PC: pc, Reason: reason}
	}
}

// function writes function number i.
func (s *structurer) function(i int, f *cfg.Function) {
	s.f, s.start[i] = f, len(s.code)
	for b := range f.Blocks {
		s.check(b)
	}
	tree, err := f.Structure()
	if u := (*cfg.UnstructuredError)(nil); errors.As(err, &u) {
		s.refuse(u.PC, "its code is not nested ifs and loops: "+u.Reason)
		return
	}
	first := len(s.code)
	s.sequence(tree, cfg.Finish, 0)
	s.outside(first, s.add(action{kind: doBack}))
}

// check refuses a block with several ways other than the two sides of a branch: a tree of regions
// does not say which lanes go where.
func (s *structurer) check(b int) {
	block := &s.f.Blocks[b]
	if n := len(block.Succ); n > 2 || n == 2 && block.Succ[0].Kind != cfg.FallThrough {
		s.refuse(block.Tail, "a break or return leads to one place or another")
	}
}

// checkWay refuses a barrier in block b if the block is on the way out of a loop but written as
// part of it: the lanes that leave in one round would arrive without the others, and the machine
// has no pc for the others to wait at. A call might lead to a barrier.
func (s *structurer) checkWay(b int) {
	if !s.barriers || !slices.ContainsFunc(s.rounds, func(l int) bool { return !s.f.InLoop(b, l) }) {
		return
	}
	block := &s.f.Blocks[b]
	for _, in := range s.kernel.Code[block.First:block.Last] {
		if in.Kind == Arrive || in.Kind == Call {
			s.refuse(in.PC, "lanes that leave the loop would come one round after the other to a barrier")
		}
	}
}

// add writes an action and returns its index.
func (s *structurer) add(a action) int {
	a.out = -1
	s.code = append(s.code, a)
	return len(s.code) - 1
}

// outside sets the next action if no lane is active, for the actions since first that lack one.
func (s *structurer) outside(first, out int) {
	for i := first; i < out; i++ {
		if s.code[i].out < 0 {
			s.code[i].out = out
		}
	}
}

// sequence writes regions one after the other. way is the edge to the first region, ifs the number
// of ifs open inside the innermost loop.
func (s *structurer) sequence(seq []cfg.Region, way cfg.EdgeKind, ifs int) {
	straight := false // the run before continues from its last instruction, and only there
	for i := range seq {
		r := &seq[i]
		switch r.Kind {
		case cfg.Straight:
			s.run(r.Block, straight)
			e := s.f.Blocks[r.Block].Succ
			way, straight = e[0].Kind, len(e) == 1 && e[0].Kind == cfg.FallThrough
			continue
		case cfg.If:
			s.run(r.Block, straight)
			s.sides(r, ifs)
		case cfg.Round:
			s.loop(r)
		default:
			s.end(r.Kind, way, ifs)
		}
		straight = false
	}
}

// run writes the instructions of a block. If control comes straight from the run before, the block
// becomes part of that run.
func (s *structurer) run(b int, straight bool) {
	s.checkWay(b)
	block := &s.f.Blocks[b]
	if straight {
		s.code[len(s.code)-1].end = block.End
	} else {
		s.add(action{kind: doRun, pc: block.Start, end: block.End})
	}
	if block.Succ[0].Kind == cfg.Over {
		s.add(action{kind: doCall, to: s.callee[block.Tail]})
	}
}

// end writes the end of a sequence.
func (s *structurer) end(kind cfg.RegionKind, way cfg.EdgeKind, ifs int) {
	switch {
	case kind == cfg.LeaveLoop:
		s.add(action{kind: doBreak, ifs: ifs})
	case kind == cfg.NextRound:
		s.add(action{kind: doContinue, ifs: ifs})
	case way == cfg.Return:
		s.add(action{kind: doReturn})
	default:
		s.add(action{kind: doExit})
	}
}

// side is one side of a branch.
type side struct {
	regions []cfg.Region
	way     cfg.EdgeKind // the edge to it
	taken   bool
}

// leaves reports whether the side only ends the sequence.
func (s *side) leaves() bool { return len(s.regions) == 1 && s.regions[0].Block == cfg.None }

// sides writes the sides of a branch. The lanes that fall through go first, unless the others leave
// at once: lanes that leave must not wait, and need no else.
func (s *structurer) sides(r *cfg.Region, ifs int) {
	first := side{r.Fall, cfg.FallThrough, false}
	second := side{r.Taken, s.f.Blocks[r.Block].Succ[1].Kind, true}
	if len(first.regions) == 0 || second.leaves() {
		first, second = second, first
	}
	begin := s.add(action{kind: doIf, taken: first.taken})
	s.sequence(first.regions, first.way, ifs+1)
	inside := len(second.regions) > 0 && !first.leaves()
	if inside {
		e := s.add(action{kind: doElse})
		s.outside(begin, e)
		s.sequence(second.regions, second.way, ifs+1)
	}
	s.outside(begin, s.add(action{kind: doEndIf}))
	if !inside {
		s.sequence(second.regions, second.way, ifs)
	}
}

// loop writes a loop. Lanes that come to the end of its body wait for the next round.
func (s *structurer) loop(r *cfg.Region) {
	s.add(action{kind: doLoop})
	body := len(s.code)
	s.rounds = append(s.rounds, s.f.Inner[r.Block])
	s.sequence(r.Body, cfg.FallThrough, 0)
	s.rounds = s.rounds[:len(s.rounds)-1]
	while := s.add(action{kind: doWhile, to: body})
	s.outside(body, while)
	s.code[while].out = s.add(action{kind: doEndLoop})
}
