package cubintest_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/tesla"
)

// As in compilers' files, a kernel without textures has no record of them, and one with textures
// has it where its toolkit put it.
func TestTextureRecords(t *testing.T) {
	const images = 0x02
	params := []cubin.Param{{Size: 4}}
	img := &cubin.Image{
		Arch:     tesla.SM11,
		Samplers: []cubin.Sampler{{Name: "picture", Unit: -1}},
		Kernels: []cubin.Kernel{
			{Name: "plain", Shared: 20, Params: params, Code: []uint32{0xf0000001, 0xe0000001}},
			{Name: "textured", Shared: 20, Params: params, Code: []uint32{0xf0000001, 0xe0000001}, Textures: []cubin.Texture{{Sampler: 0, Unit: 0}}},
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
				payload := 0
				if records[0] == 4 {
					payload = int(binary.LittleEndian.Uint16(records[2:]))
				}
				records = records[4+payload:]
			}
			textured := len(k.Textures) > 0
			require.Equal(t, textured && !old, bytes.Contains(codes, []byte{images}), "%s, old %t", k.Name, old)
			require.Equal(t, textured && old, f.Section(".nv.images."+k.Name) != nil, "%s, old %t", k.Name, old)
		}
	}
}

// The file header belongs to an executable for NVIDIA's machine, in every class and layout.
func TestFileHeader(t *testing.T) {
	for _, o := range []cubintest.ELF{{}, {Wide: true}, {Old: true}, {Wide: true, Old: true}} {
		f, err := elf.NewFile(bytes.NewReader(o.Write(&cubin.Image{Arch: tesla.SM11})))
		require.NoError(t, err)
		want := elf.FileHeader{
			Class: elf.ELFCLASS32, Data: elf.ELFDATA2LSB, Version: elf.EV_CURRENT, OSABI: 0x33, ABIVersion: 2,
			ByteOrder: binary.LittleEndian, Type: elf.ET_EXEC, Machine: elf.EM_CUDA,
		}
		if o.Wide {
			want.Class = elf.ELFCLASS64
		}
		if o.Old {
			want.ABIVersion = 0
		}
		require.Equal(t, want, f.FileHeader, "%+v", o)
	}
}
