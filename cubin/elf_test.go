package cubin_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/tesla"
)

// classes are the ways to write an ELF cubin.
var classes = map[string]cubintest.ELF{
	"32-bit":     {},
	"64-bit":     {Wide: true},
	"old 32-bit": {Old: true},
	"old 64-bit": {Wide: true, Old: true},
}

// everything is an image with every part that an ELF cubin can hold.
func everything() *cubin.Image {
	return &cubin.Image{
		Arch:     tesla.SM12,
		Samplers: []cubin.Sampler{{Name: "image", Unit: -1}, {Name: "table", Unit: -1}},
		Segments: []cubin.Segment{
			{Bank: 0, Bytes: 12, Init: []byte{1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8}},
			{Bank: 14, Bytes: 12, Init: []byte{0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0}},
		},
		Constants: []cubin.Variable{
			{Name: "first", Offset: 0, Bytes: 4, Init: []byte{1, 2, 3, 4}},
			{Name: "last", Offset: 8, Bytes: 4, Init: []byte{5, 6, 7, 8}},
		},
		Globals: []cubin.Global{
			{Name: "zeros", Bytes: 1 << 20, Slots: []cubin.Slot{{Offset: 0}, {Offset: 4, Addend: 4}}},
			{Name: "also zeros", Bytes: 8},
			{Name: "counter", Bytes: 4, Init: []byte{9, 9, 9, 9}, Slots: []cubin.Slot{{Offset: 8}}},
		},
		Kernels: []cubin.Kernel{
			{
				Name: "_Z5a.dotPf", Registers: 10, Shared: 16 + 40, Local: 32, Barriers: 1, MaxThreads: [3]int{64, 2, 1},
				Code:     []uint32{0x10008a08, 0x10008a0c, 0xf0000001, 0xe0000001},
				Segments: []cubin.Segment{{Bank: 1, Bytes: 4, Init: []byte{0, 0, 0x80, 0x3f}}},
				Params:   []cubin.Param{{Offset: 0, Size: 8}, {Offset: 8, Size: 2}, {Offset: 10, Size: 1}, {Offset: 16, Size: 16}},
				Textures: []cubin.Texture{{Sampler: 1, Unit: 0}, {Sampler: 0, Unit: 1}},
				Lines:    []cubin.Line{{Offset: 0, File: "/usr/include/math.h", Line: 700}, {Offset: 8, File: "a.cu", Line: 3}},
			},
			{
				Name: "other", Registers: 1, Shared: 16, Code: []uint32{0xf0000001, 0xe0000001}, Params: []cubin.Param{},
				Textures: []cubin.Texture{{Sampler: 0, Unit: 0}},
			},
		},
	}
}

func TestELF(t *testing.T) {
	for name, class := range classes {
		t.Run(name, func(t *testing.T) {
			want := everything()
			data := class.Write(want)
			want.Pointer = 4
			if class.Wide {
				want.Pointer = 8
			}
			// sizes are gaps, and the last parameter extends to the end of shared memory
			if class.Old {
				want.Kernels[0].Params = []cubin.Param{
					{Offset: 0, Size: 8, Padded: true}, {Offset: 8, Size: 2, Padded: true}, {Offset: 10, Size: 6, Padded: true}, {Offset: 16, Size: 24, Padded: true},
				}
			}
			got, err := cubin.Parse(data)
			require.NoError(t, err)
			require.Equal(t, want, got)
			for i := range data {
				data[i] = 0xff
			}
			require.Equal(t, want, got, "the image is a copy")
		})
	}
}

func TestUnits(t *testing.T) {
	img := everything()
	require.Equal(t, []int{1, 0}, img.Units(&img.Kernels[0]))
	require.Equal(t, []int{0}, img.Units(&img.Kernels[1]))
	img.Samplers[1].Unit = 3
	require.Equal(t, []int{0, -1, -1, 1}, img.Units(&img.Kernels[1]))
}

// TestMesaKernelsAsELF shows that a kernel survives the way through an ELF cubin complete.
func TestMesaKernelsAsELF(t *testing.T) {
	files, err := filepath.Glob("../testdata/mesa-kernels/*/*.cubin")
	require.NoError(t, err)
	require.Len(t, files, 73)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		want, err := cubin.Parse(data)
		require.NoError(t, err)
		for name, class := range classes {
			t.Run(filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file)+"/"+name, func(t *testing.T) {
				got, err := cubin.Parse(class.Write(want))
				require.NoError(t, err)
				require.Equal(t, string(cubin.Format(want)), string(formatAs(got, want)))
			})
		}
	}
}

// formatAs formats img with the parts of like that only text cubins have.
func formatAs(img, like *cubin.Image) []byte {
	img.ABIVersion, img.Name = like.ABIVersion, like.Name
	return cubin.Format(img)
}

// change returns an ELF cubin of everything, changed by do.
func change(class cubintest.ELF, do func(*cubin.Image)) []byte {
	img := everything()
	do(img)
	return class.Write(img)
}

// replace returns data with every old replaced by new, which has the same length.
func replace(data []byte, old, new string) []byte {
	if len(old) != len(new) {
		panic("replace: lengths differ")
	}
	return bytes.ReplaceAll(data, []byte(old), []byte(new))
}

func TestELFErrors(t *testing.T) {
	kernel := func(do func(*cubin.Kernel)) func(*cubin.Image) {
		return func(img *cubin.Image) { do(&img.Kernels[0]) }
	}
	for name, class := range classes {
		whole := class.Write(everything())
		at := func(narrow, wide int, b ...byte) []byte {
			data := bytes.Clone(whole)
			if class.Wide {
				narrow = wide
			}
			copy(data[narrow:], b)
			return data
		}
		for _, c := range []struct {
			name    string
			data    []byte
			problem string
		}{
			{"class", at(4, 4, 3), "class 3 is neither 32-bit nor 64-bit"},
			{"big-endian", at(5, 5, 2), "it is not little-endian"},
			{"section headers too small", at(46, 58, 8, 0), "section headers of 8 bytes"},
			{"far headers", at(32, 40, 0, 0, 0, 0x70), "headers beyond"},
			{"no names", at(50, 62, 4, 0), "the name of section"},
			{"registers", change(class, kernel(func(k *cubin.Kernel) { k.Registers = 129 })), "section .text._Z5a.dotPf: 129 registers, at most 128 fit"},
			{"barriers", change(class, kernel(func(k *cubin.Kernel) { k.Barriers = 17 })), "17 barriers, at most 16 fit"},
			{"shared", change(class, kernel(func(k *cubin.Kernel) { k.Shared = 16385 })), "section .nv.shared._Z5a.dotPf: 16385 bytes, at most 16384 fit"},
			{"local", change(class, kernel(func(k *cubin.Kernel) { k.Local = 16385 })), "16385 bytes, at most 16384 fit"},
			{"no code", change(class, kernel(func(k *cubin.Kernel) { k.Code, k.Lines = nil, nil })), "0 bytes of code"},
			{"no name", change(class, kernel(func(k *cubin.Kernel) { k.Name = "" })), "a kernel without a name"},
			{"kernel twice", change(class, func(img *cubin.Image) { img.Kernels[1].Name = img.Kernels[0].Name }), "second kernel of the name"},
			{"bank", change(class, kernel(func(k *cubin.Kernel) { k.Segments[0].Bank = 16 })), "section .nv.constant16._Z5a.dotPf: there is no such bank"},
			{"bank too long", change(class, kernel(func(k *cubin.Kernel) { k.Segments[0].Bytes = 65537 })), "65537 bytes, a bank has 65536"},
			{"long name", change(class, kernel(func(k *cubin.Kernel) { k.Name = strings.Repeat("k", 5000) })), "has more than 4096 bytes"},
			{"shared memory of nobody", replace(whole, ".nv.shared._Z5a.dotPf\x00", ".nv.shared._Z5a.datPf\x00"), "there is no such kernel"},
			{"constants of nobody", replace(whole, ".nv.constant1._Z5a.dotPf\x00", ".nv.constant1._Z5a.datPf\x00"), "there is no such kernel"},
			{"attributes of nobody", replace(whole, ".nv.info._Z5a.dotPf\x00", ".nv.info._Z5a.datPf\x00"), "there is no such kernel"},
			{"texture unit", change(class, kernel(func(k *cubin.Kernel) { k.Textures[0].Unit = 128 })), "texture unit 128, at most 127"},
			{"parameters", change(class, kernel(func(k *cubin.Kernel) { k.Params[3].Offset = 300; k.Params[2].Offset = 250; k.Params[2].Size = 10 })), "there are 256"},
			{"unknown relocations", replace(whole, ".rel.nv.constant14", ".rel.nv.constant13"), "relocations other than those of bank 14 and of variables are not known"},
			{"relocations of nothing", replace(whole, "\x00.nv.constant14\x00", "\x00.nv.constant13\x00"), "there is no section .nv.constant14"},
			{"constants too long", change(class, func(img *cubin.Image) {
				img.Constants[1].Bytes = 1 << 17
			}), "a bank has 65536"},
		} {
			if c.name == "parameters" && class.Old {
				continue // they are gaps
			}
			t.Run(name+"/"+c.name, func(t *testing.T) {
				img, err := cubin.Parse(c.data)
				require.Nil(t, img)
				var broken *cubin.ELFError
				require.ErrorAs(t, err, &broken)
				require.Contains(t, err.Error(), c.problem)
			})
		}
	}
}

// TestELFForOthers rejects ELF cubins of later generations, and ELF files that are no cubins.
func TestELFForOthers(t *testing.T) {
	data := cubintest.ELF{Wide: true}.Write(everything())
	data[48] = 20
	_, err := cubin.Parse(data)
	var none *cubin.NoCodeError
	require.ErrorAs(t, err, &none)
	require.EqualError(t, err, "no machine code for sm_13 or an earlier architecture: found only ELF cubin for sm_20")
	data[18] = 62
	_, err = cubin.Parse(data)
	require.EqualError(t, err, "ELF cubin: machine 62 is not that of cubins, 190")
}

// TestELFCutOff cuts an ELF cubin at every length. The program headers are at the end, so every cut
// is an error.
func TestELFCutOff(t *testing.T) {
	for name, class := range classes {
		t.Run(name, func(t *testing.T) {
			data := class.Write(everything())
			for n := range data {
				img, err := cubin.Parse(data[:n])
				require.Nil(t, img, n)
				require.Error(t, err, n)
			}
			_, err := cubin.Parse(append(data, "padding"...))
			require.NoError(t, err)
		})
	}
}

// TestELFInMemory measures an ELF cubin in a memory without one readable byte beyond it.
func TestELFInMemory(t *testing.T) {
	for name, class := range classes {
		t.Run(name, func(t *testing.T) {
			memory := &cubintest.Memory{Word: 8}
			data := class.Write(everything())
			contents, err := cubin.Open(memory.Cubin(), memory.Add(data))
			require.NoError(t, err)
			require.Equal(t, len(data), contents.Size)
			img, err := contents.Image(tesla.SM12)
			require.NoError(t, err)
			require.Len(t, img.Kernels, 2)
			_, err = contents.Image(tesla.SM11)
			var none *cubin.NoCodeError
			require.ErrorAs(t, err, &none)

			_, err = cubin.Open(memory.Cubin(), memory.Add(data[:len(data)-1]))
			var missing *cubin.MemoryError
			require.ErrorAs(t, err, &missing)
		})
	}
}

// TestELFSectionSymbol relocates against a section's symbol: the addend selects the variable.
func TestELFSectionSymbol(t *testing.T) {
	img := &cubin.Image{Arch: tesla.SM10, Globals: []cubin.Global{
		{Name: "a", Bytes: 8, Slots: []cubin.Slot{{Offset: 0, Addend: 12}}},
		{Name: "b", Bytes: 8},
	}}
	data := cubintest.ELF{Wide: true}.Write(img)
	// The symbol of a becomes the symbol of the whole section.
	i := bytes.IndexByte(data, 0x11)
	require.Positive(t, i)
	data[i] = 3
	got, err := cubin.Parse(data)
	require.NoError(t, err)
	require.Equal(t, []cubin.Global{{Name: "b", Bytes: 8, Slots: []cubin.Slot{{Offset: 0, Addend: 4}}}}, got.Globals)
}

// requireFixed requires that an image becomes one that FormatELF keeps, unless it is too strange:
// content shared by many variables, names that are just short enough.
func requireFixed(t *testing.T, img *cubin.Image) {
	content := 0
	for _, g := range img.Globals {
		content += len(g.Init)
	}
	if content > 1<<20 {
		return
	}
	data, err := cubin.FormatELF(img)
	if err != nil {
		return
	}
	once, err := cubin.Parse(data)
	if err != nil {
		require.ErrorContains(t, err, "the name of section")
		return
	}
	requireELFRoundTrip(t, once)
}

func FuzzParseELF(f *testing.F) {
	for _, class := range classes {
		f.Add(class.Write(everything()))
	}
	lines, err := cubin.FormatELF(lined(8))
	require.NoError(f, err)
	f.Add(lines)
	f.Fuzz(func(t *testing.T, data []byte) {
		img, err := cubin.Parse(data)
		if err != nil {
			require.Nil(t, img)
			return
		}
		size := 0
		for i := range img.Kernels {
			size += len(img.Kernels[i].Code)
			for _, unit := range img.Units(&img.Kernels[i]) {
				require.Less(t, unit, len(img.Samplers))
			}
		}
		require.LessOrEqual(t, size, len(data))
		cubin.Format(img)
		requireFixed(t, img)
	})
}
