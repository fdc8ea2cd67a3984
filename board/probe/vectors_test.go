package probe_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/board/probe"
	"jacquard/board/replay"
	"jacquard/board/verify"
	"jacquard/tesla"
)

// The simulator answers all golden vectors as a board would be asked, but for those under a mode
// bit that no program can set.
func TestGoldenVectors(t *testing.T) {
	for name, c := range map[string]struct{ rows, zerowins int }{
		"int": {9568, 0}, "fp": {12660, 160}, "fp64": {6804, 0}, "cvt": {12065, 0}, "sfu": {7775, 0}, "atom": {3040, 0},
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := verify.ReadRows("../../testdata/vectors/" + name + ".csv.gz")
			require.NoError(t, err)
			require.Len(t, rows, c.rows)
			v, err := probe.Ask(new(replay.Engine), tesla.SM13, rows, nil)
			require.NoError(t, err)
			for i := range v.Different[:min(10, len(v.Different))] {
				t.Error(v.Different[i].String())
			}
			for _, l := range v.LeftOut {
				require.Contains(t, l.Row.Mods, "zerowins", "%s: %s", &l.Row, l.Why)
			}
			require.Equal(t, c.zerowins, len(v.LeftOut))
			var text bytes.Buffer
			require.NoError(t, verify.WriteRows(&text, v.Rows))
			again, err := verify.Read(&text, verify.Options{Scalar: true})
			require.NoError(t, err)
			require.Equal(t, c.rows-c.zerowins, again.Passed)
		})
	}
}

// Rows of a command line say nothing of the result: the instruction does. What a device lacks is
// left out.
func TestAsk(t *testing.T) {
	for _, c := range []struct {
		arch               tesla.Arch
		op, a, b, c, flags string
		want, left         string
	}{
		{tesla.SM10, "add b32", "ffffffff", "00000001", "", "", "00000000 flags 5", ""},
		{tesla.SM10, "addc b16", "7fff", "0001", "", "4", "8001 flags a", ""},
		{tesla.SM10, "mul u16 s16", "0002", "ffff", "", "", "fffffffe flags 2", ""},
		{tesla.SM10, "rcp", "40000000", "", "", "", "3f000000", ""},
		{tesla.SM10, "i2f f32 s32 rn", "ffffffff", "", "", "", "bf800000 flags 2", ""},
		{tesla.SM10, "shl b32 shcnt", "00000001", "1f", "", "", "80000000 flags 2", ""},
		{tesla.SM10, "quadop sub", "40000000", "3f800000", "", "", "3f800000 flags 0", ""},
		{tesla.SM12, "atom.add u32", "00000005", "00000002", "", "", "00000007 returns 00000005", ""},
		{tesla.SM13, "dadd rn", "3ff0000000000000", "3ff0000000000000", "", "", "4000000000000000 flags 0", ""},
		{tesla.SM13, "dset lt", "", "", "", "", "", `dset: unknown condition "lt"`},
		{tesla.SM10, "dadd rn", "3ff0000000000000", "3ff0000000000000", "", "", "", "sm_10 has no instruction for this"},
		{tesla.SM10, "sqrt", "00000000", "", "", "", "", `unknown operation "sqrt"`},
	} {
		t.Run(c.op, func(t *testing.T) {
			row, err := verify.ParseRow(c.op, c.a, c.b, c.c, c.flags)
			require.NoError(t, err)
			v, err := probe.Ask(new(replay.Engine), c.arch, []verify.Row{row}, nil)
			require.NoError(t, err)
			if c.left != "" {
				require.Len(t, v.LeftOut, 1)
				require.Contains(t, v.LeftOut[0].Why, c.left)
				return
			}
			require.Empty(t, v.LeftOut)
			require.Equal(t, c.want, v.Rows[0].Want.String())
		})
	}
}
