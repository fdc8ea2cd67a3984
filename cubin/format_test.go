package cubin

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestFormatGolden(t *testing.T) {
	const golden = "testdata/full.cubin"
	got := Format(fullImage())
	if *update {
		require.NoError(t, os.WriteFile(golden, got, 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

// requireRoundTrip requires that data parses and survives Format.
func requireRoundTrip(t *testing.T, data []byte) *Image {
	t.Helper()
	img, err := Parse(data)
	require.NoError(t, err)
	again, err := Parse(Format(img))
	require.NoError(t, err)
	require.Equal(t, img, again)
	return img
}

func TestFormatRoundTrip(t *testing.T) { requireRoundTrip(t, []byte(full)) }

func TestMesaKernels(t *testing.T) {
	files, err := filepath.Glob("../testdata/mesa-kernels/*/*.cubin")
	require.NoError(t, err)
	require.Len(t, files, 73)
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			img := requireRoundTrip(t, data)
			require.Equal(t, filepath.Base(file), img.Arch.String()+".cubin")
			require.Len(t, img.Kernels, 1)
		})
	}
}

// TestCorpus reads the third-party cubins, which are not part of the repository.
func TestCorpus(t *testing.T) {
	const corpus = "../../shared/corpus"
	files, err := filepath.Glob(corpus + "/*/*/*.cubin")
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("no third-party cubins beside the repository, in ../shared/corpus")
	}
	require.Len(t, files, 57)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Len(t, requireRoundTrip(t, data).Kernels, 1)
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(full))
	f.Add([]byte("architecture {sm_10} code{name=k bincode{0x1 0000000000}}\x00"))
	f.Add([]byte("consts { name = c segname = const segnum = 0 offset = 0 bytes = 5 mem { 1 2 } }\r\narchitecture {sm_12}"))
	f.Add([]byte("\x7fELF"))
	f.Fuzz(func(t *testing.T, data []byte) {
		img, err := Parse(data)
		if err != nil {
			require.Nil(t, img)
			return
		}
		again, err := Parse(Format(img))
		require.NoError(t, err)
		require.Equal(t, img, again)
	})
}

// A texture unit has the reference that the module gives it, or the kernel's own.
func TestUnitsOfModule(t *testing.T) {
	m := &Image{Samplers: []Sampler{{Unit: 0}, {Unit: -1}, {Unit: 3}}}
	require.Equal(t, []int{0, -1, -1, 2}, m.Units(&Kernel{}))
	require.Equal(t, []int{1, -1, 1, 2}, m.Units(&Kernel{Textures: []Texture{{Unit: 2, Sampler: 1}, {Unit: 0, Sampler: 1}}}))
}
