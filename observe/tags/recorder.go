package tags

import (
	"math/bits"
	"sync"

	"jacquard/simt"
	"jacquard/simt/lane"
	"jacquard/simt/watch"
	"jacquard/tesla"
)

// Recorder counts the uniform and affine operands of a launch.
type Recorder struct {
	program *simt.Program
	effects []simt.Effects
	block   [3]int

	mu   sync.Mutex
	all  []*walker
	idle []*walker
}

// Attach makes l count its operands, besides any recorder that it has.
func Attach(l *simt.Launch) *Recorder {
	r := &Recorder{program: l.Program, block: l.Block}
	for i := range l.Program.Instructions() {
		r.effects = append(r.effects, l.Program.Effects(i))
	}
	l.Recorder = watch.TeeRecorders(l.Recorder, r)
	return r
}

// Keeps selects no values.
func (r *Recorder) Keeps() []bool { return nil }

// States selects none.
func (r *Recorder) States() bool { return false }

// Fault does nothing: Count checks whether the launch faulted.
func (r *Recorder) Fault(*simt.Fault, int) {}

// Block returns the recorder of a block.
func (r *Recorder) Block(b *simt.Block) simt.BlockRecorder {
	r.mu.Lock()
	var w *walker
	if n := len(r.idle) - 1; n >= 0 {
		w, r.idle = r.idle[n], r.idle[:n]
	} else {
		w = &walker{r: r, known: map[State]int32{}, by: map[stretch]int32{}}
		r.all = append(r.all, w)
	}
	r.mu.Unlock()
	w.begin(b)
	return w
}

// Count adds the counts to the launch's statistics, nothing if the launch faulted: blocks after the
// fault do not count. It must be called once, after the launch.
func (r *Recorder) Count(s *simt.Stats) {
	if len(s.ByInstruction) == 0 || s.Incomplete {
		return
	}
	code := r.program.Kernel.Code
	for _, w := range r.all {
		for key, number := range w.by {
			m := &w.moves[number]
			at := w.states[key.state]
			for i := key.from; i < key.to; i++ {
				n := at.Step(&code[i], &r.effects[i], key.all)
				s.ByInstruction[i].Operands.Add(&n, m.times)
			}
		}
	}
}

// walker carries the tags of a block's warps along. The effect of straight-line code on tags is
// computed once per state in which a warp enters it; repeated code costs one table look-up per
// run.
type walker struct {
	r      *Recorder
	states []State
	known  map[State]int32 // indices in states
	moves  []move
	by     map[stretch]int32        // indices in moves
	lanes  int                      // of a warp
	at     []int32                  // by warp: indices in states
	live   [lane.MaxWarps]lane.Mask // by home warp
}

// stretch is straight-line code that a warp enters in a state, with all live lanes or some.
type stretch struct {
	state, from, to int32
	all             bool
}

// move is the effect of a stretch, and how often it was taken.
type move struct {
	state int32
	times uint64
}

// begin starts a block.
func (w *walker) begin(b *simt.Block) {
	w.at, w.lanes = w.at[:0], b.WarpLanes()
	for i, m := range b.Lanes() {
		w.live[i] = m
		for range lane.Width / w.lanes {
			w.at = append(w.at, w.number(Start(w.r.block, len(w.at), w.lanes)))
		}
	}
}

// number returns the index of a state in states.
func (w *walker) number(s State) int32 {
	n, ok := w.known[s]
	if !ok {
		n = int32(len(w.states))
		w.known[s] = n
		w.states = append(w.states, s)
	}
	return n
}

// Run follows stretches of a warp.
func (w *walker) Run(warp int, list []simt.Stretch) {
	for i := range list {
		for rest := list[i].Active; rest != 0; { // once unless narrow warps are mixed
			group := lane.Group(rest, w.lanes)
			w.follow(warp, group, &list[i])
			rest &^= group
		}
	}
}

// follow follows one stretch for the lanes of a group, which are a warp.
func (w *walker) follow(home int, group lane.Mask, s *simt.Stretch) {
	if s.Vetoed {
		return
	}
	warp := (home*lane.Width + bits.TrailingZeros32(uint32(group))) / w.lanes
	live, active, executed := w.live[home]&group, s.Active&group, s.Executed&group
	from, to, all := s.From, s.To, active == live
	if executed != active {
		if from < to-1 {
			w.walk(warp, stretch{w.at[warp], from, to - 1, all})
		}
		from, all = to-1, executed == live
	}
	if executed != 0 {
		w.walk(warp, stretch{w.at[warp], from, to, all})
	}
	if w.r.program.Kernel.Code[s.To-1].Marker == tesla.MarkerExit {
		w.live[home] &^= active
	}
}

// walk computes the effect of a stretch instruction by instruction.
func (w *walker) walk(warp int, key stretch) {
	number, ok := w.by[key]
	if !ok {
		s := w.states[key.state]
		code := w.r.program.Kernel.Code
		for i := key.from; i < key.to; i++ {
			s.Step(&code[i], &w.r.effects[i], key.all)
		}
		number = int32(len(w.moves))
		w.by[key] = number
		w.moves = append(w.moves, move{state: w.number(s)})
	}
	m := &w.moves[number]
	m.times++
	w.at[warp] = m.state
}

// Keep does nothing: Keeps selects no values.
func (w *walker) Keep(int, *simt.Values) {}

// Reached does nothing: the tags of a warp do not depend on other warps.
func (w *walker) Reached(uint64) {}

// End ends the block.
func (w *walker) End(*simt.Fault) {
	w.r.mu.Lock()
	defer w.r.mu.Unlock()
	w.r.idle = append(w.r.idle, w)
}
