package ir_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// all is a kernel with each part of the text.
const all = `k
b0:
	w0 = tid
	w1 = symbol.shared +0x10 array
	w2 = load.shared.volatile.lock.b32 w1
	t3 = load.const.v4.u16 w1 +0x8
	w4 = element t3 +0x2
	w5 = cvt.rz.sat.s16.f32 w4
	w6 = shr.s w5 0x3
	t7 = tex.mask5.v2.f32.s32 w0 image
	l8 = pack w5 w6
	l9 = add l8 0x100000000
	red.add.global.u64 w0 l9
	w10 = atom.cas.global.b32 w0 w4 0x7
	p11 = icmp.le.s16 w10 w40
	branch uniform p11 b1 b3
b1: <- b0 <- b1 depth 1
	w12 = phi w10 w13
	p14 = phi 0x1 p15
	w13 = add.sat.s32 w12 0xffffffff
	p15 = and p11 p14
	a16 = shl16 w13 +0x2
	a17 = addrto a16 +0x4
	store.shared.u32 a17 w13
	branch p15 b1 b2
b2: <- b1
	trap
b3: <- b0
	branch 0x0 b4 b5
b4: <- b3
	jump b5
b5: <- b3 <- b4
	exit
`

func TestParse(t *testing.T) {
	f, err := ir.Parse(all)
	require.NoError(t, err)
	require.Equal(t, all, f.String())
	require.Equal(t, 2, f.Blocks[1].Depth+f.Blocks[1].Loop.ID)
	add := f.Blocks[0].Values[9]
	require.Equal(t, ir.Long, add.Args[1].Kind)
	require.EqualValues(t, 1<<32, add.Args[1].Imm)
	require.Equal(t, ir.Undef, f.Blocks[0].Values[12].Args[1].Op)
	require.Equal(t, ptx.F32, f.Blocks[0].Values[5].From)
	require.EqualValues(t, 1, f.Blocks[0].Values[2].Count)
	require.EqualValues(t, 0, add.Count)
	require.EqualValues(t, 1, f.Blocks[1].Values[6].Count, "of a store")
	require.Equal(t, ir.Pred, f.Blocks[1].Values[1].Args[0].Kind)
	numbers := map[int32]bool{}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			require.False(t, numbers[v.ID], "%d", v.ID)
			numbers[v.ID] = true
		}
	}
	require.False(t, numbers[40])
	require.Greater(t, f.MaxID(), 40)
}

func TestParseTakesAnyDepth(t *testing.T) {
	f, err := ir.Parse("k\nb0: depth 7\n\texit\n")
	require.NoError(t, err)
	require.Equal(t, "k\nb0:\n\texit\n", f.String())
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"": "no kernel", "k": "no kernel",
		"k\nw0 = tid":                               "line 2: w0 stands in no block",
		"k\nb1:\n":                                  "block b1 is block 0",
		"k\nb0:\nw0 = tid\np0 = tid":                "line 4: p0 has the number of another value",
		"k\nb0:\nx0 = tid":                          "x0 is no value",
		"k\nb0:\nw = tid":                           "w is no value",
		"k\nb0:\nw0 = tidy.u32":                     "no operation tidy.u32",
		"k\nb0:\nnone":                              "no operation none",
		"k\nb0:\nw0 = tid.fast":                     "no modifier .fast of tid",
		"k\nb0:\nw0 = tid.":                         "no modifier . of tid",
		"k\nb0:\nt0 = tex.mask w1":                  "no modifier .mask of tex",
		"k\nb0:\nt0 = tex.mask300 w1":               "no modifier .mask300 of tex",
		"k\nb0:\nt0 = load.5 w1":                    "no modifier .5 of load",
		"k\nb0:\nw0 = header +two":                  "invalid syntax",
		"k\nb0:\njump b1":                           "no block b1",
		"k\nb0:\njump":                              "b0 ends with 0 targets",
		"k\nb0: <- b7\nexit":                        "no block b7",
		"k\nb0:\nw0 = add 0x1\nexit":                "kinds of",
		"k\nb0:\nt0 = load.global.v5.u32 0x0\nexit": "has 5 words",
		"k\nb0:\nt0 = load.global.v0.u32 0x0\nexit": "has 0 words",
		"k\nb0:\nt0 = load.global.v2.u32 0x0\nw1 = element t0 +0x2\nexit": "is beyond the words of its operand",
		"k\nb0:\nopen":                              "has no end",
		"k\nb0:\nbranch":                            "b0 branches on nothing",
		"k\nb0:\nbranch uniform":                    "b0 branches on nothing",
		"k\nb0:\nbranch 0x1 b1 b1\nb1: <- b0\nexit": "edges to b1",
	} {
		_, err := ir.Parse(text)
		require.ErrorContains(t, err, want, text)
	}
}

// A constant has the kind that its operation and the names beside it ask for.
func TestKindsOfConstants(t *testing.T) {
	for text, want := range map[string]string{
		"l0 = add 0x1 0x2": "ll", "w0 = add 0x1 0x2": "ww", "l0 = shl 0x1 0x2": "lw", "w0 = low 0x1": "l",
		"p0 = and 0x1 0x0": "pp", "p0 = icmp.lt.u64 l1 0x2": "ll", "p0 = icmp.lt.u64 0x1 l2": "ll", "p0 = icmp.lt.u32 0x1 0x2": "ww",
		"l0 = select 0x1 0x2 0x3": "pll", "p0 = phi p0 0x1 0x0": "ppp", "l0 = load.global.u64 0x8": "w", "l0 = copy 0x1": "l",
		"a0 = addrto 0x0": "a", "w0 = load.shared.u32 a1": "a", "store.shared.u32 0x0 0x1 0x2 0x3": "wwww", "t0 = tex 0x1 0x2": "ww",
		"l0 = atom.cas.global.u64 0x8 0x1 0x2": "wll", "red.add.global.u64 0x8 l1": "wl", "w0 = tid 0x1": "w",
	} {
		f, err := ir.Parse("k\nb0:\n" + text + "\nopen")
		require.ErrorContains(t, err, "has no end")
		kinds := ""
		for _, a := range f.Blocks[0].Values[0].Args {
			kinds += a.Kind.String()
		}
		require.Equal(t, want, kinds, text)
	}
}

// Values without a name have numbers of their own, and so have those that follow.
func TestNumbers(t *testing.T) {
	f, err := ir.Parse("k\nb0:\n\tw5 = tid\n\tbar\n\tbar\n\tw9 = add w12 w12\n\tw20 = tid\n\texit\n")
	require.NoError(t, err)
	numbers := map[int32]bool{12: true, f.New(ir.Tid, ir.Word).ID: true}
	for _, v := range f.Blocks[0].Values {
		require.False(t, numbers[v.ID], "%d", v.ID)
		numbers[v.ID] = true
	}
	require.Len(t, numbers, 7)
	require.Greater(t, f.MaxID(), 20)
	sum := f.Blocks[0].Values[3]
	require.Same(t, sum.Args[0], sum.Args[1], "one name is one value")
}
