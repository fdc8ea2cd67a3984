package conformance

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/conformance/random"
	"jacquard/simt"
	"jacquard/simt/engine"
	"jacquard/simt/engine/reference"
	"jacquard/simt/engine/translate"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
)

// spoiler is the reference engine with something done to the state after its first code.
type spoiler struct {
	engine.Engine
	spoil func(*machine.State)
}

func (e *spoiler) Run(s *lane.Sel, from, to int) int {
	end := e.Engine.Run(s, from, to)
	if from == 0 {
		e.spoil(e.Machine())
	}
	return end
}

type spoiled struct {
	engine.Code
	spoil func(*machine.State)
}

func (c spoiled) New(warps int) engine.Engine { return &spoiler{c.Code.New(warps), c.spoil} }

// Whatever an engine gets wrong, the suite names.
func TestDifference(t *testing.T) {
	k, err := random.Racing(1)
	require.NoError(t, err)
	k.Memory = append(k.Memory, 0) // nothing reads it
	for _, c := range []struct {
		name, want string
		spoil      func(*machine.State)
	}{
		{"nothing", "", func(*machine.State) {}},
		{"a register", "stretch 0, instructions 0 to ", func(st *machine.State) { st.RegisterRow(0, 0)[3]++ }},
		{"a flag", "stretch 0, instructions 0 to ", func(st *machine.State) { st.Flags[3][0].O = 1 }},
		{"a count", "statistics: ", func(st *machine.State) { st.Counts.Off[0]++ }},
		{"memory", "memory differs", func(st *machine.State) { st.Global.Reach(random.Base)[len(k.Memory)-1]++ }},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := &launch{Kernel: k, policy: "nvidia"}
			want := l.run(t, reference.Compile, engine.Off)
			got := l.run(t, func(p *program.Program) (engine.Code, error) {
				code, err := reference.Compile(p)
				return spoiled{code, c.spoil}, err
			}, engine.Off)
			d := want.difference(got)
			require.Equal(t, c.want == "", d == "")
			require.Contains(t, d, c.want)
		})
	}
}

// late is an engine that changes a register after it ran on.
type late struct{ engine.Runner }

func (e late) RunOn(t *engine.Turn) {
	t.Relay = nil // so it is the turn of one warp
	e.Runner.RunOn(t)
	e.Machine().RegisterRow(e.Machine().Program.Kernel.Registers-1, t.Warp)[3]++
}

type belated struct{ engine.Code }

func (c belated) New(warps int) engine.Engine { return late{c.Code.New(warps).(engine.Runner)} }

// Registers are compared after an engine ran on, even one that no code reads.
func TestDifferenceAtTheEnd(t *testing.T) {
	if err := simt.Untranslated(); err != nil {
		t.Skip("no other engine runs on: ", err)
	}
	k, err := random.Racing(1)
	require.NoError(t, err)
	k.Registers++
	for _, simd := range simt.SIMDs()[1:] {
		l := &launch{Kernel: k, policy: "nvidia"}
		want := l.run(t, reference.Compile, engine.Off)
		require.Empty(t, l.runsOn(t, translate.CompileHot, simd, want))
		require.Contains(t, l.runsOn(t, func(p *program.Program) (engine.Code, error) {
			code, err := translate.CompileHot(p)
			return belated{code}, err
		}, simd, want), "registers of warp")
	}
}
