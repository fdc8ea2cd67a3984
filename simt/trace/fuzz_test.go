package trace_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/maze"
	"jacquard/simt/mutate"
	"jacquard/simt/trace"
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
	} {
		var out bytes.Buffer
		r, err := trace.NewRecorder(&out, c.o, nil)
		require.NoError(t, err)
		for _, m := range c.mazes {
			_, err := watch(r, maze.New(m), c.policy, nobody{})
			require.NoError(t, err)
		}
		require.NoError(t, r.Close())
		list = append(list, trace.Unpack(out.Bytes()))
	}
	return list
}

// mostWork is enough for every seed, and little enough for many of them.
const mostWork = 1 << 18

// readEverything reads a file as all tools do. What goes wrong is a *FormatError or a *LimitError.
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
	if len(data)%8 == 0 { // takes as long as all the rest
		check(f.Copy(io.Discard, &trace.Filter{}, trace.Values{Registers: true}))
	}
}

// change changes a trace that was taken apart, and puts it together again.
func change(r *rand.Rand, plain []byte) []byte {
	if r.IntN(2) == 0 {
		plain = describe(r, plain)
	}
	return trace.Pack(mutate.Bytes(r, plain), r.IntN(2) == 0)
}

// describe changes a number in the description of a kernel or launch.
func describe(r *rand.Rand, plain []byte) []byte {
	var at []int
	for i := 1; i < len(plain)-1; i++ {
		if digit(plain[i]) && bytes.IndexByte([]byte(":[,"), plain[i-1]) >= 0 {
			at = append(at, i)
		}
	}
	from := at[r.IntN(len(at))]
	to := from
	for digit(plain[to]) {
		to++
	}
	number := []byte{'0' + byte(r.IntN(10))}
	if r.IntN(2) == 0 {
		number = []byte("-1")
	} else if r.IntN(2) == 0 {
		number = []byte("1000000000")
	}
	return bytes.Join([][]byte{plain[:from], number, plain[to:]}, nil)
}

func digit(b byte) bool { return b >= '0' && b <= '9' }

func TestMutations(t *testing.T) {
	mutate.Run(t, "FuzzFile", seeds(t), change, func(data []byte) { readEverything(t, data) })
}

// FuzzFile reads files of any content, as they are and with checksums that are right. They are
// small.
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

// What Unpack takes apart, Pack puts together.
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
