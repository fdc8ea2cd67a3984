package asm_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/cubin"
	"jacquard/tesla"
)

// randomModule returns a module with anything in it or nothing: often no kernel.
func randomModule(r *rand.Rand, words [][2]uint32) *cubin.Image {
	names := 0
	name := func() string {
		names++
		return fmt.Sprintf([]string{"v%d", "a b%d", "_ZN1a1bE%d", "\"q%d", "π%d", "%%r%d"}[r.IntN(6)], names)
	}
	bytes := func(n int) []byte {
		if n == 0 || r.IntN(3) == 0 {
			return nil
		}
		b := make([]byte, 1+r.IntN(n))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	img := &cubin.Image{Arch: tesla.Arch(r.IntN(4)), Pointer: []int{4, 8}[r.IntN(2)]}
	if img.Virtual = r.IntN(256); img.Virtual == 10+int(img.Arch) {
		img.Virtual = 0
	}
	for range r.IntN(3) {
		img.Samplers = append(img.Samplers, cubin.Sampler{Name: name(), Unit: -1})
	}
	offset := 0
	for range r.IntN(4) {
		n := 1 + r.IntN(20)
		img.Constants = append(img.Constants, cubin.Variable{Name: name(), Offset: offset, Bytes: n, Init: bytes(n)})
		offset += (n + 3) &^ 3
	}
	slot := 0
	for range r.IntN(4) {
		n := 8 + r.IntN(40)
		g := cubin.Global{Name: name(), Bytes: n, Init: bytes(n)}
		for range r.IntN(3) {
			g.Slots = append(g.Slots, cubin.Slot{Offset: slot, Addend: uint32(4 * r.IntN(3))})
			slot += 4
		}
		img.Globals = append(img.Globals, g)
	}
	if n := len(img.Globals); n > 0 && r.IntN(2) == 0 {
		in := r.IntN(n)
		g := &img.Globals[in]
		g.Init = append(g.Init, make([]byte, g.Bytes-len(g.Init))...)
		img.Pointers = append(img.Pointers, cubin.Pointer{In: in, Offset: 0, Of: r.IntN(n)})
	}
	for range max(0, r.IntN(4)-1) {
		k := cubin.Kernel{Name: name(), Registers: r.IntN(125), Shared: 16 + 4*r.IntN(99), Local: 4 * r.IntN(9), Barriers: r.IntN(2), Params: []cubin.Param{}}
		for i := range r.IntN(4) {
			k.Params = append(k.Params, cubin.Param{Offset: 4 * i, Size: 4})
		}
		for range 1 + r.IntN(9) {
			w := random(r, img.Arch, words)
			k.Code = append(k.Code, w[:]...)
		}
		img.Kernels = append(img.Kernels, k)
	}
	return img
}

// TestModules prints random modules and reads them back: the text holds all of a module, with kernels
// or without, and so does the cubin that is made of it.
func TestModules(t *testing.T) {
	words := seeds(t)
	n := 200
	if *exhaustive {
		n = 10_000
	}
	empty := 0
	for seed := range n {
		img := randomModule(rand.New(rand.NewPCG(uint64(seed), 5)), words)
		if len(img.Kernels) == 0 {
			empty++
		}
		file, err := cubin.FormatELF(img)
		require.NoError(t, err, "seed %d", seed)
		img, err = cubin.Parse(file)
		require.NoError(t, err, "seed %d", seed)
		for _, syntax := range []asm.Syntax{asm.Envy, asm.SASS} {
			for _, labels := range []bool{false, true} {
				w := asm.Writer{Syntax: syntax, Labels: labels}
				requireSame(t, fmt.Sprintf("seed %d", seed), img, w)
				text := listing(t, w, img)
				back, err := asm.Read(text)
				require.NoError(t, err)
				require.Equal(t, text, listing(t, w, back))
				again, err := cubin.FormatELF(back)
				require.NoError(t, err)
				made, err := cubin.Parse(again)
				require.NoError(t, err)
				require.Equal(t, text, listing(t, w, made), "seed %d", seed)
			}
		}
	}
	require.Greater(t, empty, n/5)
}

func listing(t *testing.T, w asm.Writer, img *cubin.Image) string {
	t.Helper()
	var text strings.Builder
	require.NoError(t, w.Write(&text, img.Arch, img))
	return text.String()
}

// TestModuleWithoutKernels keeps the content of a module of variables.
func TestModuleWithoutKernels(t *testing.T) {
	img := &cubin.Image{Arch: tesla.SM13, Pointer: 8, Virtual: 20, Samplers: []cubin.Sampler{{Name: "image", Unit: -1}},
		Constants: []cubin.Variable{{Name: "c", Bytes: 6, Init: []byte{1, 2, 3, 4, 5, 6}}},
		Globals:   []cubin.Global{{Name: "v", Bytes: 4, Init: []byte{7, 0, 0, 0}}}}
	text := listing(t, asm.Writer{Syntax: asm.Envy}, img)
	require.Equal(t, strings.Join([]string{".module sm_13 abi=0 pointer=8 virtual=20", ".sampler image",
		".constant c offset=0 bytes=6", ".words 0x04030201", ".bytes 0x05 0x06", ".global v bytes=4", ".words 0x00000007"}, "\n")+"\n", text)
	back, err := asm.Read(text)
	require.NoError(t, err)
	require.Equal(t, img, back)
}

// TestSizesNextToLabels has short instructions that a reader would make long: one before a label, and
// one before a long instruction at an odd word.
func TestSizesNextToLabels(t *testing.T) {
	for name, code := range map[string][]uint32{
		"label": {0x7b652428, 0x00000000, 0xb006084b, 0x60034780, 0x28000803, 0x000007f0, 0xd0000001, 0x68000780},
		"odd":   {0x7b652428, 0x6a254429, 0x0c228780, 0x7b652428},
	} {
		img := &cubin.Image{Arch: tesla.SM13, Kernels: []cubin.Kernel{{Name: "k", Code: code}}}
		for _, syntax := range []asm.Syntax{asm.Envy, asm.SASS} {
			for _, labels := range []bool{false, true} {
				requireSame(t, name, img, asm.Writer{Syntax: syntax, Labels: labels})
			}
		}
	}
}
