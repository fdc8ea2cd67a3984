package cubin_test

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
)

// requireELFRoundTrip requires that an image from an ELF cubin survives FormatELF.
func requireELFRoundTrip(t *testing.T, want *cubin.Image) []byte {
	t.Helper()
	data, err := cubin.FormatELF(want)
	require.NoError(t, err)
	got, err := cubin.Parse(data)
	require.NoError(t, err)
	require.Equal(t, want, got)
	return data
}

// Whatever an image from an ELF cubin holds survives another one.
func TestFormatELF(t *testing.T) {
	for name, class := range classes {
		t.Run(name, func(t *testing.T) {
			img, err := cubin.Parse(class.Write(everything()))
			require.NoError(t, err)
			data := requireELFRoundTrip(t, img)
			again, err := cubin.FormatELF(img)
			require.NoError(t, err)
			require.Equal(t, data, again, "the same image gives the same file")
		})
	}
	t.Run("nothing", func(t *testing.T) { requireELFRoundTrip(t, &cubin.Image{Pointer: 8}) })
}

// TestFormatELFOfCompilers writes the ELF cubins of NVIDIA's compilers again. They are not part of
// the repository.
func TestFormatELFOfCompilers(t *testing.T) {
	folder := os.Getenv("JACQUARD_ELF_CUBINS")
	files, err := filepath.Glob(folder + "/*.sm_1?.cubin")
	require.NoError(t, err)
	if folder == "" || len(files) == 0 {
		t.Skip("no folder with ELF cubins of NVIDIA's compilers in JACQUARD_ELF_CUBINS")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			img, err := cubin.Parse(data)
			require.NoError(t, err)
			requireELFRoundTrip(t, img)
		})
	}
}

// The form of the third-party text cubins as ELF cubins stays the same. They are not part of the
// repository.
func TestFormatELFOfCorpus(t *testing.T) {
	files, err := filepath.Glob("../../shared/corpus/*/*/*.cubin")
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("no third-party cubins beside the repository, in ../shared/corpus")
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		img, err := cubin.Parse(data)
		require.NoError(t, err)
		data, err = cubin.FormatELF(img)
		require.NoError(t, err)
		form, err := cubin.Parse(data)
		require.NoError(t, err)
		require.Equal(t, img.Kernels[0].Code, form.Kernels[0].Code)
		requireELFRoundTrip(t, form)
	}
}

// An independent reader finds sections, symbols and segments where the format has them.
func TestFormatELFForOtherReaders(t *testing.T) {
	for name, class := range classes {
		t.Run(name, func(t *testing.T) {
			img := everything()
			f, err := elf.NewFile(bytes.NewReader(class.Write(img)))
			require.NoError(t, err)
			require.Equal(t, elf.Machine(190), f.Machine)
			symbols, err := f.Symbols()
			require.NoError(t, err)
			named := map[string]elf.Symbol{}
			for _, y := range symbols {
				if elf.ST_TYPE(y.Info) == elf.STT_SECTION {
					require.Equal(t, elf.STB_LOCAL, elf.ST_BIND(y.Info))
					continue
				}
				require.Equal(t, elf.STB_GLOBAL, elf.ST_BIND(y.Info), y.Name)
				named[y.Name] = y
			}
			for _, k := range img.Kernels {
				text := f.Section(".text." + k.Name)
				require.NotNil(t, text)
				require.Equal(t, elf.SHF_ALLOC|elf.SHF_EXECINSTR, text.Flags&7)
				require.Equal(t, k.Barriers, int(text.Flags>>20))
				require.Equal(t, k.Registers, int(text.Info>>24))
				require.Equal(t, text, f.Sections[symbols[text.Info&0xffffff-1].Section], "the symbol of the section")
				y := named[k.Name]
				require.Equal(t, text, f.Sections[y.Section])
				require.Equal(t, elf.STT_FUNC, elf.ST_TYPE(y.Info))
				require.EqualValues(t, 4*len(k.Code), y.Size)
			}
			for _, g := range img.Globals {
				y := named[g.Name]
				require.EqualValues(t, g.Bytes, y.Size)
				require.LessOrEqual(t, y.Value+y.Size, f.Sections[y.Section].Size)
				require.Equal(t, map[bool]string{true: ".nv.global", false: ".nv.global.init"}[g.Init == nil], f.Sections[y.Section].Name)
			}
			for _, s := range img.Samplers {
				require.Equal(t, elf.SymType(10), elf.ST_TYPE(named[s.Name].Info))
			}
			for _, s := range f.Sections {
				if s.Type != elf.SHT_NOBITS && s.Addralign > 0 {
					require.Zero(t, s.Offset%s.Addralign, s.Name)
				}
			}
			require.Len(t, f.Progs, 1+2*len(img.Kernels)+2)
			require.EqualValues(t, 6, f.Progs[0].Type)
		})
	}
}

// Kernels without known parameters stay such; their texture units are told as by first compilers.
func TestFormatELFOfText(t *testing.T) {
	img := &cubin.Image{
		Samplers: []cubin.Sampler{{Name: "t", Unit: 3}},
		Kernels:  []cubin.Kernel{{Name: "k", Shared: 32, Code: []uint32{0xf0000001, 0xe0000001}}},
	}
	data, err := cubin.FormatELF(img)
	require.NoError(t, err)
	got, err := cubin.Parse(data)
	require.NoError(t, err)
	require.Nil(t, got.Kernels[0].Params)
	require.Equal(t, []cubin.Texture{{Sampler: 0, Unit: 3}}, got.Kernels[0].Textures)
	require.Equal(t, img.Units(&img.Kernels[0]), got.Units(&got.Kernels[0]))
	requireELFRoundTrip(t, got)
}

// What no field can hold is an error.
func TestFormatELFErrors(t *testing.T) {
	kernel := func(do func(*cubin.Kernel)) func(*cubin.Image) {
		return func(img *cubin.Image) { do(&img.Kernels[0]) }
	}
	for name, do := range map[string]func(*cubin.Image){
		"registers":   kernel(func(k *cubin.Kernel) { k.Registers = 256 }),
		"barriers":    kernel(func(k *cubin.Kernel) { k.Barriers = 128 }),
		"shared":      kernel(func(k *cubin.Kernel) { k.Shared = -1 }),
		"local":       kernel(func(k *cubin.Kernel) { k.Local = -1 }),
		"name":        kernel(func(k *cubin.Kernel) { k.Name = "a\x00b" }),
		"segment":     kernel(func(k *cubin.Kernel) { k.Segments[0].Offset = -4 }),
		"parameter":   kernel(func(k *cubin.Kernel) { k.Params[0].Size = 1 << 14 }),
		"offset":      kernel(func(k *cubin.Kernel) { k.Params[0].Offset = 1 << 16 }),
		"texture":     kernel(func(k *cubin.Kernel) { k.Textures[0].Sampler = 2 }),
		"line":        kernel(func(k *cubin.Kernel) { k.Lines[0].Line = -1 }),
		"line order":  kernel(func(k *cubin.Kernel) { k.Lines[1].Offset = 0 }),
		"line offset": kernel(func(k *cubin.Kernel) { k.Lines[1].Offset = 6 }),
		"line's file": kernel(func(k *cubin.Kernel) { k.Lines[0].File = "" }),
		"content":     func(img *cubin.Image) { img.Globals[0].Init = make([]byte, 1<<20+1) },
		"constant":    func(img *cubin.Image) { img.Constants[0].Offset = -1 },
		"bank":        func(img *cubin.Image) { img.Segments[0].Bytes = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			img := everything()
			do(img)
			_, err := cubin.FormatELF(img)
			var broken *cubin.ELFError
			require.ErrorAs(t, err, &broken)
		})
	}
}

// lined is an image with a line table that needs every kind of row.
func lined(pointer int) *cubin.Image {
	img := &cubin.Image{Pointer: pointer}
	files := []string{
		"main.cu", "/usr/include/a.h", "/usr/include/b.h", "/root.cu", "up//down.cu", `C:\src\k.cu`, "dir/", "./here.cu",
	}
	for i, name := range []string{"first", "second", "bare"} {
		k := cubin.Kernel{Name: name, Shared: 16, Code: make([]uint32, 500), Params: []cubin.Param{}}
		if name != "bare" {
			for j, line := range []int{1, 1, 5, 2, 13, 1 << 20, 3, 0, 1<<31 - 1, 64, 128, 64, 200} {
				k.Lines = append(k.Lines, cubin.Line{Offset: uint32(j*j*j/(i+1)) &^ 3, File: files[(i+j)%len(files)], Line: line})
			}
			k.Lines = append(k.Lines[:1], k.Lines[2:]...)
		}
		img.Kernels = append(img.Kernels, k)
	}
	img.Kernels[1].Lines = img.Kernels[1].Lines[1:] // begins behind the start
	return img
}

func TestLines(t *testing.T) {
	for _, pointer := range []int{4, 8} {
		requireELFRoundTrip(t, lined(pointer))
	}
}

// An independent reader finds the same rows in the line table.
func TestLinesForOtherReaders(t *testing.T) {
	for _, pointer := range []int{4, 8} {
		img := lined(pointer)
		data, err := cubin.FormatELF(img)
		require.NoError(t, err)
		f, err := elf.NewFile(bytes.NewReader(data))
		require.NoError(t, err)
		table, err := f.Section(".debug_line").Data()
		require.NoError(t, err)
		// a unit that has the table and nothing else
		abbreviations := []byte{1, 0x11, 0, 0x10, 0x06, 0, 0, 0}
		unit := []byte{12, 0, 0, 0, 2, 0, 0, 0, 0, 0, byte(pointer), 1, 0, 0, 0, 0}
		d, err := dwarf.New(abbreviations, nil, nil, unit, table, nil, nil, nil)
		require.NoError(t, err)
		entry, err := d.Reader().Next()
		require.NoError(t, err)
		reader, err := d.LineReader(entry)
		require.NoError(t, err)
		var found [][]cubin.Line
		var row dwarf.LineEntry
		var lines []cubin.Line
		for {
			err := reader.Next(&row)
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
			if row.EndSequence {
				require.EqualValues(t, 2000, row.Address)
				found, lines = append(found, lines), nil
				continue
			}
			lines = append(lines, cubin.Line{Offset: uint32(row.Address), File: row.File.Name, Line: row.Line})
		}
		want := [][]cubin.Line{img.Kernels[0].Lines, img.Kernels[1].Lines}
		require.Equal(t, clean(want), clean(found))

		relocations, err := f.Section(".rel.debug_line").Data()
		require.NoError(t, err)
		require.Len(t, relocations, 2*2*pointer)
		symbols, err := f.Symbols()
		require.NoError(t, err)
		number := binary.LittleEndian.Uint32(relocations[4:]) >> 8
		if pointer == 8 {
			number = binary.LittleEndian.Uint32(relocations[12:])
		}
		require.Equal(t, "first", symbols[number-1].Name)
	}
}

// clean gives paths one form: the other reader has a form of its own.
func clean(tables [][]cubin.Line) [][]cubin.Line {
	for _, lines := range tables {
		for i := range lines {
			lines[i].File = path.Clean(lines[i].File)
		}
	}
	return tables
}

func TestLineAt(t *testing.T) {
	k := &cubin.Kernel{Lines: []cubin.Line{{Offset: 8, Line: 1}, {Offset: 16, Line: 2}}}
	for offset, want := range map[uint32]int{0: 0, 4: 0, 8: 1, 12: 1, 16: 2, 1000: 2} {
		l, ok := k.LineAt(offset)
		require.Equal(t, want > 0, ok, offset)
		require.Equal(t, want, l.Line, offset)
	}
}

// Paths of more than 1 MiB, and a path that is too long for a name, are no table.
func TestLinesOfLongPaths(t *testing.T) {
	for _, c := range []struct {
		files, length int
		read          bool
	}{{200, 4000, true}, {300, 4000, false}, {1, 4095, true}, {1, 4096, false}} {
		k := cubin.Kernel{Name: "k", Shared: 16, Code: make([]uint32, c.files), Params: []cubin.Param{}}
		for i := range c.files {
			folder := strings.Repeat("d", c.length-7)
			k.Lines = append(k.Lines, cubin.Line{Offset: uint32(4 * i), File: fmt.Sprintf("%s/%06d", folder, i), Line: i})
		}
		data, err := cubin.FormatELF(&cubin.Image{Pointer: 8, Kernels: []cubin.Kernel{k}})
		require.NoError(t, err)
		require.Less(t, len(data), 60*c.files+3*c.length+2000, "folders are written once")
		img, err := cubin.Parse(data)
		require.NoError(t, err)
		if !c.read {
			k.Lines = nil
		}
		require.Equal(t, k, img.Kernels[0])
	}
}

// A broken line table is no table: the code runs as before.
func TestBrokenLines(t *testing.T) {
	img := lined(8)
	whole, err := cubin.FormatELF(img)
	require.NoError(t, err)
	f, err := elf.NewFile(bytes.NewReader(whole))
	require.NoError(t, err)
	s := f.Section(".debug_line")
	for at := s.Offset; at < s.Offset+s.Size; at++ {
		for _, v := range []byte{0, 1, 2, 0x7f, 0x80, 0xff, whole[at] ^ 1} {
			data := bytes.Clone(whole)
			data[at] = v
			got, err := cubin.Parse(data)
			require.NoError(t, err)
			for i, k := range got.Kernels {
				require.Equal(t, img.Kernels[i].Code, k.Code)
				require.LessOrEqual(t, len(k.Lines), len(k.Code))
			}
		}
	}
}
