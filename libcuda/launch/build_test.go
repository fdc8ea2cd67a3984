package launch

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/tesla"
)

// The board for an architecture has that architecture.
func TestBoards(t *testing.T) {
	for _, a := range tesla.Archs {
		th := driver.New(driver.Config{Settings: knobs.Settings{Device: boards[a]}}).Thread(1)
		require.NoError(t, th.Init(0))
		major, minor, err := th.DeviceComputeCapability(0)
		require.NoError(t, err)
		require.Equal(t, [2]int{1, int(a)}, [2]int{major, minor})
	}
}
