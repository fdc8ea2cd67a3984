package branch

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
)

// naiveFrames is one stack per lane; lanes share no frames.
type naiveFrames [lane.Width][]frame

func (n *naiveFrames) push(m lane.Mask, add frame) {
	for l := range n {
		if m>>l&1 != 0 {
			n[l] = append(n[l], add)
		}
	}
}

// pop takes the innermost frame of its kind from lane l; a return also takes the frames above it.
func (n *naiveFrames) pop(l int, call bool) (uint32, bool) {
	for i := len(n[l]) - 1; i >= 0; i-- {
		if f := n[l][i]; f.call == call {
			n[l] = n[l][:i]
			return f.pc, true
		} else if f.call {
			break
		}
	}
	return 0, false
}

func TestFramesBelongToLanes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		var f frames
		var n naiveFrames
		for range 100 {
			m := lane.Mask(r.Uint32() & r.Uint32() & (1<<r.IntN(33) - 1))
			switch r.IntN(4) {
			case 0, 1:
				add := frame{uint32(8 * r.IntN(4)), r.IntN(3) == 0}
				n.push(m, add)
				require.NoError(t, f.push(m, add))
			case 2:
				for l := range n { // only lanes with a frame to break to
					if s := n[l]; len(s) == 0 || s[len(s)-1].call {
						m &^= 1 << l
					}
				}
				to, err := f.breaks(m)
				require.NoError(t, err)
				checkWent(t, &n, m, false, to, 0)
			case 3:
				to, outside := f.returns(m)
				checkWent(t, &n, m, true, to, outside)
			}
			for l := range n {
				calls := 0
				for _, x := range n[l] {
					calls += int(flag(x.call))
				}
				require.EqualValues(t, calls, f.calls[l])
			}
		}
	}
}

func checkWent(t *testing.T, n *naiveFrames, m lane.Mask, call bool, to []path, outside lane.Mask) {
	t.Helper()
	last := -1
	for _, p := range to {
		require.Greater(t, first(p.mask), last, "paths are in the order of their lowest lanes")
		last = first(p.mask)
	}
	for ; m != 0; m &= m - 1 {
		l := first(m)
		pc, ok := n.pop(l, call)
		require.Equal(t, !ok, outside>>l&1 != 0)
		for _, p := range to {
			require.Equal(t, ok && p.pc == pc, p.mask>>l&1 != 0, "lane %d went to 0x%x of %v", l, pc, to)
		}
	}
}

func TestFramesLimit(t *testing.T) {
	var f frames
	for i := range stackLimit {
		require.NoError(t, f.push(1, frame{uint32(8 * i), false}))
		require.NoError(t, f.push(2, frame{uint32(8 * i), true}))
	}
	require.NoError(t, f.push(4, frame{}))
	require.EqualError(t, f.push(6, frame{}), "control stack overflow: lane 1 holds more than 1024 call and break addresses")
	_, err := f.breaks(2)
	require.EqualError(t, err, "control stack underflow: break out of a loop that was never announced")
	_, err = f.breaks(8)
	require.Error(t, err)
}
