package carrier_test

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin/carrier"
	"jacquard/internal/test/mutate"
	"jacquard/tesla"
)

// hostFiles are files of all kinds, small ones.
func hostFiles(t *testing.T) (list [][]byte) {
	for _, w := range windowsKinds {
		list = append(list, w.object(), w.program())
	}
	list = append(list, archive(list[0], flat(tesla.SM11), list[1]))
	if _, err := exec.LookPath("cc"); err != nil {
		return list
	}
	source := filepath.Join(t.TempDir(), "x.c")
	require.NoError(t, os.WriteFile(source, []byte(`
static const char *const none[] = {0, 0};
struct { unsigned long magic, version, stamp; const void *rest[13]; } fat = {0x1ee55a01, 3, 0, {"key", "old.cu", " ", none, none, none}};
`), 0o666))
	for _, flags := range [][]string{{"-c"}, {"-c", "-m32"}, {"-shared", "-fpic"}} {
		object := filepath.Join(t.TempDir(), "x.o")
		if exec.Command("cc", append(flags, source, "-o", object)...).Run() == nil {
			data, err := os.ReadFile(object)
			require.NoError(t, err)
			list = append(list, data)
		}
	}
	return list
}

// TestDamagedFiles reads files with random changes, and all images that are found in them.
func TestDamagedFiles(t *testing.T) {
	mutate.Run(t, "FuzzFind", hostFiles(t), mutate.Bytes, func(data []byte) {
		found, err := carrier.Find(data)
		if err != nil {
			require.Nil(t, found)
			return
		}
		for _, m := range found.Modules {
			require.Less(t, m.Offset, int64(max(len(data), 1)))
			for i := range m.Contents.Entries {
				_, _ = m.Contents.Entries[i].Image()
			}
		}
	})
}

// TestHostileFiles has headers that make everything of one file many times: the work is bounded by
// the length of the file. The test would take hours without bounds, and more memory than there is.
func TestHostileFiles(t *testing.T) {
	const size = 1 << 20
	t.Run("containers", func(t *testing.T) { // each as long as the file, with a broken end
		data := append([]byte("MZ"), bytes.Repeat([]byte("\x50\xed\x55\xba\x01\x00\x10\x00\x00\x00\x08\x00\x00\x00\x00\x00"), size/16)...)
		found, err := carrier.Find(data)
		require.NoError(t, err)
		require.Empty(t, found.Modules)
	})
	t.Run("segments", func(t *testing.T) { // each is the whole file
		data := make([]byte, size)
		copy(data, "\x7fELF\x02\x01\x01")
		le.PutUint16(data[16:], 2)
		le.PutUint16(data[18:], 62)
		le.PutUint32(data[20:], 1)
		le.PutUint64(data[32:], 64)
		le.PutUint16(data[52:], 64)
		le.PutUint16(data[54:], 56)
		le.PutUint16(data[56:], 15000)
		copy(data[64+56*15000:], bytes.Repeat([]byte("\x01\x5a\xe5\x1e"), (size-64-56*15000)/4))
		for i := range 15000 {
			h := data[64+56*i:]
			le.PutUint32(h, 1)
			le.PutUint64(h[16:], uint64(i)<<32)
			le.PutUint64(h[32:], size)
			le.PutUint64(h[40:], math.MaxUint64)
		}
		_, err := carrier.Find(data)
		require.NoError(t, err)
	})
	t.Run("relocations", func(t *testing.T) { // all sections have the same 65,535
		b := le.AppendUint16(le.AppendUint16(nil, 0x8664), 20000)
		b = append(b, make([]byte, 16)...)
		for range 20000 {
			header := make([]byte, 40)
			le.PutUint32(header[16:], 64)
			le.PutUint32(header[20:], 20)
			le.PutUint32(header[24:], 20)
			le.PutUint16(header[32:], 0xffff)
			b = append(b, header...)
		}
		found, err := carrier.Find(b)
		require.NoError(t, err)
		require.Equal(t, "Windows object file", found.Kind)
	})
	t.Run("entries", func(t *testing.T) { // before zeros
		entry := append([]byte{1, 0, 0, 0, 0x38}, make([]byte, 0x38-5)...)
		data := append([]byte("MZ"), container(append(bytes.Repeat(entry, 2*size/len(entry)), make([]byte, 2*size)...))...)
		found, err := carrier.Find(data)
		require.NoError(t, err)
		require.Len(t, found.Modules, 1)
		require.Len(t, found.Modules[0].Contents.Entries, 2*size/len(entry))
	})
	t.Run("names", func(t *testing.T) { // all sections have the same, which does not end
		found, err := carrier.Find(append(coff(0xffff, "/3000000"), bytes.Repeat([]byte("x"), 8*size)...))
		require.NoError(t, err)
		require.Equal(t, "Windows object file", found.Kind)
	})
	t.Run("sections", func(t *testing.T) { // none holds any of many modules
		module := container(append([]byte{1, 0, 0, 0, 0x38}, make([]byte, 0x38-5)...))
		found, err := carrier.Find(append(coff(0xffff, "x"), bytes.Repeat(module, 0xffff)...))
		require.NoError(t, err)
		require.NotEmpty(t, found.Modules)
	})
	t.Run("a link to no section", func(t *testing.T) { // negative where int has 32 bits
		data := make([]byte, 64+3*64)
		copy(data, "\x7fELF\x02\x01\x01")
		for at, v := range map[int]uint16{16: 3, 18: 62, 20: 1, 52: 64, 58: 64, 60: 3, 62: 1} {
			le.PutUint16(data[at:], v)
		}
		le.PutUint64(data[40:], 64) // section headers: none, the names, relocations
		le.PutUint32(data[64+64+4:], 3)
		le.PutUint64(data[64+64+24:], 8)
		le.PutUint64(data[64+64+32:], 1)
		le.PutUint32(data[64+128+4:], 9)
		le.PutUint32(data[64+128+40:], 1<<31)
		le.PutUint32(data[64+128+44:], 1<<31)
		for _, kind := range []uint16{1, 3} {
			le.PutUint16(data[16:], kind)
			_, err := carrier.Find(data)
			require.NoError(t, err)
		}
	})
}

// container returns a flat container of entries.
func container(entries []byte) []byte {
	return append(le.AppendUint64([]byte("\x50\xed\x55\xba\x01\x00\x10\x00"), uint64(len(entries))), entries...)
}

// coff returns a Windows object file of empty sections with the same name.
func coff(sections int, name string) []byte {
	b := append(le.AppendUint16(le.AppendUint16(nil, 0x8664), uint16(sections)), make([]byte, 16)...)
	header := make([]byte, 40)
	copy(header, name)
	return append(b, bytes.Repeat(header, sections)...)
}
