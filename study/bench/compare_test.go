package bench

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/study/bench/host"
)

// The C programs compute the results of the kernels, so their times are for the same work.
func TestSameWorkInC(t *testing.T) {
	rival, err := NewRival()
	require.NoError(t, err)
	if rival.Why != nil {
		t.Skip(rival.Why)
	}
	defer func() { require.NoError(t, rival.Close()) }()
	numbers := []string{"sfumix", "matmul", "saxpy", "nbody"}
	for _, w := range kernelWorkloads() {
		t.Run(w.Name, func(t *testing.T) {
			b, _ := launchOnce(t, &w)
			seconds, want, err := w.runOn(rival.host)
			require.NoError(t, err)
			for i, got := range b.buffers {
				far := differing(want[i], got, slices.Contains(numbers, w.Name))
				// mandelbrot's counts depend on the last bit in a few places: less than one of 200.
				if w.Name == "mandelbrot" {
					far = far * 200 / (len(got) / 4)
				}
				require.Zero(t, far, "buffer %d", i)
			}
			rival.seconds[w.Name] = seconds
			r := &Result{WarpInstructions: 1000, Seconds: 1}
			require.NoError(t, rival.Compare(&w, r))
			require.InEpsilon(t, 1e6, r.HostAdds*r.HostAddNS, 1e-9)
			require.InEpsilon(t, 1, r.Slowdown*r.CSeconds, 1e-9)
			require.Positive(t, r.HostMadNS)
			require.Positive(t, r.HostSFUNS)
		})
	}
	without := &Result{WarpInstructions: 1000, Seconds: 1}
	require.NoError(t, rival.Compare(&smallWorkloads()[0], without))
	require.Positive(t, without.HostAdds)
	require.Zero(t, without.Slowdown)
	before := maps.Clone(rival.ops)
	require.NoError(t, rival.Again())
	for name, o := range rival.ops {
		require.LessOrEqual(t, o.Fastest, before[name].Fastest, name)
		require.LessOrEqual(t, o.Plain, before[name].Plain, name)
	}
	for _, c := range Classes() {
		if c.host == "" {
			continue
		}
		require.Contains(t, rival.ops, c.host)
		for simd, ns := range map[string]float64{"off": rival.ops[c.host].Plain, "avx2": rival.ops[c.host].Fastest} {
			r := &Result{WarpInstructions: 1000, Seconds: 1, SIMD: simd}
			rival.CompareClass(&c, r)
			require.Equal(t, ns, r.HostNS)
			require.InEpsilon(t, 1e6, r.HostNS*r.HostOps, 1e-9)
		}
	}
}

// Settle corrects results that were compared with a disturbed host.
func TestSettle(t *testing.T) {
	v := &Rival{host: new(host.Host), ops: map[string]host.Operation{host.Add: {Fastest: 2, Plain: 8}}}
	r := &Result{WarpInstructions: 1000, Seconds: 1e-5, SIMD: "avx2"}
	c := &Class{host: host.Add}
	v.CompareClass(c, r)
	require.InEpsilon(t, 5, r.HostOps, 1e-9)
	v.ops[host.Add] = host.Operation{Fastest: 1, Plain: 4}
	v.Settle()
	require.InEpsilon(t, 10, r.HostOps, 1e-9)
	require.InEpsilon(t, 10, r.HostAdds, 1e-9)
	r.SIMD = "off"
	v.Settle()
	require.InEpsilon(t, 2.5, r.HostOps, 1e-9)
}

// Without a compiler there is nothing to compare with, and Why gives the reason.
func TestNoRival(t *testing.T) {
	t.Setenv("CC", "no-such-compiler")
	rival, err := NewRival()
	require.NoError(t, err)
	require.ErrorContains(t, rival.Why, "no C compiler")
	r := &Result{WarpInstructions: 1000, Seconds: 1}
	require.NoError(t, rival.Compare(&Workload{}, r))
	rival.CompareClass(&Class{}, r)
	require.Nil(t, r.Comparison)
	require.NoError(t, rival.Again())
	require.NoError(t, rival.Close())
}

// differing counts the words that differ. With numbers set, words are floats from arithmetic of
// another precision, and only large differences count.
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
