package cubin_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/tesla"
)

const ptx = "\t.version 1.4\n\t.target sm_10\n"

// small is an image that its kernel's name identifies.
func small(arch tesla.Arch, name string) *cubin.Image {
	return &cubin.Image{Arch: arch, Kernels: []cubin.Kernel{
		{Name: name, Registers: 1, Shared: 16, Code: []uint32{0xf0000001, 0xe0000001}, Params: []cubin.Param{}},
	}}
}

// elfs are the entries of a program for several architectures.
func elfs() []cubintest.Entry {
	write := cubintest.ELF{Wide: true}.Write
	return []cubintest.Entry{
		{Container: cubin.PTX, Arch: 10, Source: "a.cu", Data: []byte(ptx)},
		{Container: cubin.ELF, Arch: 10, Source: "a.cu", Data: write(small(tesla.SM10, "ten"))},
		{Container: cubin.ELF, Arch: 20, Source: "a.cu", Data: []byte("later")},
		{Container: cubin.ELF, Arch: 12, Source: "a.cu", Data: write(small(tesla.SM12, "twelve"))},
	}
}

// texts are entries from before ELF cubins.
func texts() []cubintest.Entry {
	return []cubintest.Entry{
		{Container: cubin.PTX, Arch: 10, Data: []byte(ptx)},
		{Container: cubin.Text, Arch: 10, Data: cubin.Format(small(tesla.SM10, "ten"))},
		{Container: cubin.Text, Arch: 12, Data: cubin.Format(small(tesla.SM12, "twelve"))},
	}
}

// forms are all forms of a fat binary. Each puts entries into a memory and returns the address to
// load.
var forms = map[string]struct {
	entries func() []cubintest.Entry
	put     func(*cubintest.Memory, []cubintest.Entry) uint64
}{
	"struct 1": {texts, func(m *cubintest.Memory, e []cubintest.Entry) uint64 { return m.Struct(1, "a.cu", e...) }},
	"struct 2": {texts, func(m *cubintest.Memory, e []cubintest.Entry) uint64 { return m.Struct(2, "a.cu", e...) }},
	"struct 3": {texts, func(m *cubintest.Memory, e []cubintest.Entry) uint64 { return m.Struct(3, "a.cu", e...) }},
	"struct 4": {elfs, func(m *cubintest.Memory, e []cubintest.Entry) uint64 { return m.Struct(4, "a.cu", e...) }},
	"wrapper 4.x": {elfs, func(m *cubintest.Memory, e []cubintest.Entry) uint64 {
		return m.Wrapper(cubintest.Flat(cubintest.CUDA4, e...))
	}},
	"wrapper 5.x": {elfs, func(m *cubintest.Memory, e []cubintest.Entry) uint64 {
		return m.Wrapper(cubintest.Flat(cubintest.CUDA5, e...))
	}},
	"flat 4.x": {elfs, func(m *cubintest.Memory, e []cubintest.Entry) uint64 {
		return m.Add(cubintest.Flat(cubintest.CUDA4, e...))
	}},
	"flat 5.x": {elfs, func(m *cubintest.Memory, e []cubintest.Entry) uint64 {
		return m.Add(cubintest.Flat(cubintest.CUDA5, e...))
	}},
	"flat, zlib": {elfs, func(m *cubintest.Memory, e []cubintest.Entry) uint64 {
		return m.Add(cubintest.Flat(cubintest.CUDA5, compressed(cubin.Zlib, e)...))
	}},
	"flat, LZ4": {elfs, func(m *cubintest.Memory, e []cubintest.Entry) uint64 {
		return m.Add(cubintest.Flat(cubintest.CUDA5, compressed(cubin.LZ4, e)...))
	}},
}

func compressed(how cubin.Compression, entries []cubintest.Entry) []cubintest.Entry {
	for i := range entries {
		entries[i].Compression = how
	}
	return entries
}

func TestFatBinaries(t *testing.T) {
	for name, form := range forms {
		for _, word := range []int{4, 8} {
			t.Run(fmt.Sprintf("%s/%d-bit", name, 8*word), func(t *testing.T) {
				memory := &cubintest.Memory{Word: word}
				entries := form.entries()
				contents, err := cubin.Open(memory.Cubin(), form.put(memory, entries))
				require.NoError(t, err)
				require.Equal(t, cubin.FatBinary, contents.Container)
				require.Len(t, contents.Entries, len(entries))
				for i := range contents.Entries {
					got, want := &contents.Entries[i], &entries[i]
					if strings.HasPrefix(name, "struct 4") { // lists of PTX and of ELF cubins
						require.Contains(t, []int{10, 12, 20}, got.Arch)
					} else {
						require.Equal(t, want.Container, got.Container)
						require.Equal(t, want.Arch, got.Arch)
						data, err := got.Data()
						require.NoError(t, err)
						require.Equal(t, string(want.Data), strings.TrimRight(string(data), "\x00")+strings.Repeat("\x00", trailing(want.Data)))
					}
					require.Equal(t, "a.cu", got.Source)
				}
				for device, kernel := range map[tesla.Arch]string{tesla.SM10: "ten", tesla.SM11: "ten", tesla.SM12: "twelve", tesla.SM13: "twelve"} {
					img, err := contents.Image(device)
					require.NoError(t, err, device)
					require.NotNil(t, img.Kernel(kernel), device)
				}
			})
		}
	}
}

// trailing counts the zeros at the end of data.
func trailing(data []byte) int { return len(data) - len(bytes.TrimRight(data, "\x00")) }

func TestSelectSaysWhatThereIs(t *testing.T) {
	flat := cubintest.Flat(cubintest.CUDA4,
		cubintest.Entry{Container: cubin.PTX, Arch: 20, Data: []byte(ptx)},
		cubintest.Entry{Container: cubin.ELF, Arch: 20, Data: []byte("x")},
		cubintest.Entry{Container: cubin.Unknown, Arch: 13, Data: []byte("x")})
	_, err := cubin.Parse(flat)
	var none *cubin.NoCodeError
	require.ErrorAs(t, err, &none)
	require.EqualError(t, err, "no machine code for sm_13 or an earlier architecture: found only PTX for compute_20, ELF cubin for sm_20, unknown data for sm_13")
	_, err = cubin.Parse(cubintest.Flat(cubintest.CUDA4))
	require.EqualError(t, err, "no machine code for sm_13 or an earlier architecture: found only nothing")
}

func TestPaddingAfterEntries(t *testing.T) {
	flat := cubintest.Flat(cubintest.CUDA5, elfs()...)
	flat = append(flat, make([]byte, 16)...)
	binary.LittleEndian.PutUint64(flat[8:], uint64(len(flat)-16))
	contents, err := cubin.Read(flat)
	require.NoError(t, err)
	require.Len(t, contents.Entries, 4)
	require.Equal(t, len(flat), contents.Size)
}

// patch returns data with the bytes at offset replaced by b.
func patch(data []byte, offset int, b ...byte) []byte {
	data = bytes.Clone(data)
	copy(data[offset:], b)
	return data
}

func TestFlatErrors(t *testing.T) {
	flat := cubintest.Flat(cubintest.CUDA5, compressed(cubin.Zlib, elfs()[1:2])...)
	lz4 := cubintest.Flat(cubintest.CUDA5, compressed(cubin.LZ4, elfs()[1:2])...)
	header := int(binary.LittleEndian.Uint32(flat[16+4:]))
	for _, c := range []struct {
		name    string
		data    []byte
		problem string
	}{
		{"version", patch(flat, 4, 2), "unknown version 2 with a header of 16 bytes"},
		{"header", patch(flat, 6, 8), "unknown version 1 with a header of 8 bytes"},
		{"size", patch(flat, 12, 1), "a size of 0x1"},
		{"cut off", flat[:len(flat)-1], "cannot be read"},
		{"cut off in the header", flat[:10], "fat binary header: the 16 bytes at 0x0 cannot be read"},
		{"entry cut off", patch(flat[:16+40], 8, 40, 0), "the header of an entry is cut off"},
		{"entry too long", patch(flat, 16+8, 0xff, 0xff), "bytes of content"},
		{"entry's header too short", patch(flat, 16+4, 1), "an entry with a header of 1 bytes"},
		{"entry's header too long", patch(flat, 16+4, 0xff, 0xff), "an entry with a header of 65535 bytes"},
		{"compressed before that was possible", patch(flat, 16+2, 0), "a compressed entry without its size"},
		{"zlib: no stream", patch(flat, 16+header, 0), "fat binary, zlib: zlib: invalid header"},
		{"zlib: longer than announced", patch(flat, 16+56, 1, 0), "more than the 1 bytes that were announced"},
		{"zlib: far longer than announced", patch(flat, 16+59, 0x10), "cannot hold"},
		{"zlib: shorter than announced", patch(flat, 16+57, 0x7), "unexpected EOF"},
		{"LZ4: longer than announced", patch(lz4, 16+56, 1, 0), "fat binary, LZ4: more than the bytes that were announced"},
		{"LZ4: shorter than announced", patch(lz4, 16+57, 0x7), "fewer than the bytes that were announced"},
		{"LZ4: far longer than announced", patch(lz4, 16+59, 0x10), "cannot hold"},
		{"beyond all limits", patch(lz4, 16+62, 1), "are more than an image can have"},
		{"another compression", cubintest.Flat(cubintest.CUDA5, compressed(cubin.Other, elfs()[1:2])...), "no tool that compiled for sm_1x wrote it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			img, err := cubin.Parse(c.data)
			require.Nil(t, img)
			require.ErrorContains(t, err, c.problem)
		})
	}
}

func TestLZ4Errors(t *testing.T) {
	for name, c := range map[string]struct {
		block   string
		problem string
	}{
		"literals beyond the end":  {"\xf0\xff", "literals beyond the end"},
		"too few literals":         {"\x50abc", "literals beyond the end"},
		"match before the start":   {"\x10a\x02\x00", "match before the start"},
		"distance of nothing":      {"\x10a\x00\x00", "match before the start"},
		"length beyond the end":    {"\x1fa\x01\x00\xff", "match beyond the end"},
		"match longer than wanted": {"\x1fa\x01\x00\xfe", "more than the bytes that were announced"},
	} {
		t.Run(name, func(t *testing.T) {
			flat := cubintest.Flat(cubintest.CUDA5, cubintest.Entry{Container: cubin.ELF, Arch: 10, Compression: cubin.LZ4, Data: make([]byte, 100)})
			header := 16 + int(binary.LittleEndian.Uint32(flat[16+4:]))
			flat = append(flat[:header], c.block...)
			binary.LittleEndian.PutUint64(flat[8:], uint64(len(flat)-16))
			binary.LittleEndian.PutUint64(flat[16+8:], uint64(len(c.block)))
			binary.LittleEndian.PutUint32(flat[16+16:], 0)
			_, err := cubin.Parse(flat)
			var broken *cubin.CompressionError
			require.ErrorAs(t, err, &broken)
			require.Equal(t, c.problem, broken.Problem)
		})
	}
}

// TestWrongPointers follows pointers to unreadable memory.
func TestWrongPointers(t *testing.T) {
	for _, word := range []int{4, 8} {
		memory := &cubintest.Memory{Word: word}
		words := func(values ...uint64) []byte {
			var b []byte
			for _, v := range values {
				b = append(b, binary.LittleEndian.AppendUint64(nil, v)[:word]...)
			}
			return b
		}
		wrapper := binary.LittleEndian.AppendUint64(nil, 0x1_466243b1)
		name := memory.Add([]byte("sm_10\x00"))
		endless := memory.Add([]byte("architecture {sm_10}")) // no NUL
		pair := memory.Add(words(name, endless))
		odd := memory.Add(words(endless, name))
		self := memory.Add(words(name, endless, 0, 1))
		copy(memory.At(self)[2*word:], words(self))
		for what, at := range map[string]uint64{
			"nothing":                         16,
			"the last address":                math.MaxUint64,
			"beyond addresses":                1 << 63,
			"wrapper: no container":           memory.Add(append(bytes.Clone(wrapper), words(16)...)),
			"wrapper: not a container":        memory.Add(append(bytes.Clone(wrapper), words(name)...)),
			"wrapper: cut off":                memory.Add(wrapper),
			"struct: cut off":                 memory.Add(words(0x1ee55a01, 1)),
			"struct: version 0":               memory.Add(words(0x1ee55a01, 0, 0, 0, 0, 0, 0, 0, 0)),
			"struct: no name":                 memory.Add(words(0x1ee55a01, 1, 0, 0, 16, 0, 0, 0, 0)),
			"struct: no list":                 memory.Add(words(0x1ee55a01, 1, 0, 0, 0, 0, 16, 0, 0)),
			"struct: text without an end":     memory.Add(words(0x1ee55a01, 1, 0, 0, 0, 0, 0, pair, 0)),
			"struct: profile without an end":  memory.Add(words(0x1ee55a01, 1, 0, 0, 0, 0, odd, 0, 0)),
			"struct: version 4 of 9 fields":   memory.Add(words(0x1ee55a01, 4, 0, 0, 0, 0, 0, 0, 0)),
			"struct: list without end":        memory.Add(words(0x1ee55a01, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, self)),
			"struct: no ELF list":             memory.Add(words(0x1ee55a01, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16)),
			"text without an end":             endless,
			"ELF without a header":            memory.Add([]byte("\x7fELF\x01\x01\x01")),
			"flat container without a header": memory.Add([]byte("\x50\xed\x55\xba\x01\x00\x10\x00")),
		} {
			t.Run(fmt.Sprintf("%s/%d-bit", what, 8*word), func(t *testing.T) {
				contents, err := cubin.Open(memory.Cubin(), at)
				require.Error(t, err)
				require.Nil(t, contents)
			})
		}
	}
}

func FuzzParseFatBinary(f *testing.F) {
	for _, how := range []cubin.Compression{cubin.Stored, cubin.Zlib, cubin.LZ4} {
		f.Add(cubintest.Flat(cubintest.CUDA5, compressed(how, elfs())...), uint64(0), false)
	}
	f.Add(cubintest.Flat(cubintest.CUDA4, elfs()...), uint64(0), true)
	for _, form := range []string{"struct 1", "struct 3", "struct 4", "wrapper 4.x"} {
		memory := &cubintest.Memory{Word: 4}
		at := forms[form].put(memory, forms[form].entries())
		f.Add(memory.Flatten(), at, true)
	}
	f.Fuzz(func(t *testing.T, data []byte, at uint64, narrow bool) {
		word := 8
		if narrow {
			word = 4
		}
		contents, err := cubin.Open(cubin.Memory{ReaderAt: bytes.NewReader(data), Word: word}, at)
		if err != nil {
			require.Nil(t, contents)
			return
		}
		for i := range contents.Entries {
			e := &contents.Entries[i]
			expanded, err := e.Data()
			if err == nil {
				require.LessOrEqual(t, len(expanded), 1032*(len(data)+1))
			}
			if img, err := e.Image(); err != nil {
				require.Nil(t, img)
			}
		}
	})
}
