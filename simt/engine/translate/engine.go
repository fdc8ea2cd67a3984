package translate

import (
	"math/bits"
	"slices"
	"unsafe"

	"jacquard/simt/branch"
	"jacquard/simt/engine"
	"jacquard/simt/engine/interp"
	"jacquard/simt/engine/translate/host"
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// Code is a program with its translations, for any number of engines.
type Code struct {
	p     *program.Program
	slow  engine.Code // executes what has no translation
	level level
	hot   int64   // the heat at which code is translated
	slots [8]slot // by variant
	reads bool    // the program reads textures
	stops []bool  // by instruction: code checks there whether it is Turn.Stop

	always []branch.Tell // by instruction: branch.TellAlways
	lookups
}

// Compile makes a program ready. Nothing is translated before it is hot. Without vector
// instructions, the code is the interpreter's. Errors come from host.Find.
func Compile(p *program.Program) (engine.Code, error) {
	name, err := host.Find(p.Kernel.Host.SIMD)
	if err != nil {
		return nil, err
	}
	slow, err := interp.Compile(p)
	if err != nil {
		return nil, err
	}
	l, ok := levels[name]
	if !ok {
		return slow, nil
	}
	always := slices.Repeat([]branch.Tell{branch.TellAlways}, len(p.Code))
	return &Code{p: p, slow: slow, level: l, hot: int64(hotSteps + hotIssues*len(p.Code)), reads: textures(p), stops: stops(p), always: always, lookups: lookups{level: l.level}}, nil
}

// CompileHot is Compile for tests: code is hot from the start.
func CompileHot(p *program.Program) (engine.Code, error) {
	c, err := Compile(p)
	if c, ok := c.(*Code); ok {
		c.hot = 0
	}
	return c, err
}

// SIMD returns the name of the vector instructions that the code computes with.
func (c *Code) SIMD() string { return c.level.name }

// New returns an engine for some warps.
func (c *Code) New(warps int) engine.Engine {
	slow := c.slow.New(warps)
	e := &Engine{Engine: slow, code: c, st: slow.Machine(), f: &frame{control: floatControl}, sites: make([]site, c.p.Slots), patterns: newPatterns(c.p.Slots)}
	if c.reads {
		e.views, e.f.desk = make([]view, c.p.Slots), newDesk()
	}
	return e
}

// floatControl is the control register under which code runs: no exceptions, denormals are zeros,
// rounding to nearest.
const floatControl = 0x1f80 | 1<<6 | 1<<15

// Engine runs code for the warps of a machine state, one warp at a time. The interpreter executes
// instructions that have no translation.
type Engine struct {
	engine.Engine // executes single instructions
	code          *Code
	st            *machine.State
	f             *frame
	one           engine.Turn // scratch of Run
	watching
	sel      lane.Sel // scratch of step and crawl
	sites    []site
	patterns []pattern       // by slot
	views    []view          // by slot; none if the program reads no textures
	launch   uint64          // the launch for which sites and the frame hold
	counts   *machine.Counts // the Counts for which they hold
	cleared  uint64          // Counts.Cleared for which they hold
}

// RunOn runs a warp on: see engine.Runner.
func (e *Engine) RunOn(t *engine.Turn) {
	img := e.begin(t)
	if img == nil {
		e.crawl(t)
		return
	}
	f := e.f
	if len(t.Open) > 0 {
		e.borrow(t)
	}
	lanes, issues := t.Lanes, e.issuesOf(t.Lanes)
	issues[t.At]++
	at := e.execute(t, img)
	e.tellCuts(t)
	if t.Warp < 0 {
		return
	}
	if t.Lanes != lanes {
		issues = e.issuesOf(t.Lanes)
	}
	issues[at]--
	t.At, t.Steps, t.Branches, t.Deepest = at, f.steps, f.branches, int(f.deepest)
	f.unpark(t)
	for i := range f.depth {
		t.Open = append(t.Open, f.tokens[i].region(t.Warp, f.held[i]))
	}
	t.Moves = f.takeMoves(t.Moves)
	if e.st.Raised != nil {
		t.At--
	}
}

// execute runs code from t.At on. It returns the next instruction; f.steps and t have the rest, as
// after RunOn. If the turns of all warps are over, t.Warp is -1.
func (e *Engine) execute(t *engine.Turn, img *image) (at int32) {
	f := e.f
	at = t.At
	to := img.entries[at]
	for {
		if to != 0 && (t.Stop < 0 || img.entries[t.Stop] != 0 && e.code.stops[t.Stop]) {
			f.target = uint64(to)
			img.entry.Call(unsafe.Pointer(f))
			at, t.Warp, t.Clock = f.at, int(f.warp), f.clock
			if f.exit == exitOver {
				t.Warp, t.Moves = -1, f.takeMoves(t.Moves)
				f.unpark(t)
				return at
			}
			if m := lane.Mask(f.mask); m != t.Lanes {
				t.Lanes = m
				img = e.image(e.variantOf(t))
			}
			switch {
			case f.exit == exitBefore && e.tellBefore(t.Warp, t.Lanes, at):
				to = img.told[at]
				continue
			case f.exit == exitFull && len(t.Moves) < allMoves:
				t.Moves = f.takeMoves(t.Moves)
				e.tellCuts(t)
				to = img.entries[at]
				continue
			case f.exit == exitControl || f.exit == exitFull:
				return at
			}
		} else if u := &e.code.p.Code[at]; u.Control || f.heeds != 0 && u.Overwrites {
			return at
		}
		e.tellCuts(t) // the interpreter may tell of a partial instruction
		sound := e.step(t, at, f.steps)
		e.makeRoom() // the interpreter may keep values
		f.steps++
		if at++; !sound || at == t.Stop {
			return at
		}
		to = img.entries[at]
	}
}

// borrow takes over the regions with which a turn begins, if there is code for all their lanes.
// Otherwise the code opens no regions.
func (e *Engine) borrow(t *engine.Turn) {
	f := e.f
	for _, r := range t.Open {
		if e.image(variant{r.Lanes == lane.All, false, e.watched()}) == nil {
			f.relay, f.mostDepth = nil, 0
			return
		}
	}
	for _, r := range t.Open {
		f.tokens[f.depth], f.held[f.depth] = tokenOf(&e.code.p.Code[r.At]), held{r.Lanes, r.Waits}
		f.depth++
		e.list(r.Lanes)
	}
	t.Open = t.Open[:0]
}

// unpark returns the regions of warps whose turn is over.
func (f *frame) unpark(t *engine.Turn) {
	if t.Relay == nil || t.Relay.Touched == 0 {
		return
	}
	for w := range t.Relay.Count {
		p := &f.parked[w]
		for i := range t.Relay.Depth[w] {
			t.Open = append(t.Open, p.tokens[i].region(int(w), p.held[i]))
		}
		t.Relay.Depth[w] = 0
	}
}

// issuesOf returns the list that counts issues of some lanes.
func (e *Engine) issuesOf(lanes lane.Mask) []int64 {
	return e.st.Counts.IssuesOf(bits.OnesCount32(uint32(lanes)))
}

// variantOf returns the variant for the lanes of a turn.
func (e *Engine) variantOf(t *engine.Turn) variant {
	return variant{t.Lanes == lane.All, t.Stop >= 0, e.watched()}
}

// crawl is RunOn while the code is cold: the interpreter executes straight code.
func (e *Engine) crawl(t *engine.Turn) {
	from, end := t.At, e.code.p.Code[t.At].End
	if t.Heeds {
		end = e.code.p.Code[t.At].Shown
	}
	if t.Stop > from {
		end = min(end, t.Stop)
	}
	if from == end {
		return
	}
	e.st.Clock = t.Clock - uint64(from)
	to := int32(e.Engine.Run(e.only(t), int(from), int(end)))
	e.st.Counts.Issue(bits.OnesCount32(uint32(t.Lanes)), from, to)
	t.At, t.Steps = to, uint64(to-from)
	if e.st.Raised != nil {
		t.At--
	}
	e.code.warm(e.variantOf(t), t.Steps)
}

// Run executes straight code: see engine.Engine. Translated code also serves the effects of control
// instructions besides their events.
func (e *Engine) Run(s *lane.Sel, from, to int) int {
	if !e.st.OneWarp(s) {
		return e.Engine.Run(s, from, to)
	}
	if !e.code.p.Code[from].Control && to > from+1 {
		if at, ok := e.runStraight(s, from, to); ok {
			return at
		}
	}
	if to == from+1 && e.code.p.Code[from].Control && e.st.Hook == nil && e.st.Recorder == nil {
		t := &e.one
		*t = engine.Turn{Warp: int(s.Warp[0]), Lanes: s.Mask[0], At: int32(from), Stop: -1, Clock: e.st.Clock + uint64(from)}
		img := e.begin(t)
		if img == nil {
			return e.Engine.Run(s, from, to)
		}
		if to := img.acts[from]; to != 0 {
			e.f.target = uint64(to)
			img.entry.Call(unsafe.Pointer(e.f))
			if e.f.exit == exitDone {
				return from + 1
			}
			e.aim(t, int32(from))
		}
	}
	return e.Engine.Run(s, from, to)
}

// aim opens the window of an access that the interpreter executes.
func (e *Engine) aim(t *engine.Turn, at int32) {
	u := &e.code.p.Code[at]
	switch {
	case u.Memory && u.Ins.Op.ReadsTexels():
		e.views[u.Slot].aim(&e.code.lookups, e.st, u.Ins)
	case !u.Accesses():
	case u.Space == program.SpaceGlobal:
		addr := e.st.AddressesOf(u, t.Warp, &e.watching.row)
		e.sites[u.Slot].aim(e.st.Global, addr[bits.TrailingZeros32(uint32(t.Lanes))], u.Ins.Op.HandsOver(1))
	case u.Space == program.SpaceFence:
		e.sites[u.Slot].open(0, mem.FencePage{}.Window())
	}
}

// step makes the interpreter execute the instruction at an index.
func (e *Engine) step(t *engine.Turn, at int32, steps uint64) (sound bool) {
	e.st.Clock = t.Clock + steps - uint64(at)
	e.aim(t, at)
	if hook := e.st.Hook; hook != nil && e.watching.at == at { // the hook knows
		e.st.Hook = nil
		defer func() { e.st.Hook = hook }()
	}
	e.watching.at = -1
	e.Engine.Run(e.only(t), int(at), int(at)+1)
	return e.st.Raised == nil
}

// only returns the lanes of a turn, until the next call.
func (e *Engine) only(t *engine.Turn) *lane.Sel {
	s := &e.sel
	s.N, s.Full = 0, true
	s.Add(t.Warp, t.Lanes)
	return s
}

// begin fills in the frame for a turn, and returns the code for it.
func (e *Engine) begin(t *engine.Turn) *image {
	f, st := e.f, e.st
	if e.launch != st.Launch || e.counts != st.Counts || e.cleared != e.counts.Cleared {
		e.bind()
	}
	if f.mask != uint32(t.Lanes) || f.issues == 0 {
		e.choose(t.Lanes)
	}
	if f.relay = t.Relay; f.warp != uint64(t.Warp) || f.regs == 0 {
		f.warp = uint64(t.Warp)
		f.regs = f.regsOf + uintptr(f.warp*f.regsBytes)
		f.flags = f.flagsOf + uintptr(t.Warp)*unsafe.Sizeof(lane.Flags{})
		f.local = f.localOf + uintptr(f.warp*f.localBytes)
	}
	shared := st.Shared.Bytes()
	f.shared, f.sharedSize = address(shared), uint32(len(shared))&^3
	f.tells, f.stop = address(t.Tells), uint32(t.Stop)
	f.room, f.steps, f.clock, f.branches = t.Room, t.Steps, t.Clock, 0
	f.heeds = 0
	if t.Heeds {
		f.heeds = 1
	}
	f.depth, f.deepest, f.mostDepth = 0, 0, uint32(min(t.Regions, mostTokens))
	f.moved, f.movedFrom = 0, 0
	stops, watched := t.Stop >= 0, e.watched()
	if watched {
		e.watch()
	}
	full := t.Lanes == lane.All
	if t.Relay != nil || t.Regions > 0 { // the code may go on with other lanes
		e.image(variant{!full, stops, watched})
	}
	return e.image(variant{full, stops, watched})
}

// image returns a translation for this engine and its code, or nil: see Code.image.
func (e *Engine) image(v variant) *image {
	img := &e.f.images[v.number()]
	if *img == nil {
		*img = e.code.image(v)
	}
	return *img
}

// bind fills in the fields that hold for a launch and its counters.
func (e *Engine) bind() {
	f, st, c := e.f, e.st, e.st.Counts
	if e.launch != st.Launch {
		clear(e.sites)
		clear(e.views)
	}
	e.launch, e.counts, e.cleared = st.Launch, c, c.Cleared
	f.regsOf, f.regsBytes = address(st.Regs), uint64(st.Step)*uint64(rowBytes)
	f.flagsOf = address(st.Flags[0])
	rows := mem.LocalRows(e.code.p.Kernel.Local)
	f.localOf, f.localSize, f.localBytes = address(st.Local), uint32(4*rows), uint64(rows)*uint64(rowBytes)
	f.regs = 0
	f.rows, f.sites, f.patterns, f.views = address(st.Rows), address(e.sites), address(e.patterns), address(e.views)
	f.notTaken, f.off, f.access, f.waited = address(c.NotTaken), address(c.Off), address(c.Access), address(c.Waited)
	for i, b := range st.Const {
		f.constant[i], f.constSize[i] = address(b), uint32(len(b))&^3
	}
	f.issues = 0
	for n := range f.issuesOf {
		f.issuesOf[n], f.takenOf[n] = 0, 0
		if c.Issues[n] != nil && c.Taken[n] != nil {
			f.issuesOf[n], f.takenOf[n] = address(c.Issues[n]), address(c.Taken[n])
		}
	}
}

// choose fills in the fields that depend on the lanes that run.
func (e *Engine) choose(lanes lane.Mask) {
	f, n := e.f, e.list(lanes)
	f.issues, f.taken = f.issuesOf[n], f.takenOf[n]
	f.mask, f.halves = uint32(lanes), uint32(mem.HalfWarps(lanes))
	if lanes != lane.All && e.code.level.level == vector.AVX2 {
		for i := range f.lanes {
			f.lanes[i] = -(uint32(lanes) >> i & 1)
		}
	}
}

// list prepares the lists that count issues of some lanes, and returns the number of lanes.
func (e *Engine) list(lanes lane.Mask) (n int) {
	f, c := e.f, e.counts
	n = bits.OnesCount32(uint32(lanes))
	if f.issuesOf[n] == 0 {
		f.issuesOf[n], f.takenOf[n] = address(c.IssuesOf(n)), address(c.TakenBy(n))
	}
	return n
}

// address returns the address of a slice, which the machine state or the engine keeps.
func address[T any](s []T) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }
