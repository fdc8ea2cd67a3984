package load_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
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
	_, err := load.Program(tesla.SM10, &cubin.Kernel{Name: "k", Code: []uint32{0xf0000001, 0xe0000001}, Registers: 1000}, "")
	require.Error(t, err)
}
