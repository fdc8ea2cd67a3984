package branch

import "jacquard/simt/lane"

// chap keeps masks in two stacks, one of ifs and one of loops, beside the run mask: Pixar's Chap
// (A. Levinthal, T. Porter, "Chap: a SIMD graphics processor", 1984). An if pushes the run mask,
// and an else runs the lanes of the top entry that did not run.
//
// Chap has a loop but neither break nor continue. Here each loop keeps in the stack of ifs
// the lanes that have not left it, as if a round were an if: a break takes its lanes out of that
// entry and the entries above, a continue only out of the entries above.
type chap struct {
	run   lane.Mask
	ifs   []lane.Mask // C in the papers
	loops []lane.Mask // W
	most  int
}

func (c *chap) Start(m lane.Mask) {
	c.run, c.ifs, c.loops, c.most = m, c.ifs[:0], c.loops[:0], 0
}

func (c *chap) Active() lane.Mask { return c.run }
func (c *chap) Depth() int        { return c.most }

func (c *chap) push(to *[]lane.Mask) {
	*to = append(*to, c.run)
	c.most = max(c.most, len(c.ifs)+len(c.loops))
}

func (c *chap) pop(from *[]lane.Mask) {
	n := len(*from) - 1
	c.run, *from = (*from)[n], (*from)[:n]
}

func (c *chap) If(m lane.Mask) {
	c.push(&c.ifs)
	c.run &= m
}

func (c *chap) Else()  { c.run = c.ifs[len(c.ifs)-1] &^ c.run }
func (c *chap) EndIf() { c.pop(&c.ifs) }

func (c *chap) Loop() {
	c.push(&c.loops)
	c.push(&c.ifs)
}

func (c *chap) While() { c.run = c.ifs[len(c.ifs)-1] }

func (c *chap) EndLoop() {
	c.pop(&c.ifs)
	c.pop(&c.loops)
}

func (c *chap) Break(ifs int)    { c.leave(c.ifs[len(c.ifs)-ifs-1:]) }
func (c *chap) Continue(ifs int) { c.leave(c.ifs[len(c.ifs)-ifs:]) }

func (c *chap) Exit() {
	remove(c.loops, c.run)
	c.leave(c.ifs)
}

// leave takes the running lanes out of entries.
func (c *chap) leave(entries []lane.Mask) {
	remove(entries, c.run)
	c.run = 0
}

func remove(entries []lane.Mask, m lane.Mask) {
	for i := range entries {
		entries[i] &^= m
	}
}

func (c *chap) Copy(from masks) {
	o := from.(*chap)
	c.run, c.ifs, c.loops = o.run, append(c.ifs[:0], o.ifs...), append(c.loops[:0], o.loops...)
}

func (c *chap) State(to State) State {
	for _, m := range c.ifs {
		to = append(to, entryOf(IfEntry, NoStop, m))
	}
	for _, m := range c.loops {
		to = append(to, entryOf(LoopEntry, NoStop, m))
	}
	return to
}
