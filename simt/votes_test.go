package simt_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// poll votes on a condition of $c0, and stores the answer after the thread's own word.
func (l *listing) poll(vote tesla.VoteOp, on tesla.Cond) {
	in := l.control(tesla.OpVote)
	in.Vote, in.CDst, in.Guard = vote, tesla.C1, tesla.Guard{Cond: on}
}

// answers stores $c1 for each thread.
func (l *listing) answers() {
	l.op(tesla.OpMovFromCond, oracleReg(2), tesla.Operand{Kind: tesla.CondReg, Index: 1})
	l.op(tesla.OpShl, oracleReg(1), oracleReg(0), oracleImm(2))
	l.op(tesla.OpIAdd, oracleReg(1), tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: 0x10}, oracleReg(1))
	l.op(tesla.OpStGlobal, tesla.Operand{}, oracleGlobal(1), oracleReg(2))
	l.control(tesla.OpNop).Marker = tesla.MarkerExit
}

// voters are kernels of two warps that vote.
var voters = []struct {
	name  string
	named bool // a loose policy may change the answer
	write func(l *listing)
}{
	{"any odd lane", true, func(l *listing) { l.odd(); l.poll(tesla.VoteAny, isOther) }},
	{"all lanes odd", true, func(l *listing) { l.odd(); l.poll(tesla.VoteAll, isOther) }},
	{"unanimous", false, func(l *listing) {
		l.op(tesla.OpMov, oracleReg(2), oracleImm(0))
		l.logic(tesla.And, 2, 2, 2).CDst = tesla.C0
		l.poll(tesla.VoteAny, isZero)
	}},
	{"of the odd lanes alone", false, func(l *listing) {
		l.odd()
		join := l.jump(tesla.OpJoinAt, tesla.CondAlways)
		even := l.jump(tesla.OpBra, isZero)
		l.poll(tesla.VoteAll, isOther)
		l.aim(join, even)
		l.control(tesla.OpNop).Marker = tesla.MarkerJoin
	}},
	{"unanimous in every round of a loop, though not over them", false, func(l *listing) {
		l.op(tesla.OpMov, oracleReg(3), oracleImm(3))
		l.op(tesla.OpMov, oracleReg(4), oracleImm(-1))
		out := l.jump(tesla.OpBreakAddr, tesla.CondAlways)
		head := len(*l)
		l.op(tesla.OpIAdd, oracleReg(3), oracleReg(3), oracleReg(4)).CDst = tesla.C0
		l.poll(tesla.VoteAny, isZero)
		l.jump(tesla.OpBreak, isZero)
		back := l.jump(tesla.OpBra, tesla.CondAlways)
		(*l)[back].Target = uint32(8 * head)
		l.aim(out)
	}},
}

// learnt runs such a kernel and returns what each thread learnt.
func learnt(t *testing.T, write func(l *listing), policy string, look simt.InStep) ([]uint32, *simt.Stats, error) {
	t.Helper()
	space := mem.NewSpace(1 << 20)
	out, err := space.Alloc(64 * 4)
	require.NoError(t, err)
	var l listing
	write(&l)
	l.answers()
	launch := machine{arch: tesla.SM13, words: l.words(t), registers: 6, shared: 0x20, params: []uint32{out}, space: space, block: [3]int{64, 1, 1}}.launch(t)
	launch.Policy, launch.InStep = policy, look
	s, err := simt.Run(launch)
	return words(t, space, out, 64), s, err
}

// A vote that lanes of a warp take apart has another answer. It is named under every policy that may
// let them, and under the others where the user asks; no policy gives another answer without a word.
func TestVotesInStep(t *testing.T) {
	changed := map[string]bool{}
	for _, policy := range allPolicies(t) {
		for _, v := range voters {
			t.Run(policy.Name+" "+v.name, func(t *testing.T) {
				want, _, err := learnt(t, v.write, "nvidia", simt.InStepOff)
				require.NoError(t, err)
				got, s, err := learnt(t, v.write, policy.Name, simt.InStepAuto)
				if errors.As(err, new(*simt.RefusedError)) {
					return
				}
				require.NoError(t, err)
				require.Equal(t, policy.Loose && v.named, s.InStep != nil)
				for i := range want {
					if got[i] != want[i] {
						require.NotNil(t, s.InStep, "another answer without a word")
						changed[policy.Name] = true
					}
				}
				_, s, err = learnt(t, v.write, policy.Name, simt.InStepOn)
				require.NoError(t, err)
				require.Equal(t, v.named, s.InStep != nil, "%v", s.InStep)
				_, s, err = learnt(t, v.write, policy.Name, simt.InStepOff)
				require.NoError(t, err)
				require.Nil(t, s.InStep)
			})
		}
	}
	require.True(t, changed["mimd"], "under mimd a lane votes alone")
}

// The report of a vote is the same under a policy in lockstep and under one that lets each lane
// vote alone, except for the lanes that have voted so far.
func TestVoteText(t *testing.T) {
	_, s, err := learnt(t, voters[0].write, "nvidia", simt.InStepOn)
	require.NoError(t, err)
	require.Equal(t, "kernel k relies on the lanes of a warp running in step: in block (0,0), warp 0, the vote at pc 0x10 ((lg $c0) vote any $c1) has lanes aaaaaaaa with its condition and 55555555 without",
		s.InStep.String())
	_, s, err = learnt(t, voters[0].write, "mimd", simt.InStepAuto)
	require.NoError(t, err)
	require.Equal(t, "kernel k relies on the lanes of a warp running in step, which divergence policy mimd does not promise: in block (0,0), warp 0, the vote at pc 0x10 ((lg $c0) vote any $c1) has lanes 00000002 with its condition and 00000001 without",
		s.InStep.String())
}

// A policy that mixes warps lets lanes of several vote as one: $c0 holds in warp 0 alone, and all
// lanes of either warp agree.
func TestVotesOfSeveralWarps(t *testing.T) {
	write := func(l *listing) {
		l.op(tesla.OpMov, oracleReg(2), oracleImm(1))
		l.op(tesla.OpMov, oracleReg(3), oracleImm(5))
		l.op(tesla.OpShr, oracleReg(1), oracleReg(0), oracleReg(3)).Type = tesla.U32 // the warp
		l.logic(tesla.Xor, 3, 1, 0)
		l.logic(tesla.And, 3, 3, 2).CDst = tesla.C0
		join := l.jump(tesla.OpJoinAt, tesla.CondAlways)
		away := l.jump(tesla.OpBra, isZero) // odd lanes of warp 0 and even ones of warp 1 go on
		l.logic(tesla.And, 1, 1, 1).CDst = tesla.C0
		l.poll(tesla.VoteAny, isZero)
		l.aim(join, away)
		l.control(tesla.OpNop).Marker = tesla.MarkerJoin
	}
	want, s, err := learnt(t, write, "nvidia", simt.InStepOn)
	require.NoError(t, err)
	require.Nil(t, s.InStep)
	for _, policy := range []string{"dwf", "tbc"} {
		got, s, err := learnt(t, write, policy, simt.InStepAuto)
		require.NoError(t, err)
		require.NotEqual(t, want, got)
		require.NotNil(t, s.InStep)
		require.Contains(t, s.InStep.String(), ", which divergence policy "+policy+" does not promise: in block (0,0), warp ")
		require.Contains(t, s.InStep.String(), "has another answer with the lanes of other warps that take part in it")
	}
}
