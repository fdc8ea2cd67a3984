package program

import (
	"fmt"
	"slices"
	"sync"

	"jacquard/simt/branch"
	"jacquard/simt/cfg"
	"jacquard/tesla"
)

// Program is a lowered kernel. It may serve many launches at the same time.
type Program struct {
	Kernel    Kernel
	Code      []Op      // one per instruction; then one that faults
	Counted   []Counted // one per instruction
	Rows      []Row     // rows that are the same for a whole launch: immediates, constants
	Words     []Word    // words of s[] in operands
	Plan      Plan
	Blank     Blank
	Addresses uint8             // address registers used, bit i for $ai
	Slots     int               // Ops that touch memory
	Forks     []*Fork           // the announced forks
	Graph     func() *cfg.Graph // of the kernel's control flow, made at the first call

	over overwritten

	at []int32 // word address -> index in Code, -1 inside a long instruction
	// The first instruction that announces a join or a break at an index; -1 is none.
	joinsAt, breaksAt []int32
}

// Lower makes a program of a decoded kernel. It fails with a *LaunchError if the kernel's resources
// are impossible. Encodings that cannot execute become instructions that fault.
func Lower(k Kernel) (*Program, error) {
	if k.Registers < 0 || k.Registers > 128 {
		return nil, &LaunchError{Resources: true, Reason: fmt.Sprintf("kernel %s uses %d registers a thread: the most is 128", k.Name, k.Registers)}
	}
	p := &Program{Kernel: k, Graph: sync.OnceValue(func() *cfg.Graph { return flowGraph(k.Code) })}
	l := lowerer{p: p}
	var pc uint32
	for i := range k.Code {
		in := &k.Code[i]
		for range in.Size / 4 {
			p.at = append(p.at, -1)
		}
		p.at[pc/4] = int32(i)
		u := Op{PC: pc, Next: pc + uint32(in.Size), At: int32(i), Ins: in, Exactness: in.Certainty().Exactness}
		l.lower(&u, in)
		if u.TouchesMemory() {
			u.Slot = int32(p.Slots)
			p.Slots++
		}
		p.Code = append(p.Code, u)
		pc = u.Next
	}
	end := Op{PC: pc, Next: pc, At: int32(len(p.Code)), Ins: new(tesla.Instruction)}
	end.stop()
	end.OffCode = true
	p.Code = append(p.Code, end)
	p.findTargets()
	p.findOverwrites()
	p.over.origin = sync.OnceValue(func() []reads { return everyOrigin(p) })
	p.findRuns()
	p.findForks()
	p.findAnnouncers()
	p.findBlank()
	p.findCounted()
	p.Plan = planFor(k.Code)
	return p, nil
}

// findRuns finds the straight-line code after every Op.
func (p *Program) findRuns() {
	end, shown := int32(len(p.Code)), int32(len(p.Code))
	for i := len(p.Code) - 1; i >= 0; i-- {
		u := &p.Code[i]
		if u.Control {
			end, shown = int32(i), int32(i)
		}
		if u.Overwrites {
			shown = int32(i)
		}
		u.End, u.Shown = end, shown
	}
}

// findTargets finds the targets of control instructions.
func (p *Program) findTargets() {
	for i := range p.Code {
		if u := &p.Code[i]; u.Control {
			p.findTarget(u)
		}
	}
}

// findTarget finds the target of a control instruction.
func (p *Program) findTarget(u *Op) {
	u.To = -1
	if i, ok := p.Index(u.Ins.Target); ok {
		u.To = int32(i)
	}
}

// Announces returns the index of the instruction that opens a region of a kind whose lanes go on at
// pc. A region is opened by a joinat, a breakaddr, a call, or a branch that some lanes take.
func (p *Program) Announces(kind Event, pc uint32) (int32, bool) {
	i, ok := p.Index(pc)
	if !ok {
		return 0, false
	}
	switch kind {
	case branch.JoinAt:
		return p.joinsAt[i], p.joinsAt[i] >= 0
	case branch.BreakAddr:
		return p.breaksAt[i], p.breaksAt[i] >= 0
	}
	if i == 0 || p.Code[i-1].Event != kind || p.Code[i-1].Next != pc {
		return 0, false
	}
	return int32(i - 1), true
}

// findAnnouncers finds the first instruction for each announcement of a join or a break.
func (p *Program) findAnnouncers() {
	p.joinsAt, p.breaksAt = none(len(p.Code)), none(len(p.Code))
	for i := len(p.Code) - 1; i >= 0; i-- {
		switch u := &p.Code[i]; {
		case u.To < 0:
		case u.Event == branch.JoinAt:
			p.joinsAt[u.To] = u.At
		case u.Event == branch.BreakAddr:
			p.breaksAt[u.To] = u.At
		}
	}
}

// none returns a list of n times -1.
func none(n int) []int32 { return slices.Repeat([]int32{-1}, n) }

// Instructions returns the number of static instructions.
func (p *Program) Instructions() int { return len(p.Kernel.Code) }

// Index returns the position in Code of the instruction at byte address pc, or the position of the
// Op that faults.
func (p *Program) Index(pc uint32) (int, bool) {
	if pc%4 != 0 || int(pc/4) >= len(p.at) || p.at[pc/4] < 0 {
		return len(p.Code) - 1, false
	}
	return int(p.at[pc/4]), true
}

// Refusals returns the instructions of p that cannot run, in address order.
func (p *Program) Refusals() []Refusal {
	var list []Refusal
	for i := range p.Code {
		if r := p.Code[i].Refusal; r != nil {
			list = append(list, *r)
		}
	}
	return list
}

// flowGraph analyses code. Without code, the graph has no functions.
func flowGraph(code []tesla.Instruction) *cfg.Graph {
	g, err := cfg.New(code)
	if err != nil {
		return &cfg.Graph{}
	}
	return g
}

// Outline returns the program for divergence policies.
func (p *Program) Outline() []branch.Instruction {
	list := make([]branch.Instruction, p.Instructions())
	for i := range list {
		u := &p.Code[i]
		list[i] = branch.Instruction{
			PC: u.PC, Next: u.Next, Kind: u.Event, Target: u.Ins.Target,
			Indirect: u.Ins.Op == tesla.OpBraIndirect,
			Guarded:  u.Guarded,
			Join:     u.Marker == tesla.MarkerJoin,
		}
		if u.Marker == tesla.MarkerExit {
			list[i].Kind, list[i].Guarded = branch.Exit, false
		}
	}
	return list
}
