package compare_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver/knobs"
	"jacquard/simt"
	"jacquard/study/compare"
	"jacquard/study/launch"
	"jacquard/tesla"
)

// rows runs code, with a buffer as its parameter, under policies.
func rows(t *testing.T, policies []string, code ...tesla.Instruction) []compare.Row {
	t.Helper()
	j := &launch.Job{
		Image: cubin(t, code...), Kernel: "k", Grid: [2]int{1, 1}, Block: [3]int{4, 1, 1},
		Params: []launch.Param{{Name: "out", Buffer: make([]byte, 10)}},
	}
	var begun []string
	list, err := compare.Kernel(context.Background(), knobs.Settings{}, j, policies, compare.Watch{Begin: func(policy string) simt.Recorder {
		begun = append(begun, policy)
		return nil
	}})
	require.NoError(t, err)
	require.Equal(t, policies, begun)
	require.Len(t, list, len(policies))
	return list
}

// store writes $rN to the buffer, whose address load puts into $r5.
func store(n uint8) tesla.Instruction {
	return tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B32, Src: [3]tesla.Operand{{Kind: tesla.Global, Index: 14, Value: 5}, reg(n)}}
}

var load = tesla.Instruction{Op: tesla.OpMov, Type: tesla.B32, Dst: reg(5), Src: [3]tesla.Operand{{Kind: tesla.Shared, Type: tesla.B32, Value: 0x10}}}

// The two sides of a branch write the same word: the policy decides which writes last.
func TestDifferentMemory(t *testing.T) {
	list := rows(t, []string{"nvidia", "barrier", "stackless", "mimd"},
		load, set(1, 1), upper,
		to(tesla.OpJoinAt, 9),
		ifUpper(to(tesla.OpBra, 8)),
		set(2, 0xbe10),
		store(2),
		to(tesla.OpBra, 10),
		set(2, 0xabe), // 8
		store(2),
		tesla.Instruction{Op: tesla.OpNop}, // 10
		exit,
	)
	require.Equal(t, compare.Same, list[0].Outcome)
	require.Equal(t, compare.Same, list[1].Outcome)
	for _, r := range list[2:] {
		require.Equal(t, compare.Differs, r.Outcome)
		require.Equal(t, "buffer out: word 0 is 0x00000abe, under nvidia 0x0000be10; 1 of 3 words differ", r.Reason)
		require.Positive(t, r.WarpInstructions)
	}
	require.False(t, compare.Agree(list))
}

// Lanes of a warp pass a value through shared memory without a barrier.
func TestDependenceOnStep(t *testing.T) {
	shared := tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: 0x14}
	list := rows(t, []string{"nvidia", "mimd"},
		load,
		set(2, 7),
		tesla.Instruction{Op: tesla.OpStShared, Type: tesla.B32, Src: [3]tesla.Operand{shared, reg(0)}},
		tesla.Instruction{Op: tesla.OpMov, Type: tesla.B32, Dst: reg(2), Src: [3]tesla.Operand{shared}},
		store(2),
		exit,
	)
	require.Empty(t, list[0].Diagnosis)
	require.Contains(t, list[1].Diagnosis, "relies on the lanes of a warp running in step")
}

func TestRefusal(t *testing.T) {
	code := []tesla.Instruction{to(tesla.OpCall, 2), exit, {Op: tesla.OpRet}}
	list := rows(t, []string{"implicit:calls=refused", "nvidia", "stackless"}, code...)
	require.Equal(t, compare.Refused, list[0].Outcome)
	require.Equal(t, "it has no stack for the return address of the call at pc 0x0", list[0].Reason)
	require.Zero(t, list[0].WarpInstructions)
	require.Equal(t, compare.Same, list[1].Outcome)
	require.True(t, compare.Agree(list))
	require.False(t, compare.Agree(list[:1]), "nobody ran it")
}

func TestFault(t *testing.T) {
	list := rows(t, []string{"nvidia", "mimd"}, to(tesla.OpBra, 0))
	for _, r := range list {
		require.Equal(t, compare.Failed, r.Outcome)
		require.Regexp(t, `^livelock in kernel k, block \(0,0\), warp 0, lanes .*CUDA_ERROR_LAUNCH_TIMEOUT`, r.Reason)
	}
	require.False(t, compare.Agree(list))
}

func TestBadJob(t *testing.T) {
	j := &launch.Job{Image: cubin(t, exit), Kernel: "none", Grid: [2]int{1, 1}, Block: [3]int{4, 1, 1}}
	_, err := compare.Kernel(context.Background(), knobs.Settings{}, j, []string{"nvidia"}, compare.Watch{})
	require.ErrorContains(t, err, `no kernel "none"`)
	j.Kernel, j.Block[0] = "k", 1000
	_, err = compare.Kernel(context.Background(), knobs.Settings{}, j, []string{"nvidia"}, compare.Watch{})
	require.ErrorContains(t, err, "dimension 0 must be 1 to 512")
	ctx, stop := context.WithCancel(context.Background())
	stop()
	_, err = compare.Kernel(ctx, knobs.Settings{}, j, []string{"nvidia"}, compare.Watch{})
	require.ErrorIs(t, err, context.Canceled)

	// A comparison that is interrupted has the rows of the policies that ran.
	ctx, stop = context.WithCancel(context.Background())
	j.Block[0] = 4
	list, err := compare.Kernel(ctx, knobs.Settings{}, j, []string{"nvidia", "mimd", "tbc"}, compare.Watch{Begin: func(policy string) simt.Recorder {
		if policy == "tbc" {
			stop()
		}
		return nil
	}})
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, list, 2)
	require.Equal(t, "mimd", list[1].Policy)
	require.Equal(t, "sm_13", list[0].Arch)

	// What watches it can end it.
	full := errors.New("the disk is full")
	_, err = compare.Kernel(context.Background(), knobs.Settings{}, j, []string{"nvidia"}, compare.Watch{End: func() error { return full }})
	require.ErrorIs(t, err, full)
}

func TestPolicies(t *testing.T) {
	for text, want := range map[string][]string{
		"nvidia":                     {"nvidia"},
		"":                           {"nvidia"},
		"mimd,nvidia,mimd":           {"mimd", "nvidia"},
		"simty:hot=3,nvidia":         {"simty:hot=3", "nvidia"},
		"simty:hot=3,hot=2,nvidia":   {"simty:hot=3,hot=2", "nvidia"},
		"stackless:key=pc,volta":     {"stackless:key=pc", "volta"},
		"stackless:key=pc,stackless": {"stackless:key=pc", "stackless"},
	} {
		got, err := compare.Policies(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	narrow, err := compare.Policies("all:warp=8,nvidia")
	require.NoError(t, err)
	require.Equal(t, "nvidia:warp=8", narrow[0])
	require.Contains(t, narrow, "tbc:warp=8")
	require.Equal(t, "nvidia", narrow[len(narrow)-1])
	all, err := compare.Policies("mimd,all")
	require.NoError(t, err)
	require.Equal(t, []string{"mimd", "nvidia"}, all[:2])
	require.Greater(t, len(all), 8)
	for _, bad := range []string{"wild", "nvidia,wild", "simty:hot=9", "key=pc", "all:warp=64", "all:key=pc"} {
		_, err := compare.Policies(bad)
		require.Error(t, err, bad)
	}
}
