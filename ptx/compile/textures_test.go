package compile_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/simt/mem/texture"
	"jacquard/tesla"
)

// texturing is a module with a number of texture references and two kernels, low and high, which add
// texel 0 of some references.
func texturing(references int, low, high []int) string {
	var b strings.Builder
	b.WriteString(".version 4.2\n.target sm_20\n.address_size 64\n")
	for i := range references {
		fmt.Fprintf(&b, ".global .texref t%d;\n", i)
	}
	for name, used := range map[string][]int{"low": low, "high": high} {
		fmt.Fprintf(&b, ".visible .entry %s(.param .u64 out)\n{\n", name)
		b.WriteString("\t.reg .b32 %r<6>;\n\t.reg .b64 %rd;\n\tmov.u32 %r0, 0;\n\tmov.u32 %r1, 0;\n")
		for _, i := range used {
			fmt.Fprintf(&b, "\ttex.1d.v4.u32.s32 {%%r2, %%r3, %%r4, %%r5}, [t%d, {%%r1}];\n", i)
			b.WriteString("\tadd.u32 %r0, %r0, %r2;\n")
		}
		b.WriteString("\tld.param.u64 %rd, [out];\n\tst.global.u32 [%rd], %r0;\n\tret;\n}\n")
	}
	return b.String()
}

// sumOf runs a kernel of texturing where texel 0 of reference i is i*i.
func sumOf(t *testing.T, image *cubin.Image, name string) uint32 {
	t.Helper()
	k := image.Kernel(name)
	p, err := load.Program(tesla.SM13, k, simt.Host{})
	require.NoError(t, err)
	space := mem.NewSpace(1 << 20)
	sum := make([]byte, 4)
	out, err := space.Map(sum)
	require.NoError(t, err)
	launch := &simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{1, 1, 1}, Global: space,
		Params: binary.LittleEndian.AppendUint64(nil, uint64(out)), Watchdog: 1 << 20}
	load.Fill(&launch.Const, k.Segments)
	for _, reference := range image.Units(k) {
		var x texture.Texture
		if reference >= 0 {
			texel := binary.LittleEndian.AppendUint32(nil, uint32(reference*reference))
			at, err := space.Map(texel)
			require.NoError(t, err)
			x = texture.Texture{Kind: texture.Linear, Format: texture.FormatU32, Channels: 1, Integer: true,
				Base: at, Size: 4}
		}
		launch.Textures = append(launch.Textures, x)
	}
	_, err = simt.Run(launch)
	require.NoError(t, err)
	return binary.LittleEndian.Uint32(sum)
}

// A module may have more texture references than a kernel can use.
func TestManyTextures(t *testing.T) {
	for _, references := range []int{32, 33, 200} {
		last := references - 1
		m, err := ptx.Parse("many.ptx", []byte(texturing(references, []int{3, 1, 3}, []int{last, 1})))
		require.NoError(t, err)
		image, err := compile.Compile(m, compile.Options{Arch: tesla.SM13, Verify: true})
		require.NoError(t, err)
		file, err := cubin.FormatELF(image)
		require.NoError(t, err)
		image, err = cubin.Parse(file)
		require.NoError(t, err)
		require.Len(t, image.Samplers, references)
		require.Equal(t, uint32(9+1+9), sumOf(t, image, "low"))
		require.Equal(t, uint32(last*last+1), sumOf(t, image, "high"))
	}
}

func TestTooManyTextures(t *testing.T) {
	all := make([]int, 33)
	for i := range all {
		all[i] = i
	}
	for _, used := range []int{32, 33} {
		m, err := ptx.Parse("many.ptx", []byte(texturing(40, all[:used], []int{1})))
		require.NoError(t, err)
		_, err = compile.Compile(m, compile.Options{Arch: tesla.SM13, Verify: true})
		if used <= 32 {
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, "many.ptx: kernel low: 33 texture references; a kernel can use 32")
	}
}
