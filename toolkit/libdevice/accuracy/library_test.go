package accuracy_test

import (
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
	"jacquard/toolkit/libdevice"
	"jacquard/toolkit/libdevice/accuracy"
)

const bitcode = "../../../" + accuracy.Bitcode

// whole is the library with kernels for all functions, on sm_13.
var whole = sync.OnceValues(func() (*accuracy.Library, error) {
	m, err := accuracy.Compile(bitcode, tested())
	if err != nil {
		return nil, err
	}
	return accuracy.New(m, tesla.SM13)
})

// tested are all functions but nan and nanf, which take a text.
func tested() (all []libdevice.Function) {
	for _, f := range libdevice.Functions() {
		if f.Params[0] != "const char*" {
			all = append(all, f)
		}
	}
	return all
}

// library returns the library, or skips the test where clang or the bitcode is missing.
func library(t *testing.T) *accuracy.Library {
	t.Helper()
	l, err := whole()
	skipWithout(t, err)
	return l
}

func skipWithout(t *testing.T, err error) {
	t.Helper()
	var needs *accuracy.NeedsError
	if errors.As(err, &needs) {
		t.Skip(needs)
	}
	require.NoError(t, err)
}

// Functions are as exact as NVIDIA says that its own are, on some hundred arguments.
// "make accuracy" measures more of them.
func TestAccuracy(t *testing.T) {
	l := library(t)
	n := 300
	if testing.Short() {
		n = 60
	}
	for _, m := range accuracy.Measurements() {
		t.Run(m.Function.Name+" "+m.Where(), func(t *testing.T) {
			t.Parallel()
			r, err := l.Measure(&m, n, 7)
			require.NoError(t, err)
			if m.Why() != "" {
				bound, _ := m.Bound()
				require.Less(t, r.Worst, 1.5*bound, "%s", m.Row(r))
				return
			}
			require.True(t, m.Within(r.Worst), "%s", m.Row(r))
		})
	}
}

// Functions of float and of integers need no f64, which sm_10 has not.
func TestWithoutDouble(t *testing.T) {
	var functions []libdevice.Function
	for _, f := range tested() {
		if !usesDouble(&f) {
			functions = append(functions, f)
		}
	}
	require.Greater(t, len(functions), 200)
	m, err := accuracy.Compile(bitcode, functions)
	skipWithout(t, err)
	_, err = accuracy.New(m, tesla.SM10)
	require.NoError(t, err)
}

var everyRoot = flag.Bool("exhaustive", false, "try every argument of frsqrt_rn between 1 and 4")

// frsqrt_rn is correctly rounded: some arguments in a row from several places, or all.
func TestReciprocalRoot(t *testing.T) {
	l := library(t)
	f := function(t, "__nv_frsqrt_rn")
	const from, to, many = 0x3f800000, 0x40800000, 1 << 12
	step := uint32(many * 97)
	if *everyRoot {
		step = many
	}
	for base := uint32(from); base < to; base += step {
		var args []uint64
		for i := range uint32(many) {
			args = append(args, uint64(min(base+i, to)))
		}
		got, err := l.Run(f, args)
		require.NoError(t, err)
		for i, a := range args {
			x := float64(math.Float32frombits(uint32(a)))
			// The root of a double is far nearer than any float's reciprocal root is to a midpoint.
			require.Equal(t, math.Float32bits(float32(1/math.Sqrt(x))), uint32(got[i]), "%#x", a)
		}
	}
}

func function(t *testing.T, name string) *libdevice.Function {
	t.Helper()
	for _, f := range tested() {
		if f.Name == name {
			return &f
		}
	}
	t.Fatalf("no %s in the table", name)
	return nil
}

// rcp64h is near the reciprocal, and its lower word is 0.
func TestReciprocal(t *testing.T) {
	l := library(t)
	args := []uint64{math.Float64bits(3), math.Float64bits(-0x1.5p300), math.Float64bits(0x1.fp-100)}
	got, err := l.Run(function(t, "__nv_rcp64h"), args)
	require.NoError(t, err)
	for i, a := range args {
		require.Zero(t, uint32(got[i]))
		require.InDelta(t, 1, math.Float64frombits(a)*math.Float64frombits(got[i]), 0x1p-18)
	}
}

// No option of the user changes a result, whether it lets the compiler reorder sums or call
// functions instead of inlining them.
func TestOptions(t *testing.T) {
	plain := library(t)
	names := []string{"expf", "logf", "powf", "sinf", "atan2f", "tgammaf", "j0f", "erfcinvf",
		"log", "exp", "erfc", "cbrt"}
	var functions []libdevice.Function
	for _, name := range names {
		functions = append(functions, *function(t, "__nv_"+name))
	}
	for _, options := range [][]string{{"-O3", "-ffast-math"}, {"-O0"}} {
		m, err := accuracy.Compile(bitcode, functions, options...)
		require.NoError(t, err)
		l, err := accuracy.New(m, tesla.SM13)
		require.NoError(t, err)
		random := rand.New(rand.NewPCG(8, 9))
		for i := range functions {
			f := &functions[i]
			var args []uint64
			for range 256 {
				for _, p := range f.Params {
					args = append(args, positive(random, p))
				}
			}
			want, err := plain.Run(f, args)
			require.NoError(t, err)
			got, err := l.Run(f, args)
			require.NoError(t, err)
			require.Equal(t, want, got, "%s %v", f.Name, options)
		}
	}
}

// positive returns a positive number: -ffast-math may do without NaN.
func positive(random *rand.Rand, kind string) uint64 {
	x := math.Ldexp(1+random.Float64(), random.IntN(20)-19)
	if kind == "float" {
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}
