package main_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
)

// TestContainers loads modules that a program holds in memory, in every container.
func TestContainers(t *testing.T) {
	data, err := os.ReadFile(vecadd)
	require.NoError(t, err)
	img, err := cubin.Parse(data)
	require.NoError(t, err)
	img.Kernel("vecadd").Params = []cubin.Param{{Offset: 0, Size: 4}, {Offset: 4, Size: 4}, {Offset: 8, Size: 4}, {Offset: 12, Size: 4}}
	elf := cubintest.ELF{Wide: true}.Write(img)
	flat := cubintest.Flat(cubintest.CUDA5,
		cubintest.Entry{Container: cubin.PTX, Arch: 20, Data: []byte(".version 2.0")},
		cubintest.Entry{Container: cubin.ELF, Arch: 10, Compression: cubin.Zlib, Data: elf})
	dir := t.TempDir()
	for name, data := range map[string][]byte{"elf": elf, "flat": flat} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
	requirePassed(t, nil, compile(t, "containers.c"), vecadd, filepath.Join(dir, "elf"), filepath.Join(dir, "flat"))
}
