package trace

// layout is what writer and reader of a kernel's issues share.
type layout struct {
	marks []int32 // by instruction: its place among those that turn, -1 if it does not
	next  []int32 // by instruction: the first from there on that turns, or the end
	turns int     // instructions that turn
	slots []int32 // by instruction: the place of its first value among all
	rows  int     // values of all instructions
}

// lay makes the kernel's layout.
func (k *Kernel) lay() {
	n := len(k.Code)
	l := layout{marks: make([]int32, n), next: make([]int32, n+1), slots: make([]int32, n)}
	l.next[n] = int32(n)
	for i := range n {
		l.slots[i], l.marks[i] = int32(l.rows), -1
		l.rows += len(k.Values[i])
		if k.turns[i] {
			l.marks[i] = int32(l.turns)
			l.turns++
		}
	}
	for i := n - 1; i >= 0; i-- {
		if l.next[i] = l.next[i+1]; k.turns[i] {
			l.next[i] = int32(i)
		}
	}
	k.layout = l
}
