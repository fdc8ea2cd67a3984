package mirror

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
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
		"scale$1": {
			{size: 8, align: 8, wide: true}, {size: 4, align: 4, float: true}, {size: 24, align: 16}, {size: 2, align: 2}, {size: 8, align: 8, float: true},
		},
		"bare": {},
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
	// 0x20000000 is 0x100000 there, 0x20002000 is 0x7f0000000000.
	c := apart(0x100000, 0x7f0000000000)
	for _, k := range []struct {
		name, declared string
		params, want   []byte
	}{
		{"32-bit addresses", ".u64 p, .param .u32 n, .param .u64 q", words(0x20002010, 7, 0x20000020), words(0x10, 0x7f00, 7, 0, 0x100020, 0)},
		{"64-bit addresses", ".u64 p, .param .u32 n, .param .u64 q", words(0x20002010, 0, 7, 99, 0x20000020, 0), words(0x10, 0x7f00, 7, 0, 0x100020, 0)},
		{"numbers", ".u64 p, .param .u32 n, .param .u64 q", words(5, 0, 0x20000000, 0, 0x20002020, 1), words(5, 0, 0x20000000, 0, 0x20002020, 1)},
		{"floating point", ".f32 x, .param .f64 y", words(0x20000010, 0, 0x20002010, 0), words(0x20000010, 0, 0x20002010, 0)},
		{"within a structure", ".align 8 .b8 box[16]", words(7, 8, 0x20002010, 0), words(7, 8, 0x10, 0x7f00)},
		{"low addresses in 32 bits", ".u32 p", words(0x20000020), words(0x100020)},
	} {
		got, err := pack(readStandin("", []byte(".entry k (.param "+k.declared+")")).kernels["k"], k.params, c.buffers.Translate)
		require.NoError(t, err, k.name)
		require.Equal(t, k.want, got, k.name)
	}
	_, err := pack([]ptxParam{{size: 4, align: 4}}, words(0x20002010), c.buffers.Translate)
	require.ErrorIs(t, err, errNarrow)
	_, err = pack([]ptxParam{{size: 8, align: 8, wide: true}, {size: 4, align: 4}}, words(1), c.buffers.Translate)
	require.EqualError(t, err, "the program passes 4 bytes of parameters, and the stand-in has 12")
}
