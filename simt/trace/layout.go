package trace

// layout is what writer and reader of a kernel's issues share.
type layout struct {
	code  []point // by instruction
	turns int     // instructions that turn
	parts []bool  // by mark: a branch, which some lanes take and some do not
	slots []int32 // by instruction: the place of its first value among all
	rows  int     // values of all instructions
}

// point is what must be known of an instruction.
type point struct {
	mark int32 // its place among those that turn, -1 if it does not
	next int32 // the first instruction from there on that turns, or the end
}

// lay makes the kernel's layout.
func (k *Kernel) lay() {
	n := len(k.Code)
	l := layout{code: make([]point, n), slots: make([]int32, n)}
	for i := range n {
		l.slots[i], l.code[i].mark = int32(l.rows), -1
		l.rows += len(k.Values[i])
		if k.turns[i] {
			l.code[i].mark = int32(l.turns)
			l.turns++
			l.parts = append(l.parts, k.Decides[i])
		}
	}
	next := int32(n)
	for i := n - 1; i >= 0; i-- {
		if k.turns[i] {
			next = int32(i)
		}
		l.code[i].next = next
	}
	k.layout = l
}
