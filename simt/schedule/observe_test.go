package schedule

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/count"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/simt/watch"
	"jacquard/tesla"
)

// tally counts the statistics again, from observed issues.
type tally struct {
	t      testing.TB
	by     map[uint32]*count.InstructionStats
	active [lane.Width + 1]uint64
	bcc    [count.Slots + 1]uint64
	quads  [count.Quads + 1]uint64
	joins  [lane.Width + 1]uint64 // issues of joinat
	merges uint64
	multi  uint64 // merges of three or more
	swaps  uint64
	blocks map[[2]int]int // blocks that ended
}

type tallyBlock struct {
	*tally
	index [2]int
	next  [lane.MaxWarps]uint64 // the earliest time of a warp's next issue

	issued  int                            // issues so far
	last    [lane.MaxWarps][lane.Width]int // the issue in which a lane was last active; 0 before the first
	before  [lane.MaxWarps]lane.Mask       // lanes of the warp's last issue that was not empty
	addrs   [8][lane.MaxWarps]lane.Row     // address registers before the issue
	arrived [lane.MaxWarps]pause           // where warps wait
}

func (o *tally) Block(b *watch.Block) watch.BlockObserver {
	t := &tallyBlock{tally: o, index: b.Index()}
	copy(t.before[:], b.Lanes())
	return t
}

// meets counts the meetings of lanes that last issued apart, lane by lane.
func (o *tallyBlock) meets(i *watch.Issue) {
	o.issued++
	for w := range i.Warps() {
		from := map[int]bool{}
		for l := range lane.Width {
			if w.Active>>l&1 != 0 {
				from[o.last[w.Warp][l]] = true
				o.last[w.Warp][l] = o.issued
			}
		}
		if len(from) == 0 {
			continue
		}
		o.merges += uint64(len(from) - 1)
		if len(from) > 2 {
			o.multi++
		}
		if o.before[w.Warp]&w.Active == 0 {
			o.swaps++
		}
		o.before[w.Warp] = w.Active
	}
}

func (o *tallyBlock) Issue(i *watch.Issue) {
	require.Equal(o.t, o.index, i.Block.Index())
	o.outcome(i)
	o.meets(i)
	defer o.accesses(i)
	defer o.arrives(i)
	for w := range i.Warps() {
		require.GreaterOrEqual(o.t, i.Time, o.next[w.Warp], "the issues of a warp are in order of time")
		o.next[w.Warp] = i.Time + 1
		in := o.by[i.PC]
		if in == nil {
			in = &count.InstructionStats{PC: i.PC}
			o.by[i.PC] = in
		}
		// A mixed issue counts once for all its warps.
		if active := w.Active; !i.Mixed || w.Warp == int(i.Active.Warp[0]) {
			if i.Mixed {
				active = i.Active.Columns(lane.Width)
				all := 0
				for w := range i.Warps() {
					all += bitCount(w.Active)
				}
				require.Equal(o.t, all, bitCount(active), "lanes share a column")
			}
			in.Issues++
			in.Active[bitCount(active)]++
			o.active[bitCount(active)]++
			if i.Instruction.Op == tesla.OpJoinAt {
				o.joins[bitCount(active)]++
			}
			o.bcc[slotsByLane(active)]++
			o.quads[quadsByLane(active)]++
		}
		if w.Vetoed {
			require.Zero(o.t, w.Executed)
			require.Nil(o.t, w.Addresses)
			in.Vetoed++
			continue
		}
		require.Zero(o.t, w.Executed&^w.Active)
		// For a branch every active lane decides.
		if u, _ := i.Block.Program().Index(i.PC); !i.Block.Program().Code[u].Acts {
			in.Threads += uint64(bitCount(w.Active))
			continue
		}
		in.Threads += uint64(bitCount(w.Executed))
		in.Off += uint64(bitCount(w.Active &^ w.Executed))
	}
}

// outcome counts where the issue of a branch, break or return goes: per warp, or for all warps of a
// mixed issue.
func (o *tallyBlock) outcome(i *watch.Issue) {
	u, _ := i.Block.Program().Index(i.PC)
	if e := i.Block.Program().Code[u].Event; e != branch.Branch && e != branch.Break && e != branch.Return || i.Block.Program().Code[u].Marker == tesla.MarkerExit {
		return
	}
	if o.by[i.PC] == nil {
		o.by[i.PC] = &count.InstructionStats{PC: i.PC}
	}
	to := &o.by[i.PC].Branch
	var active, executed int
	for w := range i.Warps() {
		if !w.Vetoed {
			active += bitCount(w.Active)
			executed += bitCount(w.Executed)
		}
		if i.Mixed && w.Warp != int(i.Active.Warp[i.Active.N-1]) || active == 0 {
			continue
		}
		to.Threads += uint64(executed)
		switch executed {
		case 0:
			to.NotTaken++
		case active:
			to.Taken++
		default:
			to.Divergent++
		}
		active, executed = 0, 0
	}
}

func (o *tallyBlock) End() { o.blocks[o.index]++ }

// slotsByLane counts the groups of eight lanes with an active lane, lane by lane.
func slotsByLane(m lane.Mask) int {
	var active [count.Slots]int
	for l := range lane.Width {
		if m>>l&1 != 0 {
			active[l/count.SlotLanes] = 1
		}
	}
	return active[0] + active[1] + active[2] + active[3]
}

// quadsByLane counts the groups of four lanes with an active lane.
func quadsByLane(m lane.Mask) (n int) {
	for ; m != 0; m >>= 4 {
		if m&0xf != 0 {
			n++
		}
	}
	return n
}

// A counting observer gets the sums of the statistics, in the reference order, and does not change
// the launch.
func TestObserver(t *testing.T) {
	multiple := uint64(0)
	for _, policy := range everyPolicy() {
		refused := 0
		const kernels = 12
		for seed := range uint64(kernels) {
			p := randomKernel(t, seed)
			alone, err := runObserved(t, p, policy, nil)
			if err != nil {
				require.ErrorAs(t, err, new(*branch.RefusedError))
				refused++
				continue
			}
			o := &tally{t: t, by: map[uint32]*count.InstructionStats{}, blocks: map[[2]int]int{}}
			watched, err := runObserved(t, p, policy, o)
			require.NoError(t, err)
			require.Equal(t, map[[2]int]int{{0, 0}: 1, {1, 0}: 1, {2, 0}: 1}, o.blocks)
			if alone.fault != nil {
				require.Equal(t, alone.fault, watched.fault, "%s, seed %d", policy, seed)
				continue
			}
			require.Equal(t, alone, watched, "%s, seed %d", policy, seed)
			s := watched.stats
			require.Equal(t, s.Active, o.active, "%s, seed %d", policy, seed)
			require.Equal(t, s.BCC, o.bcc, "%s, seed %d", policy, seed)
			require.Equal(t, s.QuadBCC, o.quads, "%s, seed %d", policy, seed)
			require.Equal(t, s.JoinAts, o.joins, "%s, seed %d", policy, seed)
			require.Equal(t, []uint64{s.Merges, s.MultipleMerges, s.Swaps}, []uint64{o.merges, o.multi, o.swaps}, "%s, seed %d", policy, seed)
			multiple += s.MultipleMerges
			for _, in := range s.ByInstruction {
				want := count.InstructionStats{PC: in.PC}
				if o.by[in.PC] != nil {
					want = *o.by[in.PC]
				}
				require.Equal(t, want, in, "%s, seed %d", policy, seed)
			}
			checkIdentities(t, s)
		}
		require.Less(t, refused, kernels, policy)
	}
	require.NotZero(t, multiple, "no kernel has a meeting of three paths")
}

// everyPolicy returns all policies with each value of each option.
func everyPolicy() []string {
	var list []string
	for _, s := range branch.Policies() {
		list = append(list, s.Name)
		for _, o := range s.Options {
			for _, v := range o.Values[1:] {
				list = append(list, s.Name+":"+o.Key+"="+v)
			}
		}
	}
	return list
}

// checkIdentities asserts the identities between the counters of a launch.
func checkIdentities(t *testing.T, s *count.Stats) {
	t.Helper()
	var active, lanes, bcc, scc, bccSlots, sccSlots, vetoed uint64
	for n, issues := range s.Active {
		active += issues
		lanes += uint64(n) * issues
	}
	for n := range s.BCC {
		bcc += s.BCC[n]
		scc += s.SCC[n]
		bccSlots += uint64(n) * s.BCC[n]
		sccSlots += uint64(n) * s.SCC[n]
	}
	for _, in := range s.ByInstruction {
		vetoed += in.Vetoed
		checkInstruction(t, &in)
	}
	require.Equal(t, s.WarpInstructions, active)
	require.Equal(t, s.WarpInstructions, bcc)
	require.Equal(t, s.WarpInstructions, scc)
	var quads, quadSlots uint64
	for n, issues := range s.QuadBCC {
		quads += issues
		quadSlots += uint64(n) * issues
	}
	require.Equal(t, s.WarpInstructions, quads)
	require.LessOrEqual(t, bccSlots, quadSlots)
	require.LessOrEqual(t, quadSlots, 2*bccSlots)
	require.Equal(t, s.Active[0], s.BCC[0])
	require.Equal(t, s.Active[0], s.SCC[0])
	require.LessOrEqual(t, sccSlots, bccSlots)
	require.LessOrEqual(t, lanes, count.SlotLanes*sccSlots)
	require.LessOrEqual(t, s.ThreadInstructions, lanes)
	require.Equal(t, vetoed, s.ReissuedJoins)
	checkMemory(t, s)
	require.LessOrEqual(t, s.Annotations, s.WarpInstructions)
	a := s.Arbiter
	require.LessOrEqual(t, max(a.PC, a.Memory)+a.Neither, s.WarpInstructions)
	require.GreaterOrEqual(t, a.PC+a.Memory+a.Neither, s.WarpInstructions)
	require.GreaterOrEqual(t, s.MostPaths, 1)
	require.LessOrEqual(t, s.MostPaths, lane.Width)
	if s.MostPaths == 1 {
		require.Zero(t, s.Merges+s.Swaps)
	}
}

// checkInstruction asserts the identities between the counters of an instruction.
func checkInstruction(t *testing.T, in *count.InstructionStats) {
	t.Helper()
	var issues, lanes uint64
	for n, count := range in.Active {
		issues += count
		lanes += uint64(n) * count
	}
	require.Equal(t, in.Issues, issues)
	require.LessOrEqual(t, in.Threads+in.Off, lanes)
	if in.Vetoed == 0 {
		require.Equal(t, lanes, in.Threads+in.Off)
	}
	outcomes := in.Branch.Taken + in.Branch.NotTaken + in.Branch.Divergent
	require.LessOrEqual(t, outcomes, in.Issues-in.Vetoed)
	if outcomes != 0 {
		require.LessOrEqual(t, in.Issues, outcomes+in.Vetoed+in.Active[0])
		require.LessOrEqual(t, in.Branch.Taken+in.Branch.Divergent, in.Branch.Threads)
		require.LessOrEqual(t, in.Branch.Threads, in.Threads)
		require.Zero(t, in.Off)
	}
}

func runObserved(t testing.TB, p *Program, policy string, o watch.Observer) (outcome, error) {
	space := mem.NewSpace(1 << 20)
	addr, err := space.Alloc(3 * 32)
	require.NoError(t, err)
	l := &Launch{
		Program: p, Grid: [2]int{3, 1}, Block: [3]int{150, 1, 1}, Params: binary.LittleEndian.AppendUint32(nil, addr),
		Global: space, Policy: policy, Observer: o,
	}
	s, err := Run(l)
	var fault *machine.Fault
	if err != nil {
		if s == nil {
			return outcome{}, err
		}
		require.ErrorAs(t, err, &fault)
	}
	s.Elapsed = 0
	data, err := space.Bytes(addr, 3*32)
	require.NoError(t, err)
	return outcome{data, s, fault}, nil
}

// stream keeps the issues of block 1; if all is set, it watches the other blocks, too.
type stream struct {
	all    bool
	issues []watch.WarpIssue
	times  []uint64
}

func (s *stream) Block(b *watch.Block) watch.BlockObserver {
	if b.Index() != [2]int{1, 0} && !s.all {
		return nil
	}
	return s
}

func (s *stream) Issue(i *watch.Issue) {
	if i.Block.Index() != [2]int{1, 0} {
		return
	}
	for w := range i.Warps() {
		w.Addresses = nil
		s.issues, s.times = append(s.issues, w), append(s.times, i.Time)
	}
}

func (s *stream) End() {}

// Blocks that are not watched run on as usual, and their neighbours' issues are the same.
func TestObserveOneBlock(t *testing.T) {
	for seed := range uint64(10) {
		p := randomKernel(t, seed)
		alone, among := &stream{}, &stream{all: true}
		one, err := runObserved(t, p, "", alone)
		require.NoError(t, err)
		all, err := runObserved(t, p, "", among)
		require.NoError(t, err)
		if one.fault != nil {
			continue
		}
		require.NotEmpty(t, alone.issues)
		require.Equal(t, among.issues, alone.issues)
		require.Equal(t, among.times, alone.times)
		require.Equal(t, all, one)
	}
}

// vetoes counts, at one pc, the warps with addresses in an issue, and the vetoed warps.
type vetoes struct {
	t               *testing.T
	pc              uint32
	told, elsewhere int
}

func (v *vetoes) Block(*watch.Block) watch.BlockObserver { return v }
func (v *vetoes) End()                                   {}

func (v *vetoes) Issue(i *watch.Issue) {
	for w := range i.Warps() {
		switch {
		case i.PC != v.pc:
		case w.Vetoed:
			require.Nil(v.t, w.Addresses)
			v.elsewhere++
		default:
			require.NotNil(v.t, w.Addresses)
			v.told++
		}
	}
}

// A load at a join accesses nothing for a warp whose lanes wait there.
func TestLoadAtJoin(t *testing.T) {
	w := &forkWriter{kernelWriter{t: t}}
	w.ownBuffer()
	w.logic(tesla.And, 1, reg(0), imm(1))
	w.emit(tesla.Instruction{Op: tesla.OpISet, Type: tesla.U32, Cmp: tesla.Greater, CDst: tesla.C0, Dst: tesla.Operand{Kind: tesla.Discard}, Src: [3]tesla.Operand{reg(1), reg(31)}})
	joinAt := w.hole(tesla.Instruction{Op: tesla.OpJoinAt})
	skip := w.hole(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: tesla.CondLG}})
	w.arith(tesla.Add, 5, reg(5), reg(5))
	skip()
	joinAt()
	v := &vetoes{t: t, pc: uint32(4 * len(w.code))}
	w.emit(tesla.Instruction{Op: tesla.OpLdGlobal, Type: tesla.B32, Dst: reg(6), Src: [3]tesla.Operand{{Kind: tesla.Global, Index: program.WindowGlobal, Value: 3}}, Marker: tesla.MarkerJoin})
	p := w.program()
	space := mem.NewSpace(1 << 20)
	addr, err := space.Alloc(32)
	require.NoError(t, err)
	_, err = Run(&Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{64, 1, 1}, Params: binary.LittleEndian.AppendUint32(nil, addr), Global: space, Observer: v})
	require.NoError(t, err)
	require.Equal(t, 2, v.told)
	require.Equal(t, 2, v.elsewhere)
}
