package branch

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"jacquard/simt/lane"
)

// tokenNames are the hardware's names for entries of the token stack.
var tokenNames = [...]string{
	Branch: "BRANCH", Call: "CALL", BreakAddr: "PREBREAK", QuadOn: "QUADON", JoinAt: "JOINAT",
}

// token is an entry of the token stack.
type token struct {
	kind EventKind // of the event that pushed the token; Call for PreReturn too
	pc   uint32
	mask lane.Mask
}

// stackLimit is the most tokens that a warp may hold, and the most entries of other control stacks.
// The hardware's limit is configurable and spills to memory; divergent loops closed by a plain
// branch push one token per round.
const stackLimit = 1024

// nvidia is NVIDIA's token stack (US patent 7,353,369) as the Tesla instructions drive it. A lane
// is running, or it broke, returned or exited; three masks hold the lanes that do not run. A popped
// token wakes such a lane only if it is the token of the lane's own break or call.
type nvidia struct {
	pc       uint32
	active   lane.Mask
	broke    lane.Mask
	returned lane.Mask
	exited   lane.Mask
	all      lane.Mask // lanes with which the warp started
	stack    []token
	calls    int  // CALL tokens on the stack
	quads    bool // quads have run whole
	deepest  int
	wholeWarp
}

func (f *nvidia) Start(mask lane.Mask) {
	*f = nvidia{active: mask, all: mask, stack: f.stack[:0]}
}

func (f *nvidia) Pick() (uint32, lane.Mask, uint32, Kinds) {
	return f.pc, f.active, NoStop, choices
}

func (f *nvidia) Advance(pc uint32) { f.pc = pc }
func (f *nvidia) Live() lane.Mask   { return f.all &^ f.exited }
func (f *nvidia) Depth() int        { return f.deepest }

// run returns the lanes of m that did not break, return or exit.
func (f *nvidia) run(m lane.Mask) lane.Mask { return m &^ (f.broke | f.returned | f.exited) }

func (f *nvidia) push(kind EventKind, pc uint32, mask lane.Mask) error {
	if len(f.stack) == stackLimit {
		return fmt.Errorf("token stack overflow: more than %d entries", stackLimit)
	}
	f.stack = append(f.stack, token{kind, pc, mask})
	if kind == Call {
		f.calls++
	}
	f.deepest = max(f.deepest, len(f.stack))
	return nil
}

func (f *nvidia) pop() token {
	t := f.stack[len(f.stack)-1]
	f.stack = f.stack[:len(f.stack)-1]
	if t.kind == Call {
		f.calls--
	}
	return t
}

func (f *nvidia) Branch(taken lane.Mask, target, next uint32) error {
	switch taken {
	case 0:
		f.pc = next
		return nil
	case f.active:
		f.pc = target
		return nil
	}
	// Unverified: the taken side goes first. Only racy code can tell; a board would.
	if err := f.push(Branch, next, f.active&^taken); err != nil {
		return err
	}
	f.active, f.pc = taken, target
	return nil
}

func (f *nvidia) Annotate(kind EventKind, target, next uint32) error {
	if kind == QuadPop {
		return f.quadPop(next)
	}
	f.pc = next
	switch kind {
	case QuadOn:
		return f.quadOn()
	case PreReturn:
		kind = Call
	}
	return f.push(kind, target, f.active)
}

// Join is evaluated before the instruction that carries the marker, whatever its guard.
// Unverified: both; vendor code works with this reading (docs/isa/control.md, join).
func (f *nvidia) Join(uint32) (bool, error) {
	if len(f.stack) == 0 {
		return false, errors.New("join on an empty token stack")
	}
	switch t := f.stack[len(f.stack)-1]; t.kind {
	case Branch: // the arriving lanes wait; the other side of the branch runs
		f.pop()
		f.active, f.pc = f.run(t.mask), t.pc
		if f.active == 0 {
			return false, f.unwind()
		}
		return false, nil
	case JoinAt:
		f.pop()
		f.active = f.run(t.mask)
		return true, nil
	default:
		return false, fmt.Errorf("join found a %s entry on the token stack", tokenNames[t.kind])
	}
}

func (f *nvidia) Break(taken lane.Mask, next uint32) error {
	f.broke |= taken
	return f.leave(taken, next)
}

func (f *nvidia) Call(target, next uint32) error {
	f.pc = target
	return f.push(Call, next, f.active)
}

// Return outside any call ends its lanes. Unverified: compilers rely on it, no source states it.
func (f *nvidia) Return(taken lane.Mask, next uint32) error {
	if f.calls == 0 {
		f.exited |= taken
	} else {
		f.returned |= taken
	}
	return f.leave(taken, next)
}

func (f *nvidia) Exit() error {
	f.exited |= f.active
	return f.leave(f.active, f.pc)
}

// leave takes lanes out of the active mask; the rest goes on at next.
func (f *nvidia) leave(lanes lane.Mask, next uint32) error {
	f.active &^= lanes
	f.pc = next
	if f.active == 0 {
		return f.unwind()
	}
	return nil
}

// unwind pops tokens until some lane can run. An empty stack ends the warp.
func (f *nvidia) unwind() error {
	for len(f.stack) > 0 {
		t := f.stack[len(f.stack)-1]
		switch t.kind {
		case BreakAddr:
			f.broke &^= t.mask
		case Call:
			f.returned &^= t.mask
		case QuadOn:
			return errors.New("no active lane inside a quadon region")
		}
		f.active, f.pc = f.run(t.mask), t.pc
		if t.kind == JoinAt && f.active != 0 {
			return nil // the instruction at t.pc carries the join marker that pops this token
		}
		f.pop()
		if f.active != 0 {
			return nil
		}
	}
	if asleep := f.Live(); asleep != 0 {
		return fmt.Errorf("token stack underflow: %d lanes left a loop or call that was never announced",
			bits.OnesCount32(uint32(asleep)))
	}
	return nil
}

func (f *nvidia) quadOn() error {
	f.quads = true
	err := f.push(QuadOn, 0, f.active)
	for q := 0; q < lane.Width; q += 4 {
		if quad := lane.Mask(15) << q; f.active&quad != 0 {
			f.active |= quad
		}
	}
	return err
}

func (f *nvidia) quadPop(next uint32) error {
	if len(f.stack) == 0 || f.stack[len(f.stack)-1].kind != QuadOn {
		return errors.New("quadpop without quadon")
	}
	f.active, f.pc = f.pop().mask, next
	return nil
}

// Arrive: a warp arrives as a whole, whatever its active mask.
func (f *nvidia) Arrive(barrier uint8, next uint32) error {
	f.pc = next
	f.arrive(barrier)
	return nil
}

func (f *nvidia) Status() Status { return f.status(f.Live()) }

// Places unwinds the stack without changing it: each lane wakes at its own token.
func (f *nvidia) Places(to []Place) []Place {
	left := f.Live()
	put := func(pc uint32, m lane.Mask) {
		if m &= left; m != 0 {
			to = append(to, Place{pc, m, f.waits})
			left &^= m
		}
	}
	put(f.pc, f.active)
	broke, returned := f.broke, f.returned
	for i := len(f.stack) - 1; i >= 0; i-- {
		t := f.stack[i]
		switch t.kind {
		case BreakAddr:
			broke &^= t.mask
		case Call:
			returned &^= t.mask
		case QuadOn:
			continue
		}
		put(t.pc, t.mask&^(broke|returned))
	}
	return to
}

// tokenEntries has the entry kind of each kind of token.
var tokenEntries = [...]EntryKind{
	Branch: BranchEntry, Call: CallEntry, BreakAddr: BreakEntry, QuadOn: QuadEntry, JoinAt: JoinEntry,
}

func (f *nvidia) State(to State) State {
	for i, m := range [...]lane.Mask{f.broke, f.returned, f.exited} {
		if m != 0 {
			to = append(to, entryOf(BrokeEntry+EntryKind(i), NoStop, m))
		}
	}
	for _, t := range f.stack {
		to = append(to, entryOf(tokenEntries[t.kind], t.pc, t.mask))
	}
	return append(to, f.wholeWarp.state(f.pc, f.active))
}

// tokens makes a policy of nvidia flows. Most launches run under it, so it carries out the usual
// events without an interface call; perWarp does the others.
type tokens struct {
	perWarp
	warps [lane.MaxWarps]nvidia
}

func prepareNvidia(*Kernel, []string) (func() Policy, error) {
	return func() Policy {
		p := &tokens{perWarp: perWarp{newFlow: func() Flow { return new(nvidia) }}}
		for w := range p.warps {
			p.flows = append(p.flows, &p.warps[w])
		}
		return p
	}, nil
}

func (p *tokens) Control(c *Cohort, e *Event) (WarpSet, error) {
	w := c.Warp[0]
	f := &p.warps[w]
	switch {
	case e.Indirect:
		return p.perWarp.Control(c, e)
	case e.Kind == Branch:
		return 0, p.after(w, f.Branch(e.Lanes[0], e.Target, e.Next))
	case e.Kind == JoinAt || e.Kind == BreakAddr:
		f.pc = e.Next
		return 0, p.after(w, f.push(e.Kind, e.Target, f.active))
	case e.Kind == Break:
		return 0, p.after(w, f.Break(e.Lanes[0], e.Next))
	}
	return p.perWarp.Control(c, e)
}

// after updates warp w after an event by which no lane ended or began to wait.
func (p *tokens) after(w uint8, err error) error {
	if err != nil {
		return p.fail(int(w), err)
	}
	p.show(w)
	return nil
}

// show updates the next issue of warp w.
func (p *tokens) show(w uint8) {
	f := &p.warps[w]
	p.next.PC[w], p.next.Mask[w] = f.pc, f.active
}

func (p *tokens) Join(c *Cohort) error {
	w := c.Warp[0]
	f := &p.warps[w]
	c.N, c.Full = 0, true
	execute, err := f.Join(c.PC)
	if err == nil && f.active == 0 {
		p.update(int(w))
		return nil
	}
	if err := p.after(w, err); err != nil {
		return err
	}
	if execute {
		c.Add(int(w), f.active)
	}
	return nil
}

// The longest fork holds two tokens.
const forkTokens = 2

func (p *tokens) Order() ForkOrder          { return TakenVetoed }
func (p *tokens) Knows(uint32, uint32) bool { return true }

func (p *tokens) Room(w int) bool {
	return len(p.warps[w].stack)+forkTokens <= stackLimit
}

// Idle implements Whole.
func (p *tokens) Idle(int) bool { return true }

// Passed implements Whole.
func (p *tokens) Passed(WarpSet) bool { return false }

func (p *tokens) Spare(w int) int { return stackLimit - len(p.warps[w].stack) }

func (p *tokens) Opened(w, n int) {
	f := &p.warps[w]
	f.deepest = max(f.deepest, len(f.stack)+n)
}

func (p *tokens) Open(w int, r Region) {
	f := &p.warps[w]
	if f.push(r.Kind, r.PC, r.Lanes) != nil {
		panic("branch: a region was opened without room")
	}
	if r.Kind == BreakAddr {
		f.broke |= r.Waits
	}
	p.show(uint8(w))
}

func (p *tokens) Close(w, most int, list []Region) []Region {
	f := &p.warps[w]
	first := len(list)
	list, f.broke = f.closable(most, list)
	for range list[first:] {
		f.active |= f.pop().mask
	}
	slices.Reverse(list[first:])
	return list
}

// closable appends the regions that can be closed, the innermost first and at most most. It returns
// the lanes that then wait behind breaks. No lane of such a region has returned or ended, or waits
// behind the break of a region that stays open. No region can be closed once quads have run whole:
// lanes that broke may have run, and be nowhere since.
func (f *nvidia) closable(most int, list []Region) ([]Region, lane.Mask) {
	if f.quads {
		return list, f.broke
	}
	first := len(list)
	broke, left, all := f.broke, f.Live()&^f.active, lane.Mask(0)
	for i := len(f.stack) - 1; i >= 0 && len(list)-first < most; i-- {
		t := f.stack[i]
		waits := lane.Mask(0)
		others := left & t.mask &^ broke
		switch t.kind {
		case JoinAt:
			waits, others = others, 0
		case BreakAddr:
			waits = broke & t.mask
		case Call: // lanes that broke in the function
			others |= broke & t.mask
		case Branch:
			left &^= t.mask
			others = 0
		}
		if t.mask&(f.returned|f.exited) != 0 || others != 0 {
			break // or lanes wait at a join that was not announced
		}
		if t.kind == BreakAddr {
			broke &^= t.mask
		}
		left &^= waits
		all |= t.mask
		list = append(list, Region{t.kind, t.pc, t.mask, waits})
	}
	if all&broke != 0 {
		return list[:first], f.broke
	}
	return list, broke
}

func (p *tokens) Go(w int, lanes lane.Mask) {
	p.warps[w].active = lanes
	p.show(uint8(w))
}

func (p *tokens) Met(w int, parted bool, _ int) {
	f, more := &p.warps[w], 1
	if parted {
		more = 2
	}
	f.deepest = max(f.deepest, len(f.stack)+more)
}

func (p *tokens) Left(w int, taken lane.Mask, next uint32) {
	f := &p.warps[w]
	f.deepest = max(f.deepest, len(f.stack)+1)
	f.broke |= taken
	f.active &^= taken
	f.pc = next
	p.show(uint8(w))
}
