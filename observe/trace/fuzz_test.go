package trace_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/maze"
	"jacquard/internal/test/mutate"
	"jacquard/observe/trace"
)

// seeds are small traces of different kinds, taken apart.
func seeds(t testing.TB) (list [][]byte) {
	all := trace.Values{Registers: true, Addresses: true, Data: true}
	for _, c := range []struct {
		mazes  []uint64
		policy string
		o      trace.Options
	}{
		{[]uint64{0}, "", trace.Options{Filter: trace.Filter{First: 20}}},
		{[]uint64{1}, "", trace.Options{Values: all, Filter: trace.Filter{First: 40}}},
		{[]uint64{2, 3}, "", trace.Options{Values: trace.Values{Addresses: true}, Filter: trace.Filter{First: 200}}},
		{[]uint64{3}, "tbc", trace.Options{Values: all, Filter: trace.Filter{First: 100}}},
		{[]uint64{3}, "barrier", trace.Options{Values: trace.Values{States: true}, Filter: trace.Filter{First: 100}}},
		{[]uint64{2}, "dwf", trace.Options{Values: trace.Values{States: true}, Filter: trace.Filter{First: 60}}},
	} {
		var out bytes.Buffer
		r, err := trace.NewRecorder(&out, c.o, nil)
		require.NoError(t, err)
		for i, m := range c.mazes {
			_, err := watch(r, i, maze.New(m), c.policy, idle{})
			require.NoError(t, err)
		}
		require.NoError(t, r.Close())
		list = append(list, trace.Unpack(out.Bytes()))
	}
	return list
}

// mostWork suffices for every seed, and keeps many runs short.
const mostWork = 1 << 18

// readEverything reads a file as every tool does. Every error is a *FormatError or a *LimitError.
func readEverything(t testing.TB, data []byte) {
	f, err := trace.NewFile(bytes.NewReader(data), int64(len(data)))
	check := func(err error) {
		var bad *trace.FormatError
		var limit *trace.LimitError
		if err != nil && !errors.As(err, &bad) && !errors.As(err, &limit) {
			t.Errorf("neither a *FormatError nor a *LimitError: %v", err)
		}
	}
	if err != nil {
		check(err)
		return
	}
	defer f.Close()
	f.MostWork = mostWork
	f.SetHeld(1 << 12)
	for _, filter := range []*trace.Filter{{}, {Warps: []trace.Range{{First: 1, Last: 2}}, PCs: []trace.Range{{First: 8, Last: 64}}}} {
		for s, err := range f.Steps(filter) {
			if check(err); err != nil {
				break
			}
			l := f.Launch(s.Launch)
			require.Less(t, s.Block, l.Grid[0]*l.Grid[1])
			_ = l.Kernel.Code[s.Index]
		}
	}
	if len(data)%8 == 0 { // as slow as all the rest
		check(f.Copy(io.Discard, &trace.Filter{}, trace.Values{Registers: true}))
	}
}

// change changes an unpacked trace and packs it again.
func change(r *rand.Rand, plain []byte) []byte {
	switch r.IntN(3) {
	case 0:
		plain = redescribe(r, plain)
	case 1:
		plain = mutate.Bytes(r, redescribe(r, plain))
	default:
		plain = mutate.Bytes(r, plain)
	}
	return trace.Pack(plain, r.IntN(2) == 0)
}

// redescribe changes the descriptions of kernels and launches and corrects the lengths before them.
func redescribe(r *rand.Rand, plain []byte) []byte {
	const header, issues = 64, 3
	var frames [][]byte
	for rest := plain; len(rest) > 0; {
		n := header + 8 + binary.LittleEndian.Uint32(rest[header:]) + binary.LittleEndian.Uint32(rest[header+4:])
		frames = append(frames, rest[:n])
		rest = rest[n:]
	}
	for range 1 + r.IntN(3) {
		i := r.IntN(len(frames))
		if f := frames[i]; f[4] < issues {
			text := mutate.JSON(r, f[header+8:])
			frames[i] = append(binary.LittleEndian.AppendUint32(bytes.Clone(f[:header+4]), uint32(len(text))), text...)
		}
	}
	return bytes.Join(frames, nil)
}

func TestMutations(t *testing.T) {
	mutate.Run(t, "FuzzFile", seeds(t), change, func(data []byte) { readEverything(t, data) })
}

// FuzzFile reads small files of any content, as they are and with corrected checksums.
func FuzzFile(f *testing.F) {
	for _, plain := range seeds(f) {
		data := trace.Pack(plain, true)
		f.Add(data)
		f.Add(plain)
		f.Add(data[:len(data)/2])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<12 {
			return
		}
		readEverything(t, data)
		readEverything(t, trace.Pack(data, false))
		readEverything(t, trace.Pack(data, true))
	})
}

// Pack is the inverse of Unpack.
func TestPack(t *testing.T) {
	for _, plain := range seeds(t) {
		for _, indexed := range []bool{false, true} {
			data := trace.Pack(plain, indexed)
			if !indexed {
				require.Equal(t, plain, trace.Unpack(data))
			}
			n, f, err := readAll(data)
			require.NoError(t, err)
			require.Nil(t, f.Damage)
			require.Positive(t, n)
		}
	}
}
