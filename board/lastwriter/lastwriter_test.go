package lastwriter_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/board/lastwriter"
	"jacquard/cubin"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
)

// launch returns a launch of a kernel of testdata/mesa-kernels, and the address of a buffer of n
// words. The buffer is the kernel's first parameter, params are the others.
func launch(name string, n int, params ...uint32) (*simt.Launch, uint32, error) {
	data, err := os.ReadFile("../../testdata/mesa-kernels/" + name + "/sm_12.cubin")
	if err != nil {
		return nil, 0, err
	}
	image, err := cubin.Parse(data)
	if err != nil {
		return nil, 0, err
	}
	k := image.Kernel(name)
	program, err := load.Program(image.Arch, k, simt.Host{})
	if err != nil {
		return nil, 0, err
	}
	l := &simt.Launch{Program: program, Grid: [2]int{2, 1}, Block: [3]int{64, 1, 1}, Global: mem.NewSpace(1 << 20)}
	at, err := l.Global.Alloc(uint64(4 * n))
	if err != nil {
		return nil, 0, err
	}
	for _, p := range append([]uint32{at}, params...) {
		l.Params = binary.LittleEndian.AppendUint32(l.Params, p)
	}
	return l, at, nil
}

func copied(_ uint32, data []byte) []byte { return bytes.Clone(data) }

// vecadd adds a buffer to itself.
func vecadd() (*simt.Launch, uint32, error) {
	l, at, err := launch("vecadd", 300)
	for _, p := range []uint32{at, at + 512, 100} {
		l.Params = binary.LittleEndian.AppendUint32(l.Params, p)
	}
	return l, at, err
}

func TestFind(t *testing.T) {
	l, at, err := vecadd()
	require.NoError(t, err)
	before := l.Global.Clone(copied)
	_, err = simt.Run(l)
	require.NoError(t, err)
	for _, thread := range []int{0, 63, 64, 99} {
		w := lastwriter.Find(l, before.Clone(copied), at+512+uint32(4*thread), 4)
		require.NotNil(t, w)
		require.Equal(t, [2]int{thread / 64, 0}, w.Block)
		require.Equal(t, [3]int{thread % 64, 0, 0}, w.Thread)
		require.Equal(t, [2]int{thread % 64 / 32, thread % 32}, [2]int{w.Warp, w.Lane})
		require.Zero(t, w.Others)
		require.Contains(t, w.Text, "b32 g14[")
	}
	require.NotNil(t, lastwriter.Find(l, before.Clone(copied), at+512+399, 1), "the last byte")
	require.Nil(t, lastwriter.Find(l, before.Clone(copied), at+512+400, 4), "past the end")
	require.Nil(t, lastwriter.Find(l, before.Clone(copied), at, 512), "inputs")
}

func TestFindMany(t *testing.T) {
	l, at, err := launch("histogram", 300)
	require.NoError(t, err)
	// histogram(const uint *in, uint *bins, uint n): all blocks count in one word.
	for _, p := range []uint32{at + 800, 100} {
		l.Params = binary.LittleEndian.AppendUint32(l.Params, p)
	}
	w := lastwriter.Find(l, l.Global.Clone(copied), at+800, 4)
	require.NotNil(t, w)
	require.Positive(t, w.Others)
	require.Contains(t, w.String(), "more threads wrote there)")
}

func ExampleFind() {
	l, at, err := vecadd()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(lastwriter.Find(l, l.Global, at+512+4*70, 4))
	// Output: block (1,0), thread (6,0,0), pc 0x70: st b32 g14[$r0] $r1
}
