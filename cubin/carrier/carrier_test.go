package carrier_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/cubin/carrier"
	"jacquard/internal/test/cubintest"
	"jacquard/tesla"
)

const text = "architecture {sm_10} code { name = k bincode { 0xf0000001 0xe0000001 } }"

// elf returns an ELF cubin with one kernel.
func elf(arch tesla.Arch) []byte {
	img := &cubin.Image{Arch: arch, Kernels: []cubin.Kernel{{Name: "k", Shared: 16, Code: []uint32{0xf0000001, 0xe0000001}}}}
	return cubintest.ELF{Wide: true}.Write(img)
}

func flat(arch tesla.Arch) []byte {
	return cubintest.Flat(cubintest.CUDA4, cubintest.Entry{Container: cubin.ELF, Arch: 10 + int(arch), Data: elf(arch)})
}

func TestFilesThatAreModules(t *testing.T) {
	for name, c := range map[string]struct {
		data []byte
		want cubin.Container
	}{
		"text": {[]byte(text), cubin.Text}, "ELF": {elf(tesla.SM12), cubin.ELF}, "flat": {flat(tesla.SM12), cubin.FatBinary},
		"PTX": {[]byte(".version 1.4"), cubin.PTX},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := carrier.Find(c.data)
			require.NoError(t, err)
			require.False(t, found.Program)
			require.Len(t, found.Modules, 1)
			require.Equal(t, c.want, found.Modules[0].Contents.Container)
		})
	}
}

// An ELF cubin does not name its architecture.
func TestELFCubinForNothing(t *testing.T) {
	data := elf(tesla.SM10)
	data[48] = 0
	found, err := carrier.Find(data)
	require.NoError(t, err)
	require.False(t, found.Program)
	_, err = found.Modules[0].Contents.Image(tesla.SM13)
	require.ErrorContains(t, err, `unknown architecture "sm_0"`)
}

func TestFilesThatAreNothing(t *testing.T) {
	for name, c := range map[string]struct {
		data    []byte
		problem string
	}{
		"nothing":          {nil, "empty data"},
		"noise":            {[]byte("\x00\x01"), "empty data"},
		"other data":       {[]byte("\x89PNG\r\n\x1a\n"), "unknown data"},
		"thin archive":     {[]byte("!<thin>\n"), "a thin archive, which holds the names"},
		"broken ELF cubin": {elf(tesla.SM10)[:100], "cannot be read"},
		"broken container": {flat(tesla.SM10)[:40], "cannot be read"},
		"a struct alone":   {append([]byte("\x01\x5a\xe5\x1e\x00\x00\x00\x00\x01"), make([]byte, 100)...), "no machine code"},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := carrier.Find(c.data)
			if err == nil {
				_, err = found.Modules[0].Contents.Select(tesla.SM13)
			}
			require.ErrorContains(t, err, c.problem)
		})
	}
}

// TestAnyHostFile finds flat containers in files of all systems, among bytes that look like one.
func TestAnyHostFile(t *testing.T) {
	magic := "\x50\xed\x55\xba\x01\x00\x10\x00"
	for _, start := range []string{"!<arch>\n", "MZ", "\xcf\xfa\xed\xfe", "\x7fELF"} {
		data := slicesOf(start, magic, "\x01\x5a\xe5\x1e", flat(tesla.SM11), "odd", flat(tesla.SM13), magic)
		found, err := carrier.Find(data)
		require.NoError(t, err)
		require.True(t, found.Program)
		require.Len(t, found.Modules, 2)
		for i, arch := range []int{11, 13} {
			m := found.Modules[i]
			require.Equal(t, arch, m.Contents.Entries[0].Arch)
			require.Equal(t, magic, string(data[m.Offset:m.Offset+8]))
			require.Empty(t, m.Section)
		}
	}
}

func slicesOf(parts ...any) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		fmt.Fprintf(&b, "%s", p)
	}
	return b.Bytes()
}

// program is C source of a program that carries a fat binary of each kind.
const program = `
struct elf { const char *name; const void *data; struct elf *next; unsigned size; };
static const char text[] = "` + text + `";
static const char *const cubins[] = {"sm_10", text, 0, 0};
static const char *const none[] = {0, 0};
static const char elf[] = {@ELF@};
static struct elf end;
static struct elf list = {"sm_13", elf, &end, sizeof elf};
static struct {
	unsigned long magic, version, stamp;
	const char *key, *ident, *usage;
	const void *ptx, *cubins, *debug, *info;
	unsigned flags;
	const void *exported, *imported, *dependants;
	unsigned hash;
	struct elf *elf;
} fat __attribute__((section(".nvFatBinSegment"), used)) = {
	0x1ee55a01, 4, 0, "key", "old.cu", " ", none, cubins, none, 0, 0, 0, 0, 0, 0, &list,
};
static const char container[] __attribute__((section(".nv_fatbin"), aligned(8), used)) = {@FLAT@};
int main(void) { return 0; }
`

// TestPrograms finds both kinds in programs and object files of a C compiler: fixed and relocatable,
// 64-bit and 32-bit.
func TestPrograms(t *testing.T) {
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "cc"
	}
	if _, err := exec.LookPath(cc); err != nil {
		t.Skipf("no compiler: %v; install one or set CC", err)
	}
	source := strings.NewReplacer("@ELF@", numbers(elf(tesla.SM13)), "@FLAT@", numbers(flat(tesla.SM12))).Replace(program)
	dir := t.TempDir()
	file := filepath.Join(dir, "program.c")
	require.NoError(t, os.WriteFile(file, []byte(source), 0o666))
	for name, flags := range map[string][]string{
		"fixed": {"-no-pie", "-fno-pie"}, "position-independent": {"-pie", "-fpie"}, "library": {"-shared", "-fpic"},
		"32-bit": {"-m32", "-no-pie", "-fno-pie"}, "32-bit position-independent": {"-m32", "-pie", "-fpie"},
		"object": {"-c", "-fpic"}, "fixed object": {"-c", "-fno-pic"}, "32-bit object": {"-c", "-m32"},
	} {
		t.Run(name, func(t *testing.T) {
			exe := filepath.Join(dir, name)
			out, err := exec.Command(cc, append(flags, file, "-w", "-o", exe)...).CombinedOutput()
			if err != nil && strings.HasPrefix(name, "32-bit") {
				t.Skipf("the compiler makes no 32-bit programs: install gcc-multilib")
			}
			require.NoError(t, err, "%s", out)
			data, err := os.ReadFile(exe)
			require.NoError(t, err)
			found, err := carrier.Find(data)
			require.NoError(t, err)
			require.True(t, found.Program)
			require.Equal(t, map[bool]string{false: "program", true: "object file"}[strings.HasSuffix(name, "object")], found.Kind)
			got := map[string][]string{}
			for _, m := range found.Modules {
				for i := range m.Contents.Entries {
					e := &m.Contents.Entries[i]
					img, err := e.Image()
					require.NoError(t, err)
					got[m.Section] = append(got[m.Section], e.Container.String()+" for "+e.Target()+" "+e.Source)
					require.NotNil(t, img.Kernel("k"))
				}
			}
			require.Equal(t, map[string][]string{
				".nvFatBinSegment": {"text cubin for sm_10 old.cu", "ELF cubin for sm_13 old.cu"},
				".nv_fatbin":       {"ELF cubin for sm_12 "},
			}, got)
		})
	}
}

// numbers writes bytes as a C initialiser.
func numbers(data []byte) string {
	var b strings.Builder
	for _, c := range data {
		fmt.Fprintf(&b, "%d,", int8(c))
	}
	return b.String()
}

func FuzzFind(f *testing.F) {
	f.Add(slicesOf("!<arch>\n", flat(tesla.SM11)))
	f.Add(slicesOf("\x7fELF", "\x01\x5a\xe5\x1e", flat(tesla.SM11)))
	header := binary.LittleEndian.AppendUint32(nil, 0x464c457f)
	f.Add(append(header, 2, 1, 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		found, err := carrier.Find(data)
		if err != nil {
			require.Nil(t, found)
			return
		}
		for _, m := range found.Modules {
			require.NotEmpty(t, m.Contents)
		}
	})
}
