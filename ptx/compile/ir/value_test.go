package ir_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx/compile/ir"
)

// last returns the last value of a block that makes w0, l1 and p2 first.
func last(t *testing.T, text string) *ir.Value {
	f, err := ir.Parse("k\nb0:\n\tw0 = tid\n\tl1 = load.global.u64 w0\n\tp2 = icmp.lt.u32 w0 0x5\n\t" + text + "\n\texit\n")
	require.NoError(t, err, text)
	b := f.Blocks[0]
	return b.Values[len(b.Values)-1]
}

func TestSign(t *testing.T) {
	for text, want := range map[string]string{
		"w3 = fneg w0": "-w0", "w3 = fneg.sat w0": "", "l3 = dneg l1": "-l1", "w3 = xor w0 0x80000000": "-w0",
		"w3 = xor w0 0x7fffffff": "", "l3 = xor l1 0x80000000": "", "w3 = xor w0 w0": "", "w3 = add w0 0x80000000": "",
		"w3 = fabs w0": "w0", "w3 = fabs.sat w0": "", "l3 = dabs l1": "l1", "w3 = and w0 0x7fffffff": "w0",
		"w3 = and w0 0x80000000": "", "l3 = and l1 0x7fffffff": "", "w3 = and w0 w0": "", "w3 = or w0 0x7fffffff": "",
		"w3 = fadd w0 w0": "",
	} {
		x, neg := last(t, text).Sign()
		got := ""
		if x != nil {
			got = x.String()
		}
		if neg {
			got = "-" + got
		}
		require.Equal(t, want, got, text)
	}
}

func TestEffect(t *testing.T) {
	for text, want := range map[string]ir.Effect{
		"w3 = add w0 w0": ir.Pure, "w3 = param.u32": ir.Pure, "p3 = and p2 p2": ir.Pure,
		"w3 = load.const.u32 w0": ir.Pure, "w3 = load.const.volatile.u32 w0": ir.Reads,
		"w3 = load.global.u32 w0": ir.Reads, "w3 = load.shared.u32 w0": ir.Reads, "w3 = load.shared.lock.u32 w0": ir.Writes,
		"t3 = tex.mask1.v1.f32.s32 w0 image": ir.Reads,
		"store.global.u32 w0 w0":             ir.Writes, "store.const.u32 w0 w0": ir.Writes, "bar": ir.Writes,
		"p3 = vote p2": ir.Writes, "w3 = clock": ir.Writes,
	} {
		require.Equal(t, want, last(t, text).Effect(), text)
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]int{
		"w3 = add w0 w0": 1, "l3 = add l1 l1": 2, "t3 = load.global.v4.u32 w0": 4, "p3 = not p2": 0, "bar": 0, "a3 = shl16 w0": 0,
	} {
		require.Equal(t, want, last(t, text).Words(), text)
	}
}

func TestProperties(t *testing.T) {
	require.True(t, last(t, "w3 = mulhi.s32 w0 w0").Signed())
	require.False(t, last(t, "w3 = mulhi.u32 w0 w0").Signed())
	sum := last(t, "w3 = add w0 0x8")
	require.True(t, sum.Args[1].Is(8))
	require.False(t, sum.Args[1].Is(9))
	require.False(t, last(t, "w3 = header +0x8").Is(8))
	n, ok := sum.Args[1].IsConst()
	require.True(t, ok && n == 8)
	_, ok = sum.IsConst()
	require.False(t, ok)
	require.True(t, ir.Add.Commutes())
	require.False(t, ir.Sub.Commutes())
	for _, k := range []ir.EndKind{ir.Open, ir.Exit, ir.Fault} {
		require.Empty(t, (&ir.Block{End: k}).Succs())
	}
}
