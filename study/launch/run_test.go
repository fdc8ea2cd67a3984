package launch_test

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/events"
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

// A reason is that of the call that failed, not another line of the log.
func TestReason(t *testing.T) {
	_, err := launch.Run(context.Background(), knobs.Settings{Log: "info"}, &launch.Job{
		Image: []byte(endless), Kernel: "loop", Grid: [2]int{1, 1}, Block: [3]int{32, 1, 1}, Params: []launch.Param{{Name: "x", Value: make([]byte, 5000)}},
		Placed: true,
	}, io.Discard)
	require.EqualError(t, err, "cuLaunchKernel: CUDA_ERROR_INVALID_VALUE")
}

// A launch that is refused writes no file and replaces none. The summary tells of it.
func TestRefusedLeavesFiles(t *testing.T) {
	for name, files := range map[string]knobs.Settings{
		"trace": {Trace: "x"}, "statistics": {Stats: "x.json"}, "bundle": {Record: "x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			path := cmp.Or(files.Trace, files.Stats, files.Record)
			for _, before := range []string{"", "kept"} {
				if before != "" {
					require.NoError(t, os.WriteFile(path, []byte(before), 0o666))
				}
				files.Summary = "summary"
				told := 0
				var log bytes.Buffer
				_, err := launch.Run(context.Background(), files, &launch.Job{
					Image: []byte(endless), Kernel: "loop", Grid: [2]int{1, 1}, Block: [3]int{513, 1, 1},
					Launched: func(events.Launch) { told++ },
				}, &log)
				require.ErrorAs(t, err, new(*launch.NotBegunError))
				require.ErrorAs(t, err, new(*simt.LaunchError))
				require.ErrorIs(t, err, driver.ErrInvalidValue)
				require.Equal(t, 1, told)
				require.Equal(t, 1, strings.Count(log.String(), "refused"))
				after, _ := os.ReadFile(path)
				require.Equal(t, before, string(after))
			}
			list, err := os.ReadDir(".")
			require.NoError(t, err)
			require.Len(t, list, 2, "the file of before, and the summary")
		})
	}
}
