package shadow

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/conformance/random"
	"jacquard/simt"
	"jacquard/simt/check"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// launchOf returns the launch of a random kernel on its memory.
func launchOf(t *testing.T, k *random.Kernel) (*simt.Launch, *mem.Space) {
	t.Helper()
	p, err := simt.Lower(k.Kernel)
	require.NoError(t, err)
	space, err := k.Space()
	require.NoError(t, err)
	return &simt.Launch{
		Program: p, Grid: k.Grid, Block: k.Block, Params: k.Params, Global: space, Const: k.Const, Textures: k.Textures,
		Watchdog: 1 << 18, Workers: 1, InStep: simt.InStepOff,
	}, space
}

// checked runs a launch with a shadow. It returns what was found in the run that counts.
func checked(m *Memory, l *simt.Launch) (stats *simt.Stats, found []check.Finding, twice bool, err error) {
	stats, err = m.Run(l, func() { twice = true }, func(f check.Finding) { found = append(found, f) })
	return stats, found, twice, err
}

// kernels returns random kernels of all kinds.
func kernels(t *testing.T, n uint64) (list []*random.Kernel) {
	t.Helper()
	for _, arch := range []tesla.Arch{tesla.SM10, tesla.SM13} {
		f, err := random.ReadForms(arch, "../../decoder/testdata/decode-vectors.csv.gz")
		require.NoError(t, err)
		for seed := range n {
			for _, write := range []func() (*random.Kernel, error){
				func() (*random.Kernel, error) { return f.Straight(seed, random.NewSeen()) },
				func() (*random.Kernel, error) { return f.Looping(seed, random.NewSeen()) },
				func() (*random.Kernel, error) { return random.Racing(seed) },
				func() (*random.Kernel, error) { return random.Breaking(seed) },
			} {
				k, err := write()
				require.NoError(t, err)
				list = append(list, k)
			}
		}
	}
	return list
}

// equalRuns requires that two runs left and counted the same.
func equalRuns(t *testing.T, name string, want, got *simt.Stats, wantErr, gotErr error, a, b *mem.Space) {
	t.Helper()
	require.Equal(t, wantErr, gotErr, name)
	require.True(t, bytes.Equal(a.Reach(random.Base), b.Reach(random.Base)), "%s: memory", name)
	x, y := *want, *got
	x.Elapsed, y.Elapsed = 0, 0
	require.Equal(t, x, y, name)
}

// A shadow changes neither results nor counts nor faults, whether memory has values or not, in one
// run or two.
func TestSameResults(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	runs := map[bool]int{}
	for _, k := range kernels(t, 40) {
		l, space := launchOf(t, k)
		want, wantErr := simt.Run(l)
		for blank := range 2 {
			l, other := launchOf(t, k)
			m := NewMemory()
			for range 20 * blank {
				m.Blank(random.Base+r.Uint32N(uint32(len(k.Memory))), uint64(1+r.IntN(64)))
			}
			got, _, twice, err := checked(m, l)
			runs[twice]++
			equalRuns(t, k.Name, want, got, wantErr, err, space, other)
		}
	}
	require.Greater(t, runs[false], 100)
	require.Greater(t, runs[true], 20)
	t.Logf("%d launches ran once or under the observer alone, %d twice", runs[false], runs[true])
}

// Memory that depends on bytes without a value has no value: another run with other bytes there
// differs only in what the shadow tells, unless a branch or an address was reported.
func TestShadowCoversChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	compared, differ, told := 0, 0, 0
	for _, k := range kernels(t, 40) {
		l, space := launchOf(t, k)
		m := NewMemory()
		blank := make([]byte, len(k.Memory))
		for range 1 + r.IntN(6) {
			at, n := r.IntN(len(blank)), 1+r.IntN(8)
			for i := at; i < min(at+n, len(blank)); i++ {
				blank[i] = 1
				m.Blank(random.Base+uint32(i), 1)
			}
		}
		_, found, _, err := checked(m, l)
		if err != nil || len(found) > 0 {
			continue
		}
		other := *k
		other.Memory = bytes.Clone(k.Memory)
		for i, b := range blank {
			if b != 0 {
				other.Memory[i] = byte(r.Uint32())
			}
		}
		l2, space2 := launchOf(t, &other)
		_, err = simt.Run(l2)
		require.NoError(t, err, k.Name)
		a, b := space.Reach(random.Base), space2.Reach(random.Base)
		compared++
		for i := range a {
			free, _ := m.byte(random.Base + uint32(i))
			require.Zero(t, (a[i]^b[i])&^free, "%s: byte %d is %#x or %#x, told %#x", k.Name, i, a[i], b[i], free)
			if a[i] != b[i] {
				differ++
			}
			if free != 0 {
				told++
			}
		}
	}
	t.Logf("%d kernels compared: %d bytes differ, %d told", compared, differ, told)
	require.Greater(t, compared, 100)
	require.Greater(t, differ, 1000)
}
