package host_test

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/fpu"
	"jacquard/sfu"
	"jacquard/study/bench/host"
)

// build compiles the program; without a C compiler it skips the test.
func build(t *testing.T) *host.Host {
	t.Helper()
	h, err := host.Build()
	if e := (*host.CompilerError)(nil); errors.As(err, &e) {
		t.Skip(e)
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	return h
}

func TestOperations(t *testing.T) {
	ops, err := build(t).Operations(2)
	require.NoError(t, err)
	require.Equal(t, "add", ops[0].Name)
	for _, op := range ops {
		require.Positive(t, op.Fastest, op.Name)
		require.Positive(t, op.Plain, op.Name)
	}
}

// The timed operations are the simulated machine's arithmetic, bit-exact.
func TestOperationsAreExact(t *testing.T) {
	h := build(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	// a normal f32, for which the host's own add and multiply are exact
	number := func() uint32 {
		return rnd.Uint32()&0x807fffff | (100+rnd.Uint32N(50))<<23
	}
	anything := func() uint32 {
		switch rnd.IntN(4) {
		case 0:
			return rnd.Uint32() & 0x80000001
		case 1:
			return rnd.Uint32()&0x807fffff | [...]uint32{0, 1, 126, 254, 255}[rnd.IntN(5)]<<23
		}
		return rnd.Uint32()
	}
	word := func(f func(a, b, c uint32) uint32) func(s *[6]fpu.Row, i int) (lo, hi uint32) {
		return func(s *[6]fpu.Row, i int) (lo, hi uint32) { return f(s[0][i], s[1][i], s[2][i]), 0 }
	}
	for _, op := range []struct {
		name  string
		input func() uint32
		want  func(s *[6]fpu.Row, i int) (lo, hi uint32)
	}{
		{"copy", anything, word(func(a, b, c uint32) uint32 { return a })},
		{"add", anything, word(func(a, b, c uint32) uint32 { return a + b })},
		{"mul24", anything, word(func(a, b, c uint32) uint32 { return (a & 0xffffff) * (b & 0xffffff) })},
		{"mad24", anything, word(func(a, b, c uint32) uint32 { return (a&0xffffff)*(b&0xffffff) + c })},
		{"and", anything, word(func(a, b, c uint32) uint32 { return a & b })},
		{"shl", func() uint32 { return rnd.Uint32() >> rnd.IntN(32) }, word(func(a, b, c uint32) uint32 { return a << b })},
		{"itof", anything, word(func(a, b, c uint32) uint32 { return math.Float32bits(float32(int32(a))) })},
		{"ftoi", anything, word(func(a, b, c uint32) uint32 {
			toInt := fpu.Conversion{To: fpu.S32, From: fpu.F32, Round: fpu.RN}
			r, _ := toInt.Do(uint64(a))
			return uint32(r)
		})},
		{"fadd", number, word(func(a, b, c uint32) uint32 { return fpu.Add(a, b, fpu.RN) })},
		{"fmul", number, word(func(a, b, c uint32) uint32 { return fpu.Mul(a, b, fpu.RN) })},
		{"fmad", anything, word(fpu.Mad)},
		{"rcp", anything, word(func(a, b, c uint32) uint32 { return sfu.Rcp(a) })},
		{"dadd", number, func(s *[6]fpu.Row, i int) (lo, hi uint32) {
			r := fpu.Add64(uint64(s[1][i])<<32|uint64(s[0][i]), uint64(s[3][i])<<32|uint64(s[2][i]), fpu.RN)
			return uint32(r), uint32(r >> 32)
		}},
		{"dfma", number, func(s *[6]fpu.Row, i int) (lo, hi uint32) {
			wide := func(k int) uint64 { return uint64(s[k+1][i])<<32 | uint64(s[k][i]) }
			r := fpu.Fma64(wide(0), wide(2), wide(4), fpu.RN)
			return uint32(r), uint32(r >> 32)
		}},
	} {
		t.Run(op.name, func(t *testing.T) {
			for range 6 {
				var s [6]fpu.Row
				for k := range s {
					for i := range s[k] {
						s[k][i] = op.input()
					}
				}
				got, err := h.Do(op.name, &s)
				require.NoError(t, err)
				for i := range got[0] {
					lo, hi := op.want(&s, i)
					require.Equal(t, [2]uint32{lo, hi}, [2]uint32{got[0][i], got[1][i]}, "of %08x %08x %08x", s[0][i], s[1][i], s[2][i])
				}
			}
		})
	}
	_, err := h.Do("frob", new([6]fpu.Row))
	require.ErrorContains(t, err, "no such operation")
}

func TestRun(t *testing.T) {
	words := func(w ...uint32) (b []byte) {
		for _, x := range w {
			b = binary.LittleEndian.AppendUint32(b, x)
		}
		return b
	}
	seconds, after, err := build(t).Run("collatz", [][]byte{words(1, 2, 3, 27), make([]byte, 16)}, []uint32{4})
	require.NoError(t, err)
	require.GreaterOrEqual(t, seconds, 0.0)
	require.Equal(t, words(1, 2, 3, 27), after[0])
	require.Equal(t, words(0, 1, 7, 111), after[1])
}

func TestRunErrors(t *testing.T) {
	h := build(t)
	_, _, err := h.Run("frob", nil, nil)
	require.EqualError(t, err, "frob on the host: exit status 2: host: no such kernel, or not its parameters")
	_, _, err = h.Run("collatz", [][]byte{{}}, nil)
	require.ErrorContains(t, err, "exit status 2")
}

func TestNoCompiler(t *testing.T) {
	t.Setenv("CC", "no-such-compiler")
	_, err := host.Build()
	require.ErrorContains(t, err, "no C compiler to compare the host with (no-such-compiler -O")
	require.ErrorContains(t, err, "): install one, or name it in CC")
}

func TestCompilerFails(t *testing.T) {
	t.Setenv("CC", "false")
	_, err := host.Build()
	require.ErrorContains(t, err, "exit status 1")
}
