package driver

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
)

// kernelParams needs an image that records the sizes of parameters.
func TestArgumentsByValue(t *testing.T) {
	value := func(index, size int) []byte {
		b := make([]byte, size)
		for i := range b {
			b[i] = byte(16*index + i)
		}
		return b
	}
	f := &function{body: body{kernel: &cubin.Kernel{Params: []cubin.Param{{Offset: 0, Size: 4}, {Offset: 4, Size: 1}, {Offset: 8, Size: 2}}}}}
	require.NoError(t, f.setArguments(Arguments{Value: value}))
	require.Equal(t, []byte{0, 1, 2, 3, 16, 0, 0, 0, 32, 33}, f.params[:f.size])

	require.Equal(t, ErrInvalidValue, f.setArguments(Arguments{Value: func(int, int) []byte { return nil }}), "a value that cannot be had")
	f.kernel.Params = []cubin.Param{{Offset: 4094, Size: 4}}
	require.Equal(t, ErrInvalidImage, f.setArguments(Arguments{Value: value}))
	f.kernel.Params = []cubin.Param{}
	require.NoError(t, f.setArguments(Arguments{Value: value}), "no parameters")
	require.Zero(t, f.size)
}
