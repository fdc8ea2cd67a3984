package mirror

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/foreign"
)

func TestReadStandin(t *testing.T) {
	s := readStandin("x.ptx", []byte(`
.version 1.4
.target sm_13
// .entry commented (.param .u32 x)
/* .entry out ( */
.visible .entry scale$1 (.param .u64 .ptr .global .align 4 in, .param .f32 factor,
	.param .align 16 .b8 box[24], .param .s16 n, .param .f64 d)
{ ret; }
.entry bare
{ exit; }
.func helper (.param .u32 a) { ret; }
`))
	require.Equal(t, map[string][]ptxParam{
		"scale$1": {{8, 8, true}, {4, 4, false}, {24, 16, false}, {2, 2, false}, {8, 8, false}},
		"bare":    {},
	}, s.kernels)
}

func TestReadStandins(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	list, err := readStandins("")
	require.NoError(t, err)
	require.Empty(t, list)
	_, err = readStandins(dir)
	require.EqualError(t, err, "stand-ins: there is no kernel in PTX in "+dir)
	_, err = readStandins(filepath.Join(dir, "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
	write("a.ptx", ".entry a () {}")
	write("b.ptx", ".entry b () {}")
	write("c.txt", ".entry c () {}")
	write("d.ptx", "no kernels")
	list, err = readStandins(dir)
	require.NoError(t, err)
	require.Len(t, list, 2)
	list, err = readStandins(filepath.Join(dir, "c.txt"))
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "c.txt"), list[0].name)
}

// words makes bytes of 32-bit words.
func words(w ...uint32) (b []byte) {
	for _, v := range w {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

func TestPack(t *testing.T) {
	declared := readStandin("", []byte(".entry k (.param .u64 p, .param .u32 n, .param .u64 q)")).kernels["k"]
	translate := func(a uint32) (foreign.Address, bool) {
		if a >= 0x20000000 && a < 0x20001000 {
			return 0x7f0000000000 + foreign.Address(a), true
		}
		return 0, false
	}
	for _, c := range []struct {
		name         string
		params, want []byte
	}{
		{"32-bit addresses", words(0x20000010, 7, 0x20000020), words(0x20000010, 0x7f00, 7, 0, 0x20000020, 0x7f00)},
		{"64-bit addresses", words(0x20000010, 0, 7, 99, 0x20000020, 0), words(0x20000010, 0x7f00, 7, 0, 0x20000020, 0x7f00)},
		{"numbers", words(5, 0, 7, 0, 0x20000020, 1), words(5, 0, 7, 0, 0x20000020, 1)},
	} {
		got, err := pack(declared, c.params, translate)
		require.NoError(t, err, c.name)
		require.Equal(t, c.want, got, c.name)
	}
	_, err := pack(declared, words(1, 2), translate)
	require.EqualError(t, err, "the program passes 8 bytes of parameters, and the stand-in has 24")
}
