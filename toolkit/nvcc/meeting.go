package nvcc

import "fmt"

// meeting makes the block where lanes meet that go on in different ways. A variable says which way a
// lane goes.
type meeting struct {
	name      string         // begins all names
	numbers   map[string]int // of the ways, by the block they lead to
	variables []string       // lines that make them
	cases     []string       // of the switch
	edges     []*block       // in front of the meeting, one for each way
	returns   []*block       // behind it
}

// add leads the way from one block to another over the meeting; to is "" for the function's end.
func (m *meeting) add(from *block, to string) {
	edge := fmt.Sprintf("%s.from.%d", m.name, len(m.edges))
	var lines []string
	if to == "" {
		lines = m.leave(from.ending())
		to = m.returns[0].name
		from.lines[from.end] = "  br label %" + edge
	} else {
		from.redirect(to, edge)
	}
	n, known := m.numbers[to]
	if !known {
		n = len(m.numbers)
		m.numbers[to] = n
		m.cases = append(m.cases, fmt.Sprintf("    i32 %d, label %%%s", n, to))
	}
	lines = append(lines, fmt.Sprintf("  store i32 %d, ptr %%%s.way", n, m.name), "  br label %"+m.name)
	m.edges = append(m.edges, newBlock(edge, lines...))
}

// leave returns the lines that store the result of a function. The block that returns it is made
// with the first way to it.
func (m *meeting) leave(ending string) (lines []string) {
	found := returned.FindStringSubmatch(ending)
	kind, value, slot := found[1], found[2], "%"+m.name+".result"
	if kind != "" {
		lines = []string{fmt.Sprintf("  store %s %s, ptr %s", kind, value, slot)}
	}
	switch {
	case len(m.returns) > 0:
	case kind == "":
		m.returns = []*block{newBlock(m.name+".return", "  ret void")}
	default:
		m.variables = append(m.variables, fmt.Sprintf("  %s = alloca %s", slot, kind))
		last := fmt.Sprintf("%%%s.returned", m.name)
		m.returns = []*block{newBlock(m.name+".return", fmt.Sprintf("  %s = load %s, ptr %s", last, kind, slot),
			fmt.Sprintf("  ret %s %s", kind, last))}
	}
	return lines
}

// block returns the block where the lanes meet. Something convergent stands there, which LLVM does
// not duplicate. Lanes go into the next round of the loop unless they go another way.
func (m *meeting) block(head string) *block {
	lines := []string{`  call void asm sideeffect "", ""() convergent nounwind`}
	if len(m.cases) == 0 {
		return newBlock(m.name, append(lines, "  br label %"+head)...)
	}
	lines = append(lines, fmt.Sprintf("  %%%s.next = load i32, ptr %%%s.way", m.name, m.name),
		fmt.Sprintf("  switch i32 %%%s.next, label %%%s [", m.name, head))
	return newBlock(m.name, append(append(lines, m.cases...), "  ]")...)
}
