package load_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/simt"
	"jacquard/simt/load"
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
