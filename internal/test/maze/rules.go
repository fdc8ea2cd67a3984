package maze

import (
	"fmt"
	"math/bits"
	"strings"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// rules lead a warp as a policy is said to, and share nothing with the policy.
type rules interface {
	// run leads the lanes of the warp to their ends.
	run() error
	// issued returns the issues, in order.
	issued() []Step
}

// rulesOf has the policies whose issues follow from written rules and the way of each thread alone.
var rulesOf = map[string]func(f follower, options string) rules{
	"bfs":       newRing,
	"dfs":       newPile,
	"implicit":  newReplay,
	"stackless": newForecast,
	"takahashi": newStroll,
}

// checkRules returns an error if the issues of a policy differ from its rules. It checks only the
// policies of rulesOf, and no narrow warps: a test of the policies compares these with warps of as
// many lanes.
func (m *Maze) checkRules(policy string, alone, ran *Outcome) error {
	name, options, _ := strings.Cut(policy, ":")
	newRules, written := rulesOf[name]
	if !written || strings.Contains(options, "warp=") {
		return nil
	}
	got, err := m.allSteps(policy)
	if err != nil {
		return err
	}
	var made, wrong uint64
	for b, ways := range alone.ways {
		for w := 0; w*lane.Width < len(ways); w++ {
			r := newRules(follower{m: m, ways: ways[w*lane.Width : min(len(ways), (w+1)*lane.Width)]}, options)
			if err := r.run(); err != nil {
				return fmt.Errorf("block %d, warp %d: %w", b, w, err)
			}
			if err := same(got[b][w], r.issued()); err != nil {
				return fmt.Errorf("block %d, warp %d: %w", b, w, err)
			}
			if f, ok := r.(*forecast); ok {
				made, wrong = made+f.made, wrong+f.wrong
			}
		}
	}
	if ran.Stats.Predictions != made || ran.Stats.Mispredictions != wrong {
		return fmt.Errorf("%d predictions are counted, %d of them wrong; by the rules of the policy %d and %d",
			ran.Stats.Predictions, ran.Stats.Mispredictions, made, wrong)
	}
	return nil
}

// same returns an error if the issues of a warp differ from the rules.
func same(got, want []Step) error {
	for i, s := range got {
		if i >= len(want) || s != want[i] {
			return fmt.Errorf("issue %d is %v; by the rules of the policy the issues from there are %v",
				i, s, want[min(i, len(want)):min(i+3, len(want))])
		}
	}
	if len(want) > len(got) {
		return fmt.Errorf("%d issues, %d by the rules of the policy", len(got), len(want))
	}
	return nil
}

// follower leads the lanes of a warp along their ways.
type follower struct {
	m     *Maze
	ways  []way
	at    [lane.Width]int // strides of the ways that are done
	steps []Step
}

func (f *follower) issued() []Step { return f.steps }

// pc returns where a lane is; false if it has ended.
func (f *follower) pc(l int) (uint32, bool) {
	if l >= len(f.ways) || f.at[l] == len(f.ways[l]) {
		return 0, false
	}
	return f.ways[l][f.at[l]].pc, true
}

// live returns the lanes that have not ended.
func (f *follower) live() (m lane.Mask) {
	for l := range f.ways {
		if _, live := f.pc(l); live {
			m |= 1 << l
		}
	}
	return m
}

// those returns the lanes of m at an address.
func (f *follower) those(m lane.Mask, pc uint32) (some lane.Mask) {
	for l := range f.ways {
		if at, live := f.pc(l); live && at == pc {
			some |= 1 << l
		}
	}
	return some & m
}

// first returns where the lowest lane of m is, which has not ended.
func (f *follower) first(m lane.Mask) uint32 {
	pc, _ := f.pc(bits.TrailingZeros32(uint32(m)))
	return pc
}

// apart splits m by address, in the order of the lowest lanes. Lanes that have ended are left out.
func (f *follower) apart(m lane.Mask) (groups []lane.Mask) {
	for m &= f.live(); m != 0; {
		group := f.those(m, f.first(m))
		groups = append(groups, group)
		m &^= group
	}
	return groups
}

// issue is an instruction issued.
type issue struct {
	op           tesla.Op
	pc           uint32
	target, next uint32    // the address that the instruction names, and the one after it
	taken        lane.Mask // lanes whose guard holds
	guarded      bool      // some lanes may not take part
	ends         bool      // its lanes end
}

// chooses reports whether lanes may go elsewhere than to the next instruction, or stop running.
func (i *issue) chooses() bool {
	return i.op.Leaves() || i.op == tesla.OpBar || i.ends
}

// issue issues the next instruction for lanes that are all at one address, and takes them past it.
// Lanes of an indirect branch leave for one target at a time: the others are still there.
func (f *follower) issue(running lane.Mask) (issue, error) {
	pc := f.first(running)
	if f.those(running, pc) != running {
		return issue{}, fmt.Errorf("lanes %08x should run together at 0x%x, but alone are elsewhere", uint32(running), pc)
	}
	i := f.fetch(pc, running)
	target := uint32(0)
	for l := range f.ways {
		if running>>l&1 == 0 {
			continue
		}
		stride := f.ways[l][f.at[l]]
		if i.op == tesla.OpBraIndirect {
			to := f.ways[l][f.at[l]+1].pc
			if i.taken == 0 {
				target = to
			}
			if to != target {
				continue
			}
		}
		if stride.holds {
			i.taken |= 1 << l
		}
		f.at[l]++
	}
	if i.op == tesla.OpBraIndirect {
		if i.target = target; i.taken != running {
			i.next = pc
		}
	}
	return i, nil
}

// fetch issues the instruction at pc, and leaves the lanes where they are.
func (f *follower) fetch(pc uint32, lanes lane.Mask) issue {
	f.steps = append(f.steps, Step{PC: pc, Lanes: lanes})
	in := &f.m.Code[pc/size]
	return issue{op: in.Op, pc: pc, target: in.Target, next: pc + size,
		guarded: in.Guard.Cond != tesla.CondAlways, ends: in.Marker == tesla.MarkerExit}
}
