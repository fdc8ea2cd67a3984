package load_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/ptx/load"
	"jacquard/tesla"
)

// text is a kernel for a target.
func text(target string) []byte {
	return []byte(".version 2.3\n.target " + target + "\n.entry of_" + target + "(.param .u32 out) {\n.reg .u32 %r1;\nld.param.u32 %r1, [out];\nst.global.u32 [%r1], 7;\nexit;\n}\n")
}

func TestArch(t *testing.T) {
	for target, want := range map[int]tesla.Arch{
		0: tesla.SM13, 9: tesla.SM13, 10: tesla.SM10, 11: tesla.SM11, 12: tesla.SM12, 13: tesla.SM13, 14: tesla.SM13, 20: tesla.SM13, 90: tesla.SM13,
	} {
		require.Equal(t, want, load.Arch(target), target)
	}
}

// contents returns a fat binary with PTX for targets.
func contents(t *testing.T, more []cubintest.Entry, targets ...int) *cubin.Contents {
	t.Helper()
	for _, n := range targets {
		e := cubin.Entry{Container: cubin.Unknown, Arch: n}
		more = append(more, cubintest.Entry{Container: cubin.PTX, Arch: n, Data: text(e.Target())})
	}
	c, err := cubin.Read(cubintest.Flat(cubintest.CUDA5, more...))
	require.NoError(t, err)
	return c
}

// A device takes the PTX for the latest target that it has, or else the earliest of a later one.
func TestLatest(t *testing.T) {
	for _, c := range []struct {
		targets []int
		arch    tesla.Arch
		want    int
	}{
		{[]int{10, 11, 13}, tesla.SM13, 13},
		{[]int{13, 11, 10}, tesla.SM12, 11},
		{[]int{30, 20, 35}, tesla.SM13, 20},
		{[]int{30, 10, 20}, tesla.SM13, 10},
		{[]int{20, 13, 10}, tesla.SM10, 10},
		{[]int{20, 12, 13}, tesla.SM10, 12},
	} {
		require.Equal(t, c.want, load.Latest(contents(t, nil, c.targets...), c.arch).Arch, "%v on %s", c.targets, c.arch)
	}
	require.Nil(t, load.Latest(contents(t, []cubintest.Entry{{Container: cubin.ELF, Arch: 20}}), tesla.SM13))
}

func TestEntry(t *testing.T) {
	o := compile.Options{Arch: tesla.SM12, Verify: true}
	made, err := load.Entry(load.Latest(contents(t, nil, 20, 11), o.Arch), "x", o)
	require.NoError(t, err)
	img, err := made.Image()
	require.NoError(t, err)
	require.NotNil(t, img.Kernel("of_sm_11"))
	require.Equal(t, tesla.SM12, img.Arch)
	require.Equal(t, cubin.ELF, made.Container)
}

// All mistakes are in the error, whichever step finds them.
func TestErrors(t *testing.T) {
	for _, bad := range []string{
		".version 1.4\n.target sm_10\n.entry k() {\nfoo;\nbar;\n}\n",
		".version 2.3\n.target sm_20\n.entry k() {\n.reg .b64 %a;\ntestp.nan.f64 %a, %a;\nvote.ballot.b32 %b, 1;\n}\n",
	} {
		_, err := load.Compile("k.ptx", []byte(bad), compile.Options{})
		all, joined := err.(interface{ Unwrap() []error })
		require.True(t, joined)
		require.GreaterOrEqual(t, len(all.Unwrap()), 2)
		for _, one := range all.Unwrap() {
			var placed *ptx.Error
			require.True(t, errors.As(one, &placed))
			require.Equal(t, "k.ptx", placed.Name)
		}
	}
}
