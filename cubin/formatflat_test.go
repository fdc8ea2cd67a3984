package cubin_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/tesla"
)

// requireEntries requires that a written container holds entries, with zeros at their ends.
func requireEntries(t *testing.T, want []cubin.Entry, container []byte) {
	t.Helper()
	got, err := cubin.Read(container)
	require.NoError(t, err)
	require.Equal(t, len(container), got.Size)
	require.Len(t, got.Entries, len(want))
	for i := range want {
		w, g := &want[i], &got.Entries[i]
		require.Equal(t, []any{w.Container, w.Arch, w.Source, cubin.Stored}, []any{g.Container, g.Arch, g.Source, g.Compression})
		data, err := w.Data()
		require.NoError(t, err)
		stored, err := g.Data()
		require.NoError(t, err)
		require.Zero(t, len(stored)%8)
		require.True(t, bytes.HasPrefix(stored, data))
		require.Empty(t, bytes.Trim(stored[len(data):], "\x00"))
		require.Less(t, len(stored)-len(data), 9)
	}
}

func TestFormatFatBinary(t *testing.T) {
	for name, entries := range map[string][]cubintest.Entry{
		"nothing": nil, "ELF and PTX": elfs(), "texts": texts(),
		"compressed": {{Container: cubin.PTX, Arch: 20, Compression: cubin.Zlib, Data: []byte(ptx)}},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := cubin.Read(cubintest.Flat(cubintest.CUDA5, entries...))
			require.NoError(t, err)
			container, err := cubin.FormatFatBinary(c.Entries)
			require.NoError(t, err)
			requireEntries(t, c.Entries, container)
		})
	}
}

// The driver takes the written file: the kernel's name says which entry was taken.
func TestFormattedFatBinarySelects(t *testing.T) {
	c, err := cubin.Read(cubintest.Flat(cubintest.CUDA5, elfs()...))
	require.NoError(t, err)
	container, err := cubin.FormatFatBinary(c.Entries)
	require.NoError(t, err)
	img, err := cubin.Parse(container)
	require.NoError(t, err)
	require.NotNil(t, img.Kernel("twelve"))
}

func TestFormatFatBinaryErrors(t *testing.T) {
	unknown, err := cubin.Read(cubintest.Flat(cubintest.CUDA5, cubintest.Entry{Container: cubin.Unknown, Arch: 20}))
	require.NoError(t, err)
	for want, e := range map[string]cubin.Entry{
		"fat binary at 0x10: unknown data is no entry":        unknown.Entries[0],
		"fat binary at 0x10: PTX for an unknown architecture": cubin.PTXEntry([]byte(".version 1.4")),
		"fat binary at 0x10: empty data is no entry":          {Container: cubin.Empty, Arch: 10},
		"fat binary at 0x10: ELF cubin for sm_" + "-1":        {Container: cubin.ELF, Arch: -1},
	} {
		_, err := cubin.FormatFatBinary([]cubin.Entry{e})
		require.EqualError(t, err, want)
		require.IsType(t, &cubin.FatBinaryError{}, err)
	}
}

// Whatever can be read is written so that it is read again, unless it has no place in a container.
func FuzzFormatFatBinary(f *testing.F) {
	f.Add(cubintest.Flat(cubintest.CUDA5, elfs()...))
	f.Add(cubintest.Flat(cubintest.CUDA4, texts()...))
	f.Add([]byte(ptx))
	f.Add(cubintest.ELF{Wide: true}.Write(small(tesla.SM13, "k")))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := cubin.Read(data)
		if err != nil {
			return
		}
		container, err := cubin.FormatFatBinary(c.Entries)
		if err != nil {
			return
		}
		requireEntries(t, c.Entries, container)
	})
}
