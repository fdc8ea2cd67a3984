package schedule

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/engine"
	"jacquard/simt/engine/interp"
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// runnerCode is code of engines that run on by themselves.
type runnerCode struct {
	engine.Code
	p     *program.Program
	calls *int
}

func (c runnerCode) New(warps int) engine.Engine { return &stepRunner{c.Code.New(warps), c.p, c.calls} }

// stepRunner is a Runner that looks at every instruction by itself, as the contract says.
type stepRunner struct {
	engine.Engine
	p     *program.Program
	calls *int
}

func (e *stepRunner) RunOn(t *engine.Turn) {
	*e.calls++
	st := e.Machine()
	for {
		u := &e.p.Code[t.At]
		if t.Heeds && u.Overwrites {
			return
		}
		if u.Control {
			if t.Steps >= t.Room || u.Acts || t.Tells[u.At] == branch.TellAlways {
				return
			}
			to := u.At + 1
			if u.Event == branch.Branch || u.Event == branch.Break {
				goes := t.Lanes
				if u.Guarded {
					goes &= lane.Condition(&st.Flags[u.Guard.Reg][t.Warp], uint8(u.Guard.Cond))
				}
				switch {
				case goes != t.Lanes && t.Tells[u.At] == branch.TellUnlessTaken:
					return
				case goes == 0:
					t.Branches += branches(u)
					st.Counts.NotTaken[u.At]++
				case goes != t.Lanes || u.Event == branch.Break || u.To < 0 || t.Oversteps(u.At, u.To):
					return
				default:
					t.Branches += branches(u)
					st.Counts.TakenBy(bitCount(goes))[u.At]++
					to = u.To
				}
			}
			e.step(t)
			t.At = to
		} else {
			st.Clock = t.Clock + t.Steps - uint64(t.At)
			s := lane.Sel{Full: true}
			s.Add(t.Warp, t.Lanes)
			e.Run(&s, int(t.At), int(t.At)+1)
			e.step(t)
			if st.Raised != nil {
				return
			}
			t.At++
		}
		if t.At == t.Stop {
			return
		}
	}
}

// branches counts u if it is a branch.
func branches(u *program.Op) uint32 {
	if u.Event == branch.Branch {
		return 1
	}
	return 0
}

// step counts the instruction at t.At.
func (e *stepRunner) step(t *engine.Turn) {
	e.Machine().Counts.Issue(bitCount(t.Lanes), t.At, t.At+1)
	t.Steps++
}

// An engine that runs on by itself leaves the same results as the schedule with Run alone.
func TestRunner(t *testing.T) {
	calls, ran := 0, 0
	for _, policy := range everyPolicy() {
		for seed := range uint64(12) {
			p := randomKernel(t, seed)
			if seed%2 == 1 {
				p = forkKernel(t, seed)
			}
			if _, err := p.policies(policy); err != nil {
				require.ErrorAs(t, err, new(*branch.RefusedError))
				continue
			}
			code, err := interp.Compile(p.Program)
			require.NoError(t, err)
			runner := NewProgram(p.Program, runnerCode{code, p.Program, &calls})
			for _, turn := range []uint64{1, 20, turnRounds} {
				want := runRandom(t, p, policy, turn, nil)
				before := calls
				require.Equal(t, want, runRandom(t, runner, policy, turn, nil), "%s, seed %d", policy, seed)
				if calls > before {
					ran++
				}
			}
		}
	}
	require.Greater(t, ran, 300)
}
