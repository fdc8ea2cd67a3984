package load_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

func TestFill(t *testing.T) {
	var banks [16][]byte
	banks[0] = []byte{1, 2}
	load.Fill(&banks, []cubin.Segment{
		{Bank: 1, Offset: 4, Bytes: 4, Init: []byte{5, 6}},
		{Bank: 1, Offset: 0, Bytes: 2, Init: []byte{3}},
		{Bank: 0, Offset: 1, Bytes: 2},
	})
	require.Equal(t, [16][]byte{{1, 2, 0}, {3, 0, 0, 0, 5, 6, 0, 0}}, banks)
}

func TestProgramNamesWhatNoDeviceHas(t *testing.T) {
	_, err := load.Program(tesla.SM10, &cubin.Kernel{Name: "k", Code: []uint32{0xf0000001, 0xe0000001}, Registers: 1000}, simt.Host{})
	require.Error(t, err)
}

// A kernel with a line table names the source of its instructions.
func TestKernelSource(t *testing.T) {
	k := load.Kernel(tesla.SM10, &cubin.Kernel{Name: "k", Code: []uint32{0xf0000001, 0xe0000001}})
	require.Nil(t, k.Source)
	require.Empty(t, k.SourceOf(0))
	k = load.Kernel(tesla.SM10, &cubin.Kernel{Name: "k", Code: make([]uint32, 8), Lines: []cubin.Line{{Offset: 8, File: "k.cu", Line: 3}}})
	require.Empty(t, k.SourceOf(0))
	require.Equal(t, "k.cu:3", k.SourceOf(16))
}

// Variables get memory, kernels and other variables their addresses.
func TestPlace(t *testing.T) {
	m := &cubin.Image{
		Constants: []cubin.Variable{{Name: "c", Offset: 4, Bytes: 8, Init: []byte{1}}},
		Globals: []cubin.Global{
			{Name: "a", Bytes: 8, Init: []byte{2}, Slots: []cubin.Slot{{Offset: 4, Addend: 1}}},
			{Name: "b"},
		},
		Pointers: []cubin.Pointer{{In: -1, Offset: 8, Of: 1}, {In: 0, Offset: 4, Of: 0}},
	}
	space := mem.NewSpace(1 << 20)
	d, err := load.Place(m, space, space.Alloc)
	require.NoError(t, err)
	a, b, c := d.Variables["a"], d.Variables["b"], d.Variables["c"]
	word := func(v uint32) []byte { return binary.LittleEndian.AppendUint32(nil, v) }
	require.Equal(t, append([]byte{1, 0, 0, 0}, word(b.Address)...), c.Bytes)
	require.Equal(t, append([]byte{2, 0, 0, 0}, word(a.Address)...), a.Bytes)
	require.Empty(t, b.Bytes)
	bank, err := space.Bytes(c.Address-4, 12)
	require.NoError(t, err)
	own := &cubin.Kernel{Segments: []cubin.Segment{{Bank: 1, Bytes: 1, Init: []byte{3}}}}
	require.Equal(t, [16][]byte{0: bank, 1: {3}, 14: append(word(0), word(a.Address+1)...)}, d.Const(own))

	_, err = load.Place(m, space, func(uint64) (uint32, error) { return space.Alloc(1 << 30) })
	require.ErrorAs(t, err, new(*mem.OutOfMemoryError))
}
