package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"jacquard/cmd/jacquard/internal/bench"
	"jacquard/libcuda/driver"
	"jacquard/tesla"
)

// The figures are not checked: they depend on the machine. That they come from real
// launches is bench's test.
func TestBench(t *testing.T) {
	todo, err := chosen([]string{"vecadd", "saxpy"})
	require.NoError(t, err)
	var out bytes.Buffer
	c := &cobra.Command{}
	c.SetOut(&out)
	c.SetErr(&out)
	require.NoError(t, runBench(c, todo, "off", time.Millisecond, true))
	for _, name := range []string{"vecadd", "saxpy"} {
		line, rest, _ := strings.Cut(out.String(), "\n")
		var r bench.Result
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		require.Equal(t, name, r.Kernel)
		out.Reset()
		out.WriteString(rest)
	}
	require.Empty(t, out.String())

	require.NoError(t, runBench(c, todo, "off", time.Millisecond, false))
	lines := strings.Split(out.String(), "\n")
	require.Contains(t, lines[0], "M warp instr/s")
	require.Contains(t, lines[1], "vecadd")
	require.Contains(t, lines[2], "saxpy")
	require.Equal(t, "simd off, 1 worker, statistics on, median launch", lines[3])
	require.Contains(t, lines[4], "host", "what it is compared with, or why not")
}

// Each board runs builds for its target, and is not of a later one.
func TestBoards(t *testing.T) {
	for _, a := range tesla.Archs {
		th := driver.New(driver.Config{Settings: driver.Settings{Device: boards[a]}}).Thread(1)
		require.NoError(t, th.Init(0))
		major, minor, err := th.DeviceComputeCapability(0)
		require.NoError(t, err)
		require.Equal(t, [2]int{1, int(a)}, [2]int{major, minor})
	}
}
