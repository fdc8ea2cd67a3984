package mirror

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/foreign"
)

// A device that the other driver has no match for is played by its first.
func TestDevice(t *testing.T) {
	m := &Mirror{devices: []foreign.Device{{Name: "first"}, {Name: "second"}}}
	for ours, want := range map[driver.Device]string{0: "first", 1: "second", 2: "first", 3: "first"} {
		require.Equal(t, want, m.device(ours).Name, ours)
	}
}

func TestRelease(t *testing.T) {
	for version, want := range map[int]string{4000: "4.0", 6050: "6.5", 10020: "10.2", 12080: "12.8"} {
		require.Equal(t, want, release(version))
	}
}
