package tags_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/internal/test/maze"
	"jacquard/observe/tags"
	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// Registers of random kernels agree with their tags under policies of every kind, and counts by
// stretches equal counts by issues.
func TestMazes(t *testing.T) {
	uniform := uint64(0)
	for seed := range uint64(40) {
		m := maze.New(seed)
		for _, policy := range []string{"nvidia", "stackless", "mimd", "dwf", "nvidia:warp=8", "stackless:warp=16", "dwf:warp=8"} {
			var c *checker
			_, err := m.With(policy, func(l *simt.Launch) {
				c = newChecker(l)
				l.Observer = c
			})
			var refused *branch.RefusedError
			if errors.As(err, &refused) {
				continue
			}
			require.NoError(t, err)
			require.NoError(t, c.wrong, "maze %d under %s", seed, policy)
			var r *tags.Recorder
			s, err := m.With(policy, func(l *simt.Launch) { r = tags.Attach(l) })
			require.NoError(t, err)
			r.Count(s)
			for i := range s.ByInstruction {
				n := &s.ByInstruction[i].Operands
				require.Equal(t, c.counts[i], *n, "maze %d under %s, instruction %d", seed, policy, i)
				require.LessOrEqual(t, n.ReadsUniform+n.ReadsAffine, n.Reads)
				require.LessOrEqual(t, n.WritesUniform+n.WritesAffine, n.Writes)
				uniform += n.ReadsUniform
			}
		}
	}
	require.NotZero(t, uniform)
}

// The operands of a kernel that adds the thread's index to a parameter.
func TestOperands(t *testing.T) {
	k := simt.Kernel{Name: "k", Arch: tesla.SM13, Registers: 4, Shared: 32, Code: decoder.Kernel(tesla.SM13, []uint32{
		0x10018005, 0x00000003, // mov b32 $r1 0x1
		0x30020009, 0xc4100780, // shl b32 $r2 $r0 0x2
		0x2000c809, 0x04208780, // add b32 $r2 b32 s[0x10] $r2
		0xd00e0405, 0x80c00780, // ld b32 $r1 g14[$r2]
		0xf0000001, 0xe0000001, // exit
	})}
	for _, c := range []struct {
		name  string
		block [3]int
		want  []simt.Operands
	}{
		{"lines", [3]int{64, 1, 1}, []simt.Operands{
			{Writes: 2, WritesUniform: 2},
			{Reads: 2, ReadsAffine: 2, Writes: 2, WritesAffine: 2},
			{Reads: 2, ReadsAffine: 2, Writes: 2, WritesAffine: 2},
			{Reads: 2, ReadsAffine: 2, Writes: 2},
			{},
		}},
		{"warps of two lines", [3]int{16, 2, 1}, []simt.Operands{
			{Writes: 1, WritesUniform: 1},
			{Reads: 1, Writes: 1},
			{Reads: 1, Writes: 1},
			{Reads: 1, Writes: 1},
			{},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := simt.Lower(k)
			require.NoError(t, err)
			space := mem.NewSpace(1 << 22)
			a, err := space.Alloc(1<<18 + 4096)
			require.NoError(t, err)
			l := &simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: c.block, Global: space, Params: []byte{byte(a), byte(a >> 8), byte(a >> 16), byte(a >> 24)}}
			r := tags.Attach(l)
			s, err := simt.Run(l)
			require.NoError(t, err)
			r.Count(s)
			for i, want := range c.want {
				require.Equal(t, want, s.ByInstruction[i].Operands, i)
			}
		})
	}
}
