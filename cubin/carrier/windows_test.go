package carrier_test

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/cubin/carrier"
	"jacquard/internal/test/cubintest"
	"jacquard/tesla"
)

var le = binary.LittleEndian

// windows writes files of Windows with one struct of pointers in them, as compilers of the time put
// it there.
type windows struct {
	machine uint16
	word    int
	big     bool // an object file with many sections
}

var windowsKinds = map[string]windows{
	"64-bit": {0x8664, 8, false}, "32-bit": {0x14c, 4, false}, "arm64": {0xaa64, 8, false}, "64-bit, many sections": {0x8664, 8, true},
}

// memory holds the struct with all forms of a module; its address comes first.
func (w windows) memory() (m *cubintest.Memory, at uint64) {
	m = &cubintest.Memory{Word: w.word, Long: 4}
	return m, m.Struct(4, "old.cu",
		cubintest.Entry{Container: cubin.PTX, Arch: 10, Data: []byte(".version 1.4")},
		cubintest.Entry{Container: cubin.Text, Arch: 10, Data: []byte(text)},
		cubintest.Entry{Container: cubin.ELF, Arch: 13, Data: elf(tesla.SM13)})
}

const windowsName = "a_long_name_of_a_section"

// object writes an object file with other data in its first section and the memory in its second.
// Pointers are relocations against a symbol 32 bytes into the section.
func (w windows) object() []byte {
	m, _ := w.memory()
	data := m.Flatten()
	data = append(data, make([]byte, -len(data)&7)...)
	pointers := m.Pointers()
	const before, symbolValue = 64, 32
	header, record := 20, 18
	if w.big {
		header, record = 56, 20
	}
	start := header + 2*40
	dataAt := start + before
	relocations := dataAt + len(data)
	symbols := relocations + 10*len(pointers)
	var b []byte
	if w.big {
		b = le.AppendUint16(le.AppendUint16(le.AppendUint16(le.AppendUint16(nil, 0), 0xffff), 2), w.machine)
		b = append(b, make([]byte, 36)...)
		b = le.AppendUint32(le.AppendUint32(le.AppendUint32(b, 2), uint32(symbols)), 2)
	} else {
		b = le.AppendUint16(le.AppendUint16(nil, w.machine), 2)
		b = le.AppendUint32(le.AppendUint32(le.AppendUint32(b, 0), uint32(symbols)), 2)
		b = le.AppendUint32(b, 0)
	}
	section := func(name string, size, offset, relocations, count int) {
		b = append(b, append([]byte(name), make([]byte, 8-len(name))...)...)
		for _, v := range []int{0, 0, size, offset, relocations, 0, count, 0x40000040} {
			if v == count && relocations+count > 0 && count > 0 {
				b = le.AppendUint16(le.AppendUint16(b, uint16(count)), 0)
				continue
			}
			b = le.AppendUint32(b, uint32(v))
		}
	}
	section(".text", before, start, 0, 0)
	section("/4", len(data), dataAt, relocations, len(pointers))
	b = append(b, make([]byte, before)...)
	for _, at := range pointers {
		place := data[at:][:w.word]
		v := make([]byte, 8)
		copy(v, place)
		le.PutUint64(v, le.Uint64(v)-symbolValue)
		copy(place, v)
	}
	b = append(b, data...)
	kind := map[uint16]uint16{0x8664: 1, 0x14c: 6, 0xaa64: 14}[w.machine]
	for _, at := range pointers {
		b = le.AppendUint16(le.AppendUint32(le.AppendUint32(b, uint32(at)), 1), kind)
	}
	for i, name := range []string{"start", "fat"} {
		b = append(b, append([]byte(name), make([]byte, 8-len(name))...)...)
		b = le.AppendUint16(le.AppendUint32(b, uint32(symbolValue*i)), uint16(i+1))
		b = append(b, make([]byte, record-14)...)
	}
	return append(append(le.AppendUint32(b, 4+uint32(len(windowsName))+1), windowsName...), 0)
}

// program writes a program. Its pointers are in place.
func (w windows) program() []byte {
	m, _ := w.memory()
	data := m.Flatten()
	base := uint64(0x400000)
	const rva, header = 0x3000, 0x400
	for _, at := range m.Pointers() {
		v := make([]byte, 8)
		copy(v, data[at:][:w.word])
		le.PutUint64(v, le.Uint64(v)+base+rva)
		copy(data[at:][:w.word], v)
	}
	b := append([]byte("MZ"), make([]byte, 0x3a)...)
	b = le.AppendUint32(b, 0x80)
	b = append(b, make([]byte, 0x80-len(b))...)
	b = append(b, "PE\x00\x00"...)
	b = le.AppendUint16(le.AppendUint16(b, w.machine), 1)
	b = append(b, make([]byte, 12)...)
	b = le.AppendUint16(le.AppendUint16(b, 240), 2)
	optional := make([]byte, 240)
	le.PutUint16(optional, 0x10b)
	le.PutUint32(optional[28:], uint32(base))
	if w.word == 8 {
		le.PutUint16(optional, 0x20b)
		le.PutUint64(optional[24:], base)
	}
	b = append(b, optional...)
	b = append(b, ".nvFatBi"...)
	for _, v := range []int{len(data) + 0x1000, rva, len(data), header, 0, 0, 0, 0x40000040} {
		b = le.AppendUint32(b, uint32(v))
	}
	return append(append(b, make([]byte, header-len(b))...), data...)
}

// requireForms checks the forms of the module in a file.
func requireForms(t *testing.T, m carrier.Module) {
	t.Helper()
	var got []string
	for i := range m.Contents.Entries {
		e := &m.Contents.Entries[i]
		got = append(got, e.Container.String()+" for "+e.Target()+" "+e.Source)
		if e.Container != cubin.PTX {
			img, err := e.Image()
			require.NoError(t, err)
			require.NotNil(t, img.Kernel("k"))
		}
	}
	require.Equal(t, []string{"PTX for compute_10 old.cu", "text cubin for sm_10 old.cu", "ELF cubin for sm_13 old.cu"}, got)
}

func TestWindows(t *testing.T) {
	for name, w := range windowsKinds {
		files := map[string][]byte{"Windows object file": w.object()}
		section := map[string]string{"Windows object file": windowsName, "Windows program": ".nvFatBi"}
		if !w.big {
			files["Windows program"] = w.program()
		}
		for kind, data := range files {
			t.Run(name+"/"+kind, func(t *testing.T) {
				found, err := carrier.Find(data)
				require.NoError(t, err)
				require.Equal(t, kind, found.Kind)
				require.Len(t, found.Modules, 1)
				requireForms(t, found.Modules[0])
				require.Equal(t, section[kind], found.Modules[0].Section)
				require.Equal(t, w.word, found.Modules[0].Pointer)
			})
		}
	}
}

// archive writes an archive of files, with a long name as Linux writes it and one as BSD does.
func archive(files ...[]byte) []byte {
	names := []string{"short.o/", "/0", "#1/20"}
	b := []byte("!<arch>\n")
	add := func(name string, data []byte) {
		b = append(b, slicesOf(name, bytes.Repeat([]byte(" "), 48-len(name)))...)
		size := []byte("          ")
		copy(size, []byte(strconv.Itoa(len(data))))
		b = append(append(append(b, size...), "`\n"...), data...)
		if len(data)%2 == 1 {
			b = append(b, '\n')
		}
	}
	add("/", []byte("\x00\x00\x00\x00")) // the table of symbols
	add("//", []byte("the_second_object.o/\n"))
	for i, f := range files {
		if i == 2 {
			f = append(append([]byte("the third object.o"), 0, 0), f...)
		}
		add(names[i], f)
	}
	return b
}

// TestArchives takes an archive apart: its members are files of any kind.
func TestArchives(t *testing.T) {
	wide, narrow := windowsKinds["64-bit"].object(), windowsKinds["32-bit"].object()
	data := archive(append(wide, 0)[:len(wide)], flat(tesla.SM11), narrow)
	found, err := carrier.Find(data)
	require.NoError(t, err)
	require.Equal(t, "archive", found.Kind)
	require.Len(t, found.Modules, 3)
	requireForms(t, found.Modules[0])
	requireForms(t, found.Modules[2])
	for i, want := range []struct {
		member  string
		pointer int
	}{{"short.o", 8}, {"the_second_object.o", 0}, {"the third object.o", 4}} {
		m := found.Modules[i]
		require.Equal(t, want.member, m.Member)
		require.Equal(t, want.pointer, m.Pointer)
	}
	require.Equal(t, "\x50\xed\x55\xba", string(data[found.Modules[1].Offset:][:4]))
}
