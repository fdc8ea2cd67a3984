package branch

import "jacquard/simt/lane"

// tokens makes a policy of nvidia flows. Most launches run under it, so the usual events are
// carried out for all warps of a cohort in one loop, without an interface call per warp; perWarp
// does the others.
type tokens struct {
	perWarp
	warps [lane.MaxWarps]nvidia
}

func prepareNvidia(*Kernel, []string) (func() Policy, error) {
	return func() Policy {
		p := &tokens{}
		for w := range p.warps {
			p.flows = append(p.flows, &p.warps[w])
		}
		return p
	}, nil
}

func (p *tokens) Control(c *Cohort, e *Event) (WarpSet, error) {
	switch {
	case e.Indirect:
		return p.perWarp.Control(c, e)
	case e.Kind == Branch:
		for i, w := range c.Warp[:c.N] {
			p.after(w, p.warps[w].Branch(e.Lanes[i], e.Target, e.Next))
		}
	case e.Kind == JoinAt || e.Kind == BreakAddr:
		for _, w := range c.Warp[:c.N] {
			p.after(w, p.warps[w].Annotate(e.Kind, e.Target, e.Next))
		}
	case e.Kind == Break:
		for i, w := range c.Warp[:c.N] {
			p.after(w, p.warps[w].Break(e.Lanes[i], e.Next))
		}
	case e.Kind == Exit:
		for _, w := range c.Warp[:c.N] {
			if err := p.warps[w].Exit(); err != nil {
				p.fail(int(w), err)
			} else {
				p.update(int(w))
			}
		}
	default:
		return p.perWarp.Control(c, e)
	}
	return 0, p.failures()
}

// after refreshes warp w after an event by which no lane ended or came to wait.
func (p *tokens) after(w uint8, err error) {
	if err != nil {
		p.fail(int(w), err)
		return
	}
	f := &p.warps[w]
	p.next.PC[w], p.next.Mask[w], p.next.Nested[w] = f.pc, f.active, int32(len(f.stack))
}

func (p *tokens) Join(c *Cohort) error {
	n := c.N
	c.N, c.Full = 0, true
	for _, w := range c.Warp[:n] { // Add overwrites entries that were read
		f := &p.warps[w]
		execute, err := f.Join(c.PC)
		if err == nil && f.active == 0 {
			p.update(int(w))
			continue
		}
		p.after(w, err)
		if err == nil && execute {
			c.Add(int(w), f.active)
		}
	}
	return p.failures()
}

func (p *tokens) Follow(c *Cohort) bool {
	pc := p.next.PC[c.Warp[0]]
	full := true
	for i, w := range c.Warp[:c.N] {
		m := p.next.Mask[w]
		if p.next.PC[w] != pc || p.next.Ready>>w&1 == 0 {
			return false
		}
		c.Mask[i] = m
		full = full && m == lane.All
	}
	c.PC, c.Full = pc, full
	return true
}

// The longest fork holds two tokens.
const forkTokens = 2

func (p *tokens) Order() ForkOrder          { return TakenVetoed }
func (p *tokens) Knows(uint32, uint32) bool { return true }

func (p *tokens) Room(c *Cohort) bool {
	for _, w := range c.Warp[:c.N] {
		if len(p.warps[w].stack)+forkTokens > stackLimit {
			return false
		}
	}
	return true
}

func (p *tokens) Met(c *Cohort, parted WarpSet, _ int) {
	for _, w := range c.Warp[:c.N] {
		f := &p.warps[w]
		f.deepest = max(f.deepest, len(f.stack)+1+int(parted>>w&1))
	}
}

func (p *tokens) Left(c *Cohort, taken *[lane.MaxWarps]lane.Mask, next uint32) {
	for i, w := range c.Warp[:c.N] {
		f, m := &p.warps[w], taken[i]
		if m == 0 {
			continue
		}
		f.deepest = max(f.deepest, len(f.stack)+1)
		f.broke |= m
		f.active &^= m
		f.pc = next
		p.next.PC[w], p.next.Mask[w] = next, f.active
	}
}
