package machine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/simt/machine"
)

// An issue of a policy that mixes warps is one warp's if its lanes are of one home warp and, if warps
// are narrow, side by side.
func TestOneWarp(t *testing.T) {
	of := func(masks ...lane.Mask) *lane.Sel {
		s := &lane.Sel{Full: true}
		for w, m := range masks {
			s.Add(w, m)
		}
		return s
	}
	whole, mixed := machine.State{Lanes: lane.Width}, machine.State{Lanes: lane.Width, Mixed: true}
	narrow := machine.State{Lanes: 8, Mixed: true}
	for _, s := range []*machine.State{&whole, &mixed, &narrow} {
		require.False(t, s.OneWarp(&lane.Sel{}))
		require.False(t, s.OneWarp(of(1, 2)))
		require.True(t, s.OneWarp(of(0xa500)))
	}
	require.True(t, whole.OneWarp(of(0x8001)))
	require.True(t, mixed.OneWarp(of(0x8001)))
	require.False(t, narrow.OneWarp(of(0x180)))
}
