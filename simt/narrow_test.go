package simt_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// narrow returns a policy for warps of so many lanes.
func narrow(policy string, lanes int) string {
	return branch.With(policy, fmt.Sprintf("warp=%d", lanes))
}

var narrowWidths = []int{16, 8, 4}

// store stores $r2 for each thread, and ends it.
func (l *listing) store() {
	l.op(tesla.OpShl, oracleReg(1), oracleReg(0), oracleImm(2))
	l.op(tesla.OpIAdd, oracleReg(1), tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: 0x10}, oracleReg(1))
	l.op(tesla.OpStGlobal, tesla.Operand{}, oracleGlobal(1), oracleReg(2))
	l.control(tesla.OpNop).Marker = tesla.MarkerExit
}

// stored runs a kernel that stores a word per thread, in one block of so many threads.
func stored(t *testing.T, l listing, policy string, threads int, set func(*simt.Launch)) ([]uint32, *simt.Stats, error) {
	t.Helper()
	space := mem.NewSpace(1 << 20)
	out, err := space.Alloc(512 * 4)
	require.NoError(t, err)
	launch := machine{arch: tesla.SM13, words: l.words(t), registers: 6, shared: 0x20, params: []uint32{out}, space: space, block: [3]int{threads, 1, 1}, watchdog: 1 << 20}.launch(t)
	launch.Policy = policy
	if set != nil {
		set(launch)
	}
	s, err := simt.Run(launch)
	return words(t, space, out, threads), s, err
}

// Statistics of narrow warps equal statistics of warps with as few threads: kernels whose threads
// do the same every eight lanes count four times as much in a block of four warps as in a block of
// one.
func TestNarrowStats(t *testing.T) {
	for name, shape := range map[string]parting{"if": ifElse, "loop": rounds, "break in an if": breakInIf, "call": callInIf} {
		var l listing
		finish := shape(&l)
		in := l.control(tesla.OpBar)
		in.Barrier.Inc, in.Barrier.Wait, in.Barrier.All = true, true, true
		l.store()
		finish()
		for _, policy := range allPolicies(t) {
			if policy.Name == "tbc" || policy.Name[:3] == "dwf" {
				continue // mix the four warps
			}
			t.Run(policy.Name+" "+name, func(t *testing.T) {
				few, want, err := stored(t, l, policy.Name, 8, nil)
				if errors.As(err, new(*simt.RefusedError)) {
					return
				}
				require.NoError(t, err)
				all, got, err := stored(t, l, narrow(policy.Name, 8), 32, nil)
				require.NoError(t, err)
				require.Equal(t, few, all[:8])
				require.Equal(t, 4*want.WarpInstructions, got.WarpInstructions)
				require.Equal(t, 4*want.ThreadInstructions, got.ThreadInstructions)
				require.Equal(t, 4*want.Merges, got.Merges)
				require.Equal(t, 4*want.Swaps, got.Swaps)
				require.Equal(t, 4*want.PartialBarriers, got.PartialBarriers)
				require.Equal(t, want.MostPaths, got.MostPaths)
				require.Equal(t, want.DeepestStack, got.DeepestStack)
				require.InDelta(t, want.AverageLanes(), got.AverageLanes(), 1e-12)
				for n := range want.Active {
					require.Equal(t, 4*want.Active[n], got.Active[n], n)
				}
				for i := range want.ByInstruction {
					w, g := &want.ByInstruction[i], &got.ByInstruction[i]
					require.Equal(t, 4*w.Issues, g.Issues)
					require.Equal(t, 4*w.Vetoed, g.Vetoed)
					require.Equal(t, 4*w.Branch.Divergent, g.Branch.Divergent)
					require.Equal(t, 4*w.Branch.Taken, g.Branch.Taken)
					require.Equal(t, 4*w.Branch.NotTaken, g.Branch.NotTaken)
				}
			})
		}
	}
}

// Policies that mix warps pack lanes into warps of fewer columns. Of 32 lanes half take each side: two
// home warps make four warps of eight for each side, as many as without divergence.
func TestNarrowColumns(t *testing.T) {
	var l listing
	l.op(tesla.OpMov, oracleReg(3), oracleImm(8))
	l.logic(tesla.And, 2, 0, 3).CDst = tesla.C0
	side := l.jump(tesla.OpBra, isZero)
	l.op(tesla.OpMov, oracleReg(2), oracleImm(5))
	l.aim(side)
	l.store()
	for _, policy := range []string{"dwf:sched=dpc", "tbc"} {
		got, s, err := stored(t, l, narrow(policy, 8), 64, nil)
		require.NoError(t, err)
		for i, v := range got {
			require.Equal(t, map[bool]uint32{true: 5}[i&8 != 0], v)
		}
		require.Equal(t, uint64(4), s.ByInstruction[3].Issues, policy)
		require.Equal(t, uint64(4), s.ByInstruction[3].Active[8], policy)
		_, s, err = stored(t, l, policy, 64, nil)
		require.NoError(t, err)
		require.Equal(t, uint64(2), s.ByInstruction[3].Issues, "%s: sixteen columns are the same in both warps", policy)
	}
}

// Lanes of both halves of a home warp that a policy packs into a narrow warp are one access to memory.
func TestNarrowAccess(t *testing.T) {
	var l listing
	l.op(tesla.OpShl, oracleReg(1), oracleReg(0), oracleImm(2))
	l.op(tesla.OpIAdd, oracleReg(1), tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: 0x10}, oracleReg(1))
	l.op(tesla.OpMov, oracleReg(3), oracleImm(2))
	l.op(tesla.OpShr, oracleReg(3), oracleReg(0), oracleReg(3)).Type = tesla.U32
	l.logic(tesla.Xor, 3, 3, 0)
	l.op(tesla.OpMov, oracleReg(2), oracleImm(4))
	l.logic(tesla.And, 3, 3, 2).CDst = tesla.C0 // lanes 4 to 7, 12 to 15, 16 to 19, 24 to 27
	side := l.jump(tesla.OpBra, isZero)
	store := len(l)
	l.op(tesla.OpStGlobal, tesla.Operand{}, oracleGlobal(1), oracleReg(2))
	l.aim(side)
	l.control(tesla.OpNop).Marker = tesla.MarkerExit
	for policy, issues := range map[string]uint64{"nvidia:warp=8": 4, "tbc:warp=8": 2} { // tbc: from two segments
		_, s, err := stored(t, l, policy, 32, nil)
		require.NoError(t, err)
		at := &s.ByInstruction[store]
		require.Equal(t, issues, at.Issues, policy)
		require.Equal(t, issues, at.Memory.Device.Accesses, policy)
		require.Equal(t, policy == "nvidia:warp=8", at.Memory.Device.G80.By64 == issues, "each lane at its word")
	}
}

// A warp that waits for another is not run for ever in its place, though both are in one home warp.
func TestNarrowProgress(t *testing.T) {
	var l listing
	flag := tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: 0x18}
	l.op(tesla.OpMov, oracleReg(2), oracleImm(16))
	l.logic(tesla.And, 3, 0, 2).CDst = tesla.C0
	set := l.jump(tesla.OpBra, isOther)
	head := len(l)
	l.op(tesla.OpMov, oracleReg(3), flag) // the first 16 lanes wait
	l.logic(tesla.And, 3, 3, 3).CDst = tesla.C0
	again := l.jump(tesla.OpBra, isZero)
	l[again].Target = uint32(8 * head)
	l.store()
	l.aim(set)
	l.op(tesla.OpStShared, tesla.Operand{}, flag, oracleReg(2))
	l.store()
	for _, policy := range []string{"nvidia", "stackless", "pdom"} {
		for _, lanes := range narrowWidths {
			_, _, err := stored(t, l, narrow(policy, lanes), 32, nil)
			require.NoError(t, err)
		}
	}
	_, _, err := stored(t, l, "stackless", 32, nil)
	var f *simt.Fault
	require.ErrorAs(t, err, &f)
	require.Equal(t, simt.FaultLivelock, f.Kind)
}

// %physid has the lane of a narrow warp, and the number of the warp on the multiprocessor.
func TestNarrowPhysicalID(t *testing.T) {
	var l listing
	l.op(tesla.OpMovFromSpecial, oracleReg(2), tesla.Operand{Kind: tesla.Special})
	l.store()
	for _, lanes := range append(narrowWidths, 32) {
		for _, engine := range []string{simt.EngineInterp, "reference"} {
			got, _, err := stored(t, l, narrow("nvidia", lanes), 72, func(launch *simt.Launch) {
				k := launch.Program.Kernel
				k.Host.Engine = engine
				var err error
				launch.Program, err = simt.Lower(k)
				require.NoError(t, err)
			})
			require.NoError(t, err)
			for i, v := range got {
				require.Equal(t, uint32(i%lanes|i/lanes<<8), v, "thread %d of warps of %d", i, lanes)
			}
		}
	}
}

// Lanes vote with their narrow warp.
func TestNarrowVotes(t *testing.T) {
	var l listing
	l.op(tesla.OpMov, oracleReg(3), oracleImm(24))
	l.logic(tesla.And, 2, 0, 3).CDst = tesla.C0
	l.poll(tesla.VoteAll, isZero)
	l.op(tesla.OpMovFromCond, oracleReg(2), tesla.Operand{Kind: tesla.CondReg, Index: 1})
	l.store()
	for _, lanes := range append(narrowWidths, 32) {
		got, s, err := stored(t, l, narrow("nvidia", lanes), 32, nil)
		require.NoError(t, err)
		for i, v := range got {
			require.Equal(t, i < 8 && lanes <= 8, v != got[31], "thread %d of warps of %d", i, lanes)
		}
		if require.Equal(t, lanes < 32, s.InStep != nil); s.InStep != nil {
			require.Contains(t, s.InStep.String(), "which divergence policy "+narrow("nvidia", lanes)+" does not promise")
		}
	}
}

// A sum over 32 lanes in lockstep is named where warps are narrower, and one over fewer lanes only
// where they are too narrow for it. With barriers it is right at every width.
func TestNarrowDependence(t *testing.T) {
	want, _, err := sums(t, unrolled(t, true, ifElse), "nvidia", simt.InStepOff)
	require.NoError(t, err)
	for _, policy := range []string{"nvidia", "pdom", "stackless"} {
		for _, lanes := range narrowWidths {
			got, s, err := sums(t, unrolled(t, true, ifElse), narrow(policy, lanes), simt.InStepAuto)
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.Nil(t, s.InStep)
			_, s, err = sums(t, unrolled(t, false, ifElse), narrow(policy, lanes), simt.InStepAuto)
			require.NoError(t, err)
			require.NotNil(t, s.InStep)
			require.Equal(t, narrow(policy, lanes), s.InStep.Policy)
			require.Zero(t, s.InStep.First.Lanes&lane.Group(s.InStep.Then.Lanes, lanes))
		}
	}
	var l listing // every lane reads what its neighbour of four stored
	l.op(tesla.OpMov, oracleReg(2), oracleImm(3))
	l.logic(tesla.Xor, 3, 0, 2)
	l.op(tesla.OpShlToAddr, oracleAddr(1), oracleReg(0), oracleImm(2))
	l.op(tesla.OpShlToAddr, oracleAddr(2), oracleReg(3), oracleImm(2))
	l.op(tesla.OpStShared, tesla.Operand{}, tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Base: 1, Value: 0x20}, oracleReg(0))
	l.op(tesla.OpMov, oracleReg(2), tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Base: 2, Value: 0x20})
	l.store()
	for _, lanes := range narrowWidths {
		got, s, err := stored(t, l, narrow("nvidia", lanes), 32, func(launch *simt.Launch) { launch.Dynamic = 128 })
		require.NoError(t, err)
		require.Nil(t, s.InStep, "%v", s.InStep)
		for i, v := range got {
			require.Equal(t, uint32(i^3), v)
		}
	}
	_, s, err := stored(t, l, "nvidia:warp=8", 32, func(launch *simt.Launch) { launch.Dynamic, launch.InStep = 128, simt.InStepOn })
	require.NoError(t, err)
	require.NotNil(t, s.InStep)
}
