package ssabuild

import (
	"slices"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// section is a stretch of statements that control enters at the start only.
type section struct {
	from, to int // statements
	// next is the section that follows in the text, -1 if control does not fall out.
	next int
	to1  []int // sections that the last instruction may branch to
	// start is the block that the section begins with, line the line of the source there.
	start *ir.Block
	line  ir.Line
	preds int
	// table: the section holds no statements, but the branches of a table that several brx share.
	// Each of them leaves its index in a variable. Without that, brx times labels would count.
	table bool
	index variable
}

// ways returns the number of targets, way one of them: the last is the section that follows.
func (s *section) ways() int {
	if s.next >= 0 {
		return len(s.to1) + 1
	}
	return len(s.to1)
}

func (s *section) way(k int) int {
	if k == len(s.to1) {
		return s.next
	}
	return s.to1[k]
}

// split divides the statements of a function into sections. Labels begin a section if all is set, or
// if an instruction names them: debugging information has labels, too, and must not change the code.
func split(fn *ptx.Func, all bool) []section {
	used := map[*ptx.Label]bool{}
	for _, s := range fn.Body {
		if in, ok := s.(*ptx.Instr); ok && !all {
			for _, l := range targets(in) {
				used[l] = true
			}
		}
	}
	return cut(fn, func(l *ptx.Label) bool { return all || used[l] })
}

// cut divides the statements at the labels of a choice.
func cut(fn *ptx.Func, begins func(*ptx.Label) bool) []section {
	var all []section
	labels := map[*ptx.Label]int{}
	start := func(i int) {
		if n := len(all); n > 0 {
			if all[n-1].from == i {
				return
			}
			all[n-1].to = i
		}
		all = append(all, section{from: i, to: len(fn.Body), next: -1})
	}
	if len(fn.Body) > 0 {
		start(0)
	}
	for i, s := range fn.Body {
		switch s := s.(type) {
		case *ptx.Label:
			if begins(s) {
				start(i)
				labels[s] = len(all) - 1
			}
		case *ptx.Instr:
			if ends(s) && i+1 < len(fn.Body) {
				start(i + 1)
			}
		}
	}
	return link(fn, all, labels)
}

// place gives each section the line that the text before it names, line for the first one. Control
// may come to sections in another order.
func place(fn *ptx.Func, all []section, line ir.Line) {
	for i := range all {
		all[i].line = line
		for _, s := range fn.Body[all[i].from:all[i].to] {
			if loc, ok := s.(*ptx.Loc); ok {
				line = lineOf(loc, line.Scope)
			}
		}
	}
}

func lineOf(loc *ptx.Loc, scope int32) ir.Line {
	return ir.Line{File: int32(loc.File), Line: int32(loc.Line), Scope: scope}
}

// link finds where control goes after each section. It adds a section for each table that several
// brx name, and leads these brx there.
func link(fn *ptx.Func, all []section, labels map[*ptx.Label]int) []section {
	uses := map[*ptx.Targets]int{}
	for i := range all {
		uses[all[i].targetsOf(fn)]++
	}
	delete(uses, nil)
	last, shared := len(all)-1, map[*ptx.Targets]int{}
	for i := range last + 1 {
		s := &all[i]
		in := s.last(fn)
		if i < last && (in == nil || in.Guard.Pred != nil) {
			s.next = i + 1
		}
		table := s.targetsOf(fn)
		if uses[table] < 2 {
			s.to1 = sectionsOf(targets(in), labels)
			continue
		}
		if shared[table] == 0 {
			shared[table] = len(all)
			all = append(all, section{next: -1, to1: sectionsOf(table.Labels, labels), table: true})
		}
		all[i].to1 = []int{shared[table]}
	}
	return all
}

func sectionsOf(list []*ptx.Label, labels map[*ptx.Label]int) []int {
	to := make([]int, len(list))
	for i, l := range list {
		to[i] = labels[l]
	}
	return to
}

// targetsOf returns the table of the brx that ends a section, or nil.
func (s *section) targetsOf(fn *ptx.Func) *ptx.Targets {
	in := s.last(fn)
	if in == nil || in.Op != ptx.OpBrx {
		return nil
	}
	for i := range in.Args {
		if t := in.Args[i].Targets; t != nil {
			return t
		}
	}
	return nil
}

// ends reports whether control may go elsewhere after an instruction.
func ends(in *ptx.Instr) bool {
	switch in.Op {
	case ptx.OpBra, ptx.OpBrx, ptx.OpExit, ptx.OpRet, ptx.OpTrap:
		return true
	}
	return false
}

// last returns the instruction that ends a section, or nil.
func (s *section) last(fn *ptx.Func) *ptx.Instr {
	if s.to == s.from {
		return nil
	}
	if in, ok := fn.Body[s.to-1].(*ptx.Instr); ok && ends(in) {
		return in
	}
	return nil
}

// targets returns the labels that an instruction may branch to.
func targets(in *ptx.Instr) []*ptx.Label {
	if in == nil {
		return nil
	}
	for i := range in.Args {
		switch o := &in.Args[i]; {
		case in.Op == ptx.OpBra && o.Label != nil:
			return []*ptx.Label{o.Label}
		case in.Op == ptx.OpBrx && o.Targets != nil:
			return o.Targets.Labels
		}
	}
	return nil
}

// reach returns the sections that control reaches, in reverse postorder.
func reach(all []section) []int {
	seen := make([]bool, len(all))
	var post []int
	type place struct{ s, next int }
	var stack []place
	if len(all) > 0 {
		stack, seen[0] = append(stack, place{}), true
	}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		from := &all[top.s]
		if top.next == from.ways() {
			post = append(post, top.s)
			stack = stack[:len(stack)-1]
			continue
		}
		t := from.way(top.next)
		top.next++
		if !seen[t] {
			seen[t] = true
			stack = append(stack, place{t, 0})
		}
	}
	slices.Reverse(post)
	return post
}
