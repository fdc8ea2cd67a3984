package check

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// A Checker looks for mistakes of kernels. It changes nothing. Launches that it watches run on one
// worker, so what it finds does not depend on how many there are.
type Checker interface {
	// Begin says that a launch begins, and returns the watch of its blocks; nil: the launch is not
	// watched. The Launch is valid until the launch ends.
	Begin(l *Launch) Watch
}

// Launch is what a checker sees of a launch.
type Launch struct {
	Program *program.Program
	Machine *machine.Grid
	Grid    [2]int // blocks in x, y
	Block   [3]int // threads in x, y, z
	Params  []byte
	Head    uint32 // bytes of the header and the parameters, with which shared memory begins
	Static  uint32 // bytes of shared memory: header, parameters and static arrays
	Shared  uint32 // bytes of shared memory, with the dynamic ones
	Warps   int    // of a block
}

// Watch watches the blocks of a launch.
type Watch interface {
	// Block returns the watcher of the blocks that run on a state, one after the other. Several
	// states have blocks at a time, which take turns.
	Block(st *machine.State) Watcher

	// End says that the launch has ended, with a fault or without.
	End(f *machine.Fault)
}

// Watcher watches the blocks that run on a state. It is told of accesses only if it Wants some.
type Watcher interface {
	machine.AccessHook

	// Start says that the state starts with a block: its shared memory has the header and the
	// parameters.
	Start()

	// Opened says that a barrier of the block opened. warps are those that waited.
	Opened()

	// End says that the block has ended, or was given up because the launch faulted.
	End()
}

// Meeting is a Watcher that hears of the barriers of its block.
type Meeting interface {
	Watcher

	// Arrived says that lanes m of warp w come to barrier u.
	Arrived(u *program.Op, w int, m lane.Mask)

	// Ended says that lanes m of warp w ended at u.
	Ended(u *program.Op, w int, m lane.Mask)

	// Meets says that a barrier is about to open for all warps that have not ended, before Opened;
	// or that none can open any more. live are the lanes of each warp that have not ended; places
	// returns where the lanes of a warp are of which not all have arrived.
	Meets(opens bool, live *[lane.MaxWarps]lane.Mask, places func(w int) []branch.Place)
}

// Together returns a checker made of several, nil if there is none. Each of them gets the calls that
// it wants.
func Together(list ...Checker) Checker {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return together(list)
}

type together []Checker

func (t together) Begin(l *Launch) Watch {
	var list watches
	for _, c := range t {
		if w := c.Begin(l); w != nil {
			list = append(list, w)
		}
	}
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return list
}

type watches []Watch

func (t watches) Block(st *machine.State) Watcher {
	list := make([]Watcher, len(t))
	for i, w := range t {
		list[i] = w.Block(st)
	}
	return NewWatchers(st, list...)
}

func (t watches) End(f *machine.Fault) {
	for _, w := range t {
		w.End(f)
	}
}

// Watchers are several watchers of a state as one.
type Watchers struct {
	Hooks
	list     []Watcher
	meetings []Meeting // of list
}

// NewWatchers makes one watcher of several.
func NewWatchers(st *machine.State, list ...Watcher) *Watchers {
	hooks := make([]machine.AccessHook, len(list))
	var meetings []Meeting
	for i, w := range list {
		hooks[i] = w
		if m, ok := w.(Meeting); ok {
			meetings = append(meetings, m)
		}
	}
	return &Watchers{*NewHooks(st.Program, hooks...), list, meetings}
}

// MeetingOf returns the part of a watcher that looks at barriers, nil if there is none.
func MeetingOf(w Watcher) Meeting {
	if t, ok := w.(*Watchers); ok && len(t.meetings) == 0 {
		return nil
	}
	m, _ := w.(Meeting)
	return m
}

// Start is for Watcher.
func (t *Watchers) Start() {
	for _, w := range t.list {
		w.Start()
	}
}

// Opened is for Watcher.
func (t *Watchers) Opened() {
	for _, w := range t.list {
		w.Opened()
	}
}

// Arrived is for Meeting.
func (t *Watchers) Arrived(u *program.Op, w int, m lane.Mask) {
	for _, x := range t.meetings {
		x.Arrived(u, w, m)
	}
}

// Ended is for Meeting.
func (t *Watchers) Ended(u *program.Op, w int, m lane.Mask) {
	for _, x := range t.meetings {
		x.Ended(u, w, m)
	}
}

// Meets is for Meeting.
func (t *Watchers) Meets(opens bool, live *[lane.MaxWarps]lane.Mask, places func(w int) []branch.Place) {
	for _, x := range t.meetings {
		x.Meets(opens, live, places)
	}
}

// End is for Watcher.
func (t *Watchers) End() {
	for _, w := range t.list {
		w.End()
	}
}

// Hooks are several access hooks as one. Each of them gets the calls that it wants.
type Hooks struct {
	wants [][]machine.AccessHook // by instruction
}

// NewHooks makes one hook of several, for the launches of a program.
func NewHooks(p *program.Program, list ...machine.AccessHook) *Hooks {
	t := &Hooks{make([][]machine.AccessHook, len(p.Code))}
	for _, h := range list {
		for i := range p.Code {
			if h.Wants(&p.Code[i]) {
				t.wants[i] = append(t.wants[i], h)
			}
		}
	}
	return t
}

// Wants is for machine.AccessHook.
func (t *Hooks) Wants(u *program.Op) bool { return t.wants[u.At] != nil }

// Load is for machine.AccessHook.
func (t *Hooks) Load(s *machine.State, u *program.Op, space program.Space, w int, addr *lane.Row, m lane.Mask, size int) {
	for _, h := range t.wants[u.At] {
		h.Load(s, u, space, w, addr, m, size)
	}
}

// LoadWord is for machine.AccessHook.
func (t *Hooks) LoadWord(s *machine.State, u *program.Op, sel *lane.Sel, addr uint32, size int) {
	for _, h := range t.wants[u.At] {
		h.LoadWord(s, u, sel, addr, size)
	}
}

// Store is for machine.AccessHook.
func (t *Hooks) Store(s *machine.State, u *program.Op, w int, data *mem.Data, addr *lane.Row, m lane.Mask, size int) {
	for _, h := range t.wants[u.At] {
		h.Store(s, u, w, data, addr, m, size)
	}
}

// Atomic is for machine.AccessHook.
func (t *Hooks) Atomic(s *machine.State, u *program.Op, w int, data *mem.Data, addr *lane.Row, m lane.Mask, size int) {
	for _, h := range t.wants[u.At] {
		h.Atomic(s, u, w, data, addr, m, size)
	}
}

// Fetch is for machine.AccessHook.
func (t *Hooks) Fetch(s *machine.State, u *program.Op, w int, m lane.Mask) {
	for _, h := range t.wants[u.At] {
		h.Fetch(s, u, w, m)
	}
}

// Vote is for machine.AccessHook.
func (t *Hooks) Vote(s *machine.State, u *program.Op, w int, m, yes lane.Mask) {
	for _, h := range t.wants[u.At] {
		h.Vote(s, u, w, m, yes)
	}
}

// VoteJoined is for machine.AccessHook.
func (t *Hooks) VoteJoined(s *machine.State, u *program.Op, w int, m lane.Mask) {
	for _, h := range t.wants[u.At] {
		h.VoteJoined(s, u, w, m)
	}
}
