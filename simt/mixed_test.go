package simt_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// crossed is a kernel whose branch sends odd lanes of even warps and even lanes of odd warps to one
// side, where they vote on being thread 3 (or not), and the other lanes to the other side.
func crossed(t testing.TB, vote tesla.VoteOp, on tesla.Cond) []uint32 {
	var l listing
	logic := func(op tesla.Logic, d, a, b int) *tesla.Instruction {
		in := l.op(tesla.OpLogic, oracleReg(d), oracleReg(a), oracleReg(b))
		in.Logic = op
		return in
	}
	l.op(tesla.OpMov, oracleReg(2), oracleImm(-3))
	l.op(tesla.OpIAdd, oracleReg(2), oracleReg(0), oracleReg(2)).CDst = tesla.C1
	l.op(tesla.OpShr, oracleReg(1), oracleReg(0), oracleImm(5)).Type = tesla.U32
	logic(tesla.Xor, 1, 1, 0)
	l.op(tesla.OpMov, oracleReg(2), oracleImm(1))
	logic(tesla.And, 1, 1, 2).CDst = tesla.C0
	l.op(tesla.OpMov, oracleReg(3), oracleImm(-1))
	l.control(tesla.OpJoinAt).Target = l.here() + 4*8
	bra := l.control(tesla.OpBra)
	bra.Target, bra.Guard.Cond = l.here()+3*8, isZero
	in := l.control(tesla.OpVote)
	in.Vote, in.CDst, in.Guard = vote, tesla.C2, tesla.Guard{Reg: 1, Cond: on}
	l.op(tesla.OpMovFromCond, oracleReg(3), tesla.Operand{Kind: tesla.CondReg, Index: 2})
	l.op(tesla.OpMov, oracleReg(2), oracleReg(2))
	l.control(tesla.OpNop).Marker = tesla.MarkerJoin
	l.op(tesla.OpShl, oracleReg(1), oracleReg(0), oracleImm(2))
	l.op(tesla.OpIAdd, oracleReg(1), tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: 0x10}, oracleReg(1))
	l.op(tesla.OpStGlobal, tesla.Operand{}, oracleGlobal(1), oracleReg(3))
	l.control(tesla.OpNop).Marker = tesla.MarkerExit
	return l.words(t)
}

// A vote is among all lanes of an issue, whatever their warps, and the issue counts once.
func TestVotesFollowTheIssue(t *testing.T) {
	const no, yes = 1, 2 // what the $c reads as
	for _, c := range []struct {
		policy string
		vote   tesla.VoteOp
		on     tesla.Cond
		among  uint32 // what lanes of the warp of thread 3 learn
		beside uint32 // what lanes of the other side learn
		issues uint64
	}{
		{"nvidia", tesla.VoteAny, isZero, yes, no, 2},
		{"tbc", tesla.VoteAny, isZero, yes, yes, 1},
		{"dwf", tesla.VoteAny, isZero, yes, yes, 1},
		{"nvidia", tesla.VoteAll, isOther, no, yes, 2},
		{"tbc", tesla.VoteAll, isOther, no, no, 1},
		{"dwf", tesla.VoteAll, isOther, no, no, 1},
	} {
		t.Run(c.policy+" "+c.vote.String(), func(t *testing.T) {
			space := mem.NewSpace(1 << 20)
			out, err := space.Alloc(64 * 4)
			require.NoError(t, err)
			l := machine{arch: tesla.SM13, words: crossed(t, c.vote, c.on), shared: 0x14, params: []uint32{out}, space: space, block: [3]int{64, 1, 1}}.launch(t)
			l.Policy = c.policy
			s, err := simt.Run(l)
			require.NoError(t, err)
			got := words(t, space, out, 64)
			for i := range 32 {
				if i%2 != 0 {
					require.Equal(t, c.among, got[i], "thread %d", i)
				} else {
					require.Equal(t, c.beside, got[32+i], "thread %d", 32+i)
				}
			}
			require.Equal(t, c.issues, s.ByInstruction[9].Issues)
			require.EqualValues(t, 32, s.ByInstruction[9].Threads)
			checkStats(t, s)
		})
	}
}
