package random_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/conformance/random"
	"jacquard/simt"
	"jacquard/simt/machine"
	"jacquard/tesla"
)

func forms(t testing.TB, arch tesla.Arch) *random.Forms {
	t.Helper()
	f, err := random.ReadForms(arch, "../../../../decoder/testdata/decode-vectors.csv.gz")
	require.NoError(t, err)
	return f
}

// Straight kernels are made of every form of instruction, and end in every kind of fault.
func TestStraight(t *testing.T) {
	seen := random.NewSeen()
	var have [tesla.Forms]bool
	for _, arch := range tesla.Archs {
		f := forms(t, arch)
		for _, form := range f.List {
			have[form] = true
		}
		for seed := range uint64(60) {
			k, err := f.Straight(seed, seen)
			require.NoError(t, err)
			if seed < 3 {
				again, err := f.Straight(seed, random.NewSeen())
				require.NoError(t, err)
				require.Equal(t, k, again)
			}
		}
	}
	for form := range have {
		if have[form] {
			require.NotZero(t, seen.Executed[form], "form %s was not exercised", tesla.Form(form))
		}
	}
	for _, kind := range []machine.FaultKind{machine.FaultIllegalAddress, machine.FaultMisaligned, machine.FaultIllegalInstruction} {
		require.NotZero(t, seen.Faults[kind], kind)
	}
	var never []string
	for facet, executed := range seen.Facets {
		if !executed {
			never = append(never, facet)
		}
	}
	slices.Sort(never)
	t.Logf("%d kinds of operand and modifier, faults %v; tried, but never executed: %q", len(seen.Facets), seen.Faults, never)
}

// Looping kernels are made of every form of instruction. Most end without a fault, and issue the
// instructions of their loop several times.
func TestLooping(t *testing.T) {
	seen := random.NewSeen()
	var have [tesla.Forms]bool
	for _, arch := range tesla.Archs {
		f := forms(t, arch)
		sound, again := 0, 0
		for seed := range uint64(40) {
			k, err := f.Looping(seed, seen)
			require.NoError(t, err)
			p, err := simt.Lower(k.Kernel)
			require.NoError(t, err)
			space, err := k.Space()
			require.NoError(t, err)
			stats, err := simt.Run(&simt.Launch{Program: p, Grid: k.Grid, Block: k.Block, Params: k.Params, Global: space, Const: k.Const, Textures: k.Textures})
			if err == nil {
				sound++
			}
			once := stats.ByInstruction[0].Issues
			if slices.ContainsFunc(stats.ByInstruction, func(i simt.InstructionStats) bool { return i.Issues >= 2*once }) {
				again++
			}
		}
		require.Greater(t, sound, 35)
		require.Greater(t, again, 20)
		for _, form := range f.List {
			have[form] = true
		}
	}
	for form := range have {
		require.False(t, have[form] && seen.Executed[form] == 0, "form %s was not exercised", tesla.Form(form))
	}
}

func TestRacing(t *testing.T) {
	for seed := range uint64(20) {
		k, err := random.Racing(seed)
		require.NoError(t, err)
		for i := range k.Code {
			require.Equal(t, tesla.OK, k.Code[i].Bad, "%s", &k.Code[i])
		}
	}
}

// Breaking kernels end without a fault under the policy of the hardware. Some functions are left by
// breaks alone, and some lanes break while others of their warp go on.
func TestBreaking(t *testing.T) {
	left, apart := 0, 0
	for seed := range uint64(100) {
		k, err := random.Breaking(seed)
		require.NoError(t, err)
		p, err := simt.Lower(k.Kernel)
		require.NoError(t, err)
		space, err := k.Space()
		require.NoError(t, err)
		stats, err := simt.Run(&simt.Launch{
			Program: p, Grid: k.Grid, Block: k.Block, Params: k.Params, Global: space, Watchdog: 1 << 18,
		})
		require.NoError(t, err, k.Name)
		balance := uint64(0) // of threads in functions
		for i := range stats.ByInstruction {
			switch s := &stats.ByInstruction[i]; k.Code[i].Op {
			case tesla.OpCall:
				balance += s.Threads
			case tesla.OpRet:
				balance -= s.Branch.Threads
			case tesla.OpBreak:
				apart += int(s.Branch.Divergent)
			}
		}
		if balance != 0 {
			left++
		}
	}
	require.Greater(t, left, 15)
	require.Greater(t, apart, 500)
}
