//go:build amd64 || 386

package lane

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWithPlainFloats(t *testing.T) {
	const flush, towardsZero = 0x8040, 0x6000 // denormals are zero, in and out
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer exchangeControl(exchangeControl(plainControl | flush | towardsZero))

	require.Zero(t, product(5e-324, 2), "the thread computes otherwise")
	WithPlainFloats(func() {
		require.NotZero(t, product(5e-324, 2))
		require.Equal(t, 1.0, product(1.0/3, 3), "towards zero it is less")
	})
	require.Panics(t, func() { WithPlainFloats(func() { panic("through") }) })
	require.EqualValues(t, plainControl|flush|towardsZero, exchangeControl(plainControl|flush|towardsZero)&^0x3f, "put back")
}

//go:noinline
func product(x, y float64) float64 { return x * y }
