package replay

import (
	"encoding/binary"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/bundle"
)

// vecaddLaunch is a launch of vecadd on three buffers with n threads, and memory beside them.
func vecaddLaunch(t *testing.T, n uint32, more ...*bundle.Object) *bundle.Launch {
	t.Helper()
	image, err := os.ReadFile("../../testdata/mesa-kernels/vecadd/sm_10.cubin")
	require.NoError(t, err)
	l := &bundle.Launch{
		Kernel: &bundle.Kernel{Module: &bundle.Module{Image: image, Arch: "sm_10"}, Name: "vecadd"}, Arch: "sm_10",
		Grid: [2]int{1, 1}, Block: [3]int{64, 1, 1}, Outcome: bundle.Outcome{Result: bundle.Success}, Memory: more,
	}
	for i, at := range []uint32{0x1000, 0x3000, 0x5000} {
		content := make([]byte, 256)
		for k := range content {
			content[k] = byte(k*i) & 0x3f
		}
		l.Memory = append(l.Memory, &bundle.Object{Kind: bundle.Allocation, Address: at, Bytes: content})
		l.Params = binary.LittleEndian.AppendUint32(l.Params, at)
	}
	l.Params = binary.LittleEndian.AppendUint32(l.Params, n)
	return l
}

func newFinder() *finder {
	return &finder{new(Engine), map[*bundle.Kernel]*pointers{}}
}

func TestFind(t *testing.T) {
	three := map[int]bool{0: true, 4: true, 8: true}
	for _, c := range []struct {
		name string
		n    uint32
	}{
		{"a number", 64},
		// More than the number of threads, moved or not.
		{"a number that looks like an address", 0x1010},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, after, err := newFinder().find(vecaddLaunch(t, c.n))
			require.NoError(t, err)
			require.Equal(t, &pointers{params: three}, p)
			require.Empty(t, after)
		})
	}
	t.Run("contents that look like addresses", func(t *testing.T) {
		l := vecaddLaunch(t, 64, &bundle.Object{Kind: bundle.Allocation, Address: 0x9000, Bytes: []byte{0, 0x10, 0, 0, 0, 0x30, 0, 0}})
		p, after, err := newFinder().find(l)
		require.NoError(t, err)
		require.Equal(t, &pointers{params: three}, p)
		require.Empty(t, after)
	})
	t.Run("a fault", func(t *testing.T) {
		l := vecaddLaunch(t, 64)
		l.Params[9] = 0xff
		_, _, err := newFinder().find(l)
		require.ErrorContains(t, err, "it fails on the simulator: CUDA_ERROR_ILLEGAL_ADDRESS (")
	})
}

// chase is a kernel that loads an address from the address in its parameter, adds 4, and stores the
// sum there: memory holds addresses before and after.
const chase = `architecture {sm_10} abiversion {1} modname {m} code { name = chase lmem = 0 smem = 20 reg = 4 bar = 0 bincode { CODE } }`

func TestAddressesInMemory(t *testing.T) {
	words := func(w ...uint32) (b []byte) {
		for _, v := range w {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
		return b
	}
	l := &bundle.Launch{
		Kernel: &bundle.Kernel{Module: &bundle.Module{Image: assemble(t, chase, chaseCode()), Arch: "sm_10"}, Name: "chase"}, Arch: "sm_10",
		Grid: [2]int{1, 1}, Block: [3]int{1, 1, 1}, Outcome: bundle.Outcome{Result: bundle.Success},
		Params: words(0x3000),
		Memory: []*bundle.Object{
			{Kind: bundle.Allocation, Address: 0x1000, Bytes: words(0, 0, 0)},
			{Kind: bundle.Allocation, Address: 0x3000, Bytes: words(0x1004, 7)},
		},
	}
	p, after, err := newFinder().find(l)
	require.NoError(t, err)
	require.Equal(t, &pointers{params: map[int]bool{0: true}, memory: true}, p)
	require.Equal(t, places{l.Memory[0]: {4}, l.Memory[1]: {0}}, after)
}

func TestSubsets(t *testing.T) {
	require.Equal(t, []map[int]bool{{4: true, 8: true}, {4: true}, {8: true}, {}}, subsets([]int{4, 8}))
	require.Equal(t, []map[int]bool{{}}, subsets(nil))
	require.Len(t, subsets(make([]int, 6)), 1)
}
