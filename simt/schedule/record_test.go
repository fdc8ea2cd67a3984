package schedule

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/simt/watch"
	"jacquard/tesla"
)

// diary keeps the issues of every block in order, and the registers after them.
type diary struct {
	program *Program
	effects []program.Effects
	keeps   []bool
	states  bool

	mu     sync.Mutex
	issues map[int][]told
	values map[[2]int][]kept // by block and warp
	ends   map[int]int
	skip   func(block int) bool // blocks that are not watched
}

// told is one issue.
type told struct {
	time   uint64
	index  int
	mixed  bool
	active lane.Sel
	done   [lane.MaxWarps]lane.Mask
	vetoed uint16
}

// kept is the state after one warp-instruction.
type kept struct {
	index    int
	executed lane.Mask
	values   string
}

func newDiary(p *Program) *diary {
	d := &diary{program: p, issues: map[int][]told{}, values: map[[2]int][]kept{}, ends: map[int]int{}}
	for i := range p.Instructions() {
		d.keeps = append(d.keeps, i%5 != 4)
		d.effects = append(d.effects, p.Effects(i))
	}
	return d
}

// keep adds what an instruction left in lanes m: rows in the order of watch.Values.
func (d *diary) keep(block, index, w int, m lane.Mask, rows []lane.Row, conditions []lane.Flags) {
	k := kept{index: index, executed: m}
	le := binary.LittleEndian
	var values []byte
	for _, r := range rows {
		for rest := m; rest != 0; rest &= rest - 1 {
			values = le.AppendUint32(values, r[lowestLane(rest)])
		}
	}
	for _, f := range conditions {
		for _, v := range [...]lane.Mask{f.Z, f.S, f.C, f.O} {
			values = le.AppendUint32(values, uint32(v&m))
		}
	}
	k.values = string(values)
	at := [2]int{block, w}
	d.mu.Lock()
	d.values[at] = append(d.values[at], k)
	d.mu.Unlock()
}

// seen is keep for what an observer sees.
func (d *diary) seen(b *watch.Block, index int, i *watch.WarpIssue) {
	var rows []lane.Row
	var conditions []lane.Flags
	e, w := &d.effects[index], i.Warp
	if i.Addresses != nil {
		rows = append(rows, *i.Addresses)
	}
	for _, r := range e.Registers {
		rows = append(rows, b.Register(r, w))
	}
	for _, a := range e.AddressRegisters {
		rows = append(rows, b.AddressRegister(uint8(a), w))
	}
	for _, r := range e.Data {
		rows = append(rows, b.Register(r, w))
	}
	for _, c := range e.Conditions {
		conditions = append(conditions, b.Condition(uint8(c), w))
	}
	d.keep(b.Number(), index, w, i.Executed, rows, conditions)
}

// watching is a diary kept by an Observer.
type watching struct{ *diary }

func (d watching) Block(b *watch.Block) watch.BlockObserver {
	if d.skip != nil && d.skip(b.Number()) {
		return nil
	}
	return &watchingBlock{watching: d, number: b.Number(), mixed: b.Mixed()}
}

type watchingBlock struct {
	watching
	number int
	mixed  bool
	issues byWarp
}

func (d *watchingBlock) Issue(i *watch.Issue) {
	index, _ := d.program.Index(i.PC)
	for w := range i.Warps() {
		d.issues[w.Warp] = append(d.issues[w.Warp], warpTold{i.Time, index, w.Active, w.Executed, w.Vetoed})
	}
	for w := range i.Warps() {
		if w.Executed != 0 && d.keeps[index] && i.Block.Program().Code[index].Acts {
			d.seen(i.Block, index, &w)
		}
	}
}

func (d *watchingBlock) End() {
	d.diary.issues[d.number] = d.issues.together(d.mixed)
	d.ends[d.number]++
}

// diaryRecorder is a diary kept by a Recorder.
type diaryRecorder struct{ *diary }

func (d diaryRecorder) Keeps() []bool { return d.keeps }

func (d diaryRecorder) States() bool { return d.states }

func (d diaryRecorder) Fault(*machine.Fault, int) {}

func (d diaryRecorder) Block(b *watch.Block) watch.BlockRecorder {
	if d.skip != nil && d.skip(b.Number()) {
		return nil
	}
	return &diaryBlock{diaryRecorder: d, number: b.Number(), mixed: b.Mixed()}
}

type diaryBlock struct {
	diaryRecorder
	number  int
	mixed   bool
	issues  byWarp
	reached uint64
	bad     bool // a stretch is out of order, or contradicts itself
}

// byWarp holds the issues of each warp.
type byWarp [lane.MaxWarps][]warpTold

// warpTold is one warp-instruction.
type warpTold struct {
	time             uint64
	index            int
	active, executed lane.Mask
	vetoed           bool
}

func (d *diaryBlock) Run(w int, list []watch.Stretch) {
	for i := range list {
		d.add(w, &list[i])
	}
}

func (d *diaryBlock) add(w int, s *watch.Stretch) {
	list := d.issues[w]
	d.bad = d.bad || s.From >= s.To || s.Vetoed && (s.To != s.From+1 || s.Executed != 0)
	d.bad = d.bad || s.Time < d.reached || len(list) > 0 && list[len(list)-1].time >= s.Time
	d.bad = d.bad || d.states && len(list) == 0 && s.State == nil || s.State != nil && !d.runs(w, s)
	for i := s.From; i < s.To; i++ {
		executed := s.Active
		if i == s.To-1 {
			executed = s.Executed
		}
		list = append(list, warpTold{s.Time + uint64(i-s.From), int(i), s.Active, executed, s.Vetoed})
	}
	d.issues[w] = list
}

// runs reports whether the policy keeps that the lanes of a stretch run. At a join, more lanes may
// go on than came.
func (d *diaryBlock) runs(w int, s *watch.Stretch) bool {
	if !d.states {
		return false
	}
	var lanes lane.Mask
	for _, e := range *s.State {
		if e.Runs && (!d.mixed || int(e.Warp) == w) {
			lanes |= e.Mask
		}
	}
	if d.program.Code[s.From].Marker == tesla.MarkerJoin {
		return lanes&^s.Active == 0
	}
	return lanes == s.Active
}

func (d *diaryBlock) Reached(time uint64) {
	d.reached = time
	for _, list := range d.issues {
		d.bad = d.bad || len(list) > 0 && list[len(list)-1].time >= time
	}
}

func (d *diaryBlock) Keep(w int, v *watch.Values) {
	for v.Next() {
		rows := make([]lane.Row, len(v.Rows))
		for i := range rows {
			rows[i] = *v.Rows[i].Row(&rows[i])
		}
		d.keep(d.number, v.Index, w, v.Executed, rows, v.Conditions)
	}
}

func (d *diaryBlock) End(*machine.Fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.bad {
		d.ends[d.number] = 100
	}
	d.diaryRecorder.issues[d.number] = d.issues.together(d.mixed)
	d.ends[d.number]++
}

// together returns the issues in order of time, then warp.
func (d *byWarp) together(mixed bool) []told {
	var list []told
	for {
		now := uint64(math.MaxUint64)
		for _, l := range d {
			if len(l) > 0 {
				now = min(now, l[0].time)
			}
		}
		if now == math.MaxUint64 {
			return list
		}
		var round []told
		for w, l := range d {
			if len(l) == 0 || l[0].time != now {
				continue
			}
			i := l[0]
			d[w] = l[1:]
			n := len(round) - 1
			if n < 0 || !mixed && (round[n].index != i.index || (round[n].active.Mask[0] == 0) != (i.active == 0)) {
				round = append(round, told{time: now, index: i.index, mixed: mixed, active: lane.Sel{Full: true}})
				n++
			}
			t := &round[n]
			t.done[t.active.N] = i.executed
			t.active.Add(w, i.active)
			if i.vetoed {
				t.vetoed |= 1 << w
			}
		}
		list = append(list, round...)
	}
}

// A recorder gets an observer's issues, in the same order and with the same values, however many
// warps the engine runs at once.
func TestRecorder(t *testing.T) {
	for _, policy := range everyPolicy() {
		for seed := range uint64(5) {
			p := ownMemory(t, seed)
			if seed >= 3 {
				p = forkKernel(t, seed)
			}
			want := newDiary(p)
			alone, err := runTold(t, p, policy, nil, &Launch{Observer: watching{want}})
			if err != nil {
				require.ErrorAs(t, err, new(*branch.RefusedError))
				continue
			}
			for i := range grids {
				got := newDiary(p)
				if i%2 == 1 {
					got.keeps = nil
				}
				got.states = i%3 == 1
				outcome, err := runTold(t, p, policy, &grids[i], &Launch{Recorder: diaryRecorder{got}})
				require.NoError(t, err)
				name := fmt.Sprintf("%s, seed %d, %+v", policy, seed, grids[i])
				require.Equal(t, alone.fault, outcome.fault, name)
				if alone.fault != nil {
					b := alone.fault.Block[0]
					require.Equal(t, want.issues[b], got.issues[b], name)
					continue
				}
				require.Equal(t, alone, outcome, name)
				require.Equal(t, want.ends, got.ends, name)
				requireSame(t, want.issues, got.issues, name)
				if got.keeps != nil {
					requireSame(t, want.values, got.values, name)
				}
			}
		}
	}
}

// requireSame is require.Equal, which is slow for long values.
func requireSame[K, V comparable](t testing.TB, want, got map[K][]V, name string) {
	t.Helper()
	require.Len(t, got, len(want), name)
	for k := range want {
		if !slices.Equal(want[k], got[k]) {
			require.Equal(t, want[k], got[k], name)
		}
	}
}

// ownMemory makes a random kernel whose blocks do not share memory.
func ownMemory(t testing.TB, seed uint64) *Program {
	return writtenProgram(t, func(w *kernelWriter) {
		w.r = rand.New(rand.NewPCG(seed, 7))
		for d := 4; d < writerRegisters; d++ {
			w.arith(tesla.Add, d, reg(4), reg(0))
		}
		for range 20 {
			w.step(3)
		}
	})
}

// runTold runs a few blocks of a kernel, cut up by c, with the listeners of l.
func runTold(t testing.TB, p *Program, policy string, c *cut, l *Launch) (outcome, error) {
	t.Helper()
	const blocks = 6
	space := mem.NewSpace(1 << 20)
	addr, err := space.Alloc(32 * blocks)
	require.NoError(t, err)
	l.Program, l.Grid, l.Block, l.Global, l.Policy = p, [2]int{blocks, 1}, [3]int{70, 1, 1}, space, policy
	l.Params, l.Pool = binary.LittleEndian.AppendUint32(nil, addr), &Pool{all: true}
	g, err := newGrid(l)
	if err != nil {
		return outcome{}, err
	}
	g.turn, g.slice = cutTurn, freeSlice
	if c != nil {
		g.slice = c.slice
		g.recordStep = 1 + c.slice%11
		g.hire(c.workers)
	}
	fault := g.run()
	data, err := space.Bytes(addr, 32*blocks)
	require.NoError(t, err)
	return outcome{data, g.stats(), fault}, nil
}
