package kernels

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

const memoryBytes = 1 << 24

// program lowers a kernel for a device.
func program(t *testing.T, img *cubin.Image, name string, device tesla.Arch) *simt.Program {
	t.Helper()
	k := img.Kernel(name)
	require.NotNil(t, k)
	p, err := load.Program(device, k, simt.Host{})
	require.NoError(t, err)
	return p
}

// banks returns the constant banks of a kernel, filled from the module file. Bank 14 stays empty:
// no kernel here has __device__ variables.
func banks(t *testing.T, img *cubin.Image, name string) [16][]byte {
	t.Helper()
	require.Empty(t, img.Globals)
	var banks [16][]byte
	load.Constants(&banks, img)
	load.Fill(&banks, img.Kernel(name).Segments)
	return banks
}

// allocate copies content to new device memory.
func allocate(t *testing.T, space *mem.Space, content []byte) uint32 {
	t.Helper()
	at, err := space.Alloc(uint64(len(content)))
	require.NoError(t, err)
	copy(contents(t, space, at, len(content)), content)
	return at
}

// contents returns n bytes of device memory, shared with it.
func contents(t *testing.T, space *mem.Space, at uint32, n int) []byte {
	t.Helper()
	b, err := space.Bytes(at, uint64(n))
	require.NoError(t, err)
	return b
}

func toBytes(words []uint32) []byte {
	b := make([]byte, 0, 4*len(words))
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

func toWords(b []byte) []uint32 {
	words := make([]uint32, len(b)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return words
}
