package cubintest_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/cubin/cubintest"
	"jacquard/tesla"
)

// As in compilers' files, a kernel without textures has no record of them, and one with textures
// has it where its toolkit put it.
func TestTextureRecords(t *testing.T) {
	const images = 0x02
	img := &cubin.Image{
		Arch:     tesla.SM11,
		Samplers: []cubin.Sampler{{Name: "picture", Unit: -1}},
		Kernels: []cubin.Kernel{
			{Name: "plain", Shared: 16, Code: []uint32{0xf0000001, 0xe0000001}},
			{Name: "textured", Shared: 16, Code: []uint32{0xf0000001, 0xe0000001}, Textures: []cubin.Texture{{Sampler: 0, Unit: 0}}},
		},
	}
	for _, old := range []bool{false, true} {
		f, err := elf.NewFile(bytes.NewReader(cubintest.ELF{Old: old}.Write(img)))
		require.NoError(t, err)
		for _, k := range img.Kernels {
			records, err := f.Section(".nv.info." + k.Name).Data()
			require.NoError(t, err)
			var codes []byte
			for len(records) > 0 {
				codes = append(codes, records[1])
				records = records[4+binary.LittleEndian.Uint16(records[2:]):]
			}
			textured := len(k.Textures) > 0
			require.Equal(t, textured && !old, bytes.Contains(codes, []byte{images}), "%s, old %t", k.Name, old)
			require.Equal(t, textured && old, f.Section(".nv.images."+k.Name) != nil, "%s, old %t", k.Name, old)
		}
	}
}
