package check

import (
	"cmp"
	"fmt"
	"slices"

	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// pair is two instructions whose accesses nothing orders.
type pair struct {
	from        *raceLaunch // other work, of which the first is; nil: the same launch
	first, then int32       // indices, in the order of the launch
	was, now    access
	space       program.Space
	level       Level
	lockstep    bool // lanes of one warp
	same        bool // the store leaves what memory holds
	issue       bool // lanes of one issue
}

// example is one conflict of a pair.
type example struct {
	addr          uint32
	first         Site
	then          Thread
	bytes         uint32
	value         uint64
	hasValue      bool
	count, number uint64 // number: of the pair
}

// races are the conflicts of a launch.
type races struct {
	p    *program.Program
	list map[pair]*example
	// lockstep has the first conflict of lanes of a warp by the later instruction. It stands for all.
	lockstep []*example
}

// counts reports whether the instruction of a conflict of lanes of a warp has an example already, and
// counts it there.
func (r *races) counts(p pair) bool {
	e := r.lockstep[p.then]
	if e == nil {
		return false
	}
	e.count++
	return true
}

// known returns the example that stands for conflicts of an access with lanes of its warp, if there
// is one and all lanes access: none of them is on another side of a branch.
func (r *races) known(now *issue) *example {
	if now.active != lane.All {
		return nil
	}
	return r.lockstep[now.u.At]
}

// has counts a conflict with an earlier access if e stands for that.
func (e *example) has(was, now cell) bool {
	if e == nil || (was^now)>>(threadAt+5) != 0 || was.index() == now.index() {
		return false
	}
	e.count++
	return true
}

// mostPairs is how many pairs of a launch are kept.
const mostPairs = 4096

// add keeps a conflict between an earlier access and that of lane l, which x looks at.
func (r *races) add(x *raceWatcher, p pair, was cell, addr uint32, l int) {
	if e := r.list[p]; e != nil {
		e.count++
		return
	}
	if len(r.list) >= mostPairs {
		return
	}
	if r.list == nil {
		r.list = map[pair]*example{}
	}
	e := &example{addr: addr, count: 1, bytes: 1 << x.unit, number: uint64(len(r.list))}
	e.then = Thread{Block: x.st.Index, Warp: x.at.w, Lanes: lane.Mask(1) << l}
	from := x.raceLaunch
	if p.from != nil {
		from = p.from
	}
	e.first = from.site(was, p.was, addr)
	if x.at.data != nil && x.at.data[0] != nil && x.unit == 2 && x.at.addr[l]>>2 == addr>>2 {
		e.value, e.hasValue = uint64(x.at.data[0][l]), true
	}
	r.list[p] = e
	if p.lockstep {
		r.lockstep[p.then] = e
	}
	if x.First != nil && p.level == Error {
		x.First(p.finding(r.p, e))
	}
}

// report hands out the conflicts as findings.
func (r *races) report(found func(Finding)) {
	type one struct {
		pair
		*example
	}
	var list []one
	for p, e := range r.list {
		list = append(list, one{p, e})
	}
	slices.SortFunc(list, func(a, b one) int { return cmp.Compare(a.number, b.number) })
	for _, o := range list {
		found(o.finding(r.p, o.example))
	}
}

var spaces = map[program.Space]string{program.SpaceGlobal: "global", program.SpaceShared: "shared"}

var accessNames = [...]string{reads: "read", writes: "write", changes: "atomic"}

var aAccess = [...]string{reads: "a read", writes: "a write", changes: "an atomic"}

// finding returns the finding of a pair.
func (p pair) finding(code *program.Program, e *example) Finding {
	at := SiteOf(code, &code.Code[p.then], accessNames[p.now], e.then)
	addr := e.addr
	at.Addr, at.Size = &addr, e.bytes
	f := Finding{
		Kind: KindRace, What: p.what(), Space: spaces[p.space], Level: p.level, Kernel: code.Kernel.Name, Count: e.count,
		At: at, With: []Site{e.first},
	}
	if e.hasValue && p.now == writes {
		v := e.value
		f.At.Value = &v
	}
	f.Text, f.Advice = p.text(e)
	return f
}

// what is the word for the pair.
func (p pair) what() string {
	switch {
	case p.lockstep:
		return "warp-synchronous"
	case p.same:
		return "same-value"
	case p.was == changes || p.now == changes:
		return "atomic-plain"
	case p.was == writes && p.now == writes:
		return "write-write"
	}
	return "read-write"
}

// text says what is wrong, and what to do.
func (p pair) text(e *example) (text, advice string) {
	var first Thread
	if len(e.first.Where) > 0 {
		first = e.first.Where[0]
	}
	who := "threads of two warps"
	order := "no barrier or flag orders them"
	switch {
	case p.from != nil:
		return streamsText, streamsAdvice
	case first.Block != e.then.Block:
		who, order = "threads of two blocks", "no fence and atomic orders them"
		advice = "Nothing but the end of the launch, or a fence and an atomic, orders blocks."
	case first.Warp == e.then.Warp:
		who = "lanes of a warp"
		order = "they are on two sides of a branch, and either may run first"
		if p.first == p.then {
			order = "one instruction writes both, and either may stay"
		}
	default:
		advice = "Put __syncthreads() between the two, in a loop also between one round and the next."
	}
	switch {
	case p.lockstep:
		return fmt.Sprintf("%s rely on running in lockstep: no barrier is between the %s and the %s", who, accessNames[p.was], accessNames[p.now]),
			"These devices run the lanes of a warp in lockstep. Devices from compute capability 7.0 on do not: use __syncwarp() there."
	case p.same:
		return fmt.Sprintf("%s access the same bytes, and %s; the store leaves what memory holds", who, order), ""
	case p.level == Note:
		return fmt.Sprintf("%s access the same bytes, one by a compare-and-swap that fails if the other has an old value", who), ""
	}
	return fmt.Sprintf("%s access the same bytes, %s and %s, and %s", who, aAccess[p.was], aAccess[p.now], order), advice
}
