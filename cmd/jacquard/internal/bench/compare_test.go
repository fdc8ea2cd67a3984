package bench

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cmd/jacquard/internal/host"
)

// The C programs do what the kernels do: what they are timed for is the same work.
func TestSameWorkInC(t *testing.T) {
	h, err := host.Build()
	if e := (*host.CompilerError)(nil); errors.As(err, &e) {
		t.Skip(e)
	}
	require.NoError(t, err)
	defer func() { require.NoError(t, h.Close()) }()
	for _, w := range Workloads() {
		t.Run(w.Name, func(t *testing.T) {
			b, _ := launchOnce(t, &w)
			_, want, err := w.runOn(h)
			require.NoError(t, err)
			for i, got := range b.buffers {
				far := differing(want[i], got, w.Name == "sfumix" || w.Name == "matmul" || w.Name == "saxpy")
				if w.Name == "mandelbrot" { // its counts hang on the last bit, in few places: less than one of 200
					far = far * 200 / (len(got) / 4)
				}
				require.Zero(t, far, "buffer %d", i)
			}
			r := &Result{WarpInstructions: 1000, Seconds: 1}
			c, err := w.Compare(h, 2, r)
			require.NoError(t, err)
			require.Equal(t, 500000.0, c.HostAdds)
			require.InEpsilon(t, 1, c.Slowdown*c.CSeconds, 1e-9)
		})
	}
}

// differing counts the words that differ, or, if they are numbers that arithmetic of another
// precision made, that differ by much.
func differing(want, got []byte, numbers bool) (far int) {
	for i := 0; i < len(want); i += 4 {
		a, b := binary.LittleEndian.Uint32(want[i:]), binary.LittleEndian.Uint32(got[i:])
		x, y := float64(math.Float32frombits(a)), float64(math.Float32frombits(b))
		if a != b && (!numbers || math.Abs(x-y) > 1e-4+1e-4*math.Abs(x)) {
			far++
		}
	}
	return far
}
