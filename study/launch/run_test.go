package launch_test

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/simt"
	"jacquard/study/launch"
)

// endless is a kernel that branches to itself and counts in a register, so that no state comes
// back.
const endless = `architecture {sm_10} code { name = loop lmem = 0 smem = 16 reg = 1 bar = 0 bincode { 0x20018001 0x00000003 0x10000003 0x00000780 } }`

// begun is called when a launch has begun.
type begun func()

func (b begun) Block(*simt.Block) simt.BlockRecorder {
	b()
	return nil
}

func (begun) Keeps() []bool          { return nil }
func (begun) States() bool           { return false }
func (begun) Fault(*simt.Fault, int) {}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	_, err := launch.Run(ctx, knobs.Settings{}, &launch.Job{
		Image: []byte(endless), Kernel: "loop", Grid: [2]int{1, 1}, Block: [3]int{32, 1, 1},
		Recorder: begun(cancel),
	}, io.Discard)
	var call *launch.Error
	require.ErrorAs(t, err, &call)
	require.ErrorIs(t, err, driver.ErrLaunchTimeout)
	require.Contains(t, err.Error(), "interrupted in kernel loop, block (0,0), warp 0, lanes ffffffff, pc 0x")
}

func TestCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := launch.Run(ctx, knobs.Settings{}, &launch.Job{Image: []byte(endless), Kernel: "loop"}, io.Discard)
	require.ErrorIs(t, err, context.Canceled)
}

func TestUnknownKernel(t *testing.T) {
	_, err := launch.Run(context.Background(), knobs.Settings{}, &launch.Job{Image: []byte(endless), Kernel: "other"}, io.Discard)
	require.EqualError(t, err, `the module has no kernel "other"`)
}

func TestBadKnob(t *testing.T) {
	_, err := launch.Run(context.Background(), knobs.Settings{Policy: "magic"}, &launch.Job{Image: []byte(endless), Kernel: "loop"}, io.Discard)
	require.ErrorIs(t, err, driver.ErrInvalidValue)
	require.ErrorContains(t, err, `unknown value "magic": want nvidia`)
}
