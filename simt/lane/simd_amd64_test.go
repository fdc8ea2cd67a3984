package lane

import (
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestSelLayout compares the offsets in the assembly (cmd/gen/kernels/loops.go) with the
// compiler's.
func TestSelLayout(t *testing.T) {
	var s Sel
	require.EqualValues(t, 0, unsafe.Offsetof(s.N))
	require.EqualValues(t, 8, unsafe.Offsetof(s.Full))
	require.EqualValues(t, 9, unsafe.Offsetof(s.Warp))
	require.EqualValues(t, 28, unsafe.Offsetof(s.Mask))
	var f Flags
	require.EqualValues(t, 16, unsafe.Sizeof(f))
	require.EqualValues(t, 8, unsafe.Offsetof(f.C))
}

// TestNoKernelIsForgotten checks that every field of a vector set has a vector kernel.
func TestNoKernelIsForgotten(t *testing.T) {
	off := reflect.ValueOf(*portable())
	for _, k := range Sets()[1:] {
		v := reflect.ValueOf(*k)
		for i := range v.NumField() {
			if v.Field(i).Kind() == reflect.Func {
				require.NotEqual(t, off.Field(i).Pointer(), v.Field(i).Pointer(), "%s of %s", v.Type().Field(i).Name, k.SIMD)
			}
		}
	}
}

// instruction and dump match lines of the assembler's listing: the start of an instruction in a
// function, and the bytes of the function from an address on.
var (
	instruction = regexp.MustCompile(`^\t0x[0-9a-f]+ ([0-9]+) \(\S+\)\t([A-Z]\S*)`)
	dump        = regexp.MustCompile(`^\t0x([0-9a-f]{4,}) ((?:[0-9a-f]{2} ?){1,16}) `)
)

// TestAVX2HasNoEVEX assembles the AVX2 kernels and tests the first byte of every instruction,
// because the assembler silently chooses the encoding of AVX-512 if no other fits. The AVX-512
// kernels show that the test would notice.
func TestAVX2HasNoEVEX(t *testing.T) {
	require.Zero(t, countEVEX(t, "*_avx2_amd64.s"))
	require.NotZero(t, countEVEX(t, "*_avx512_amd64.s"))
}

func countEVEX(t *testing.T, pattern string) (n int) {
	t.Helper()
	const evex = 0x62
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	include := filepath.Join(strings.TrimSpace(string(root)), "pkg", "include")
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		listing, err := exec.Command("go", "tool", "asm", "-p", "lane", "-I", include, "-S", "-o", filepath.Join(t.TempDir(), "o"), file).CombinedOutput()
		require.NoError(t, err, "%s", listing)
		starts, code := map[int]string{}, map[int]byte{}
		finish := func() {
			for at, name := range starts {
				b, ok := code[at]
				require.True(t, ok, "%s: no bytes at %d", file, at)
				if b == evex {
					n++
					if n == 1 {
						t.Logf("%s: %s at %d is EVEX", file, name, at)
					}
				}
			}
			starts, code = map[int]string{}, map[int]byte{}
		}
		function := false
		for line := range strings.Lines(string(listing)) {
			if line[0] != '\t' { // the next symbol
				finish()
				function = strings.Contains(line, " STEXT ")
			} else if m := instruction.FindStringSubmatch(line); m != nil {
				if m[2] != "TEXT" && m[2] != "FUNCDATA" && m[2] != "PCDATA" && m[2] != "DATA" && m[2] != "GLOBL" {
					at, err := strconv.Atoi(m[1])
					require.NoError(t, err)
					starts[at] = m[2]
				}
			} else if m := dump.FindStringSubmatch(line); m != nil && function {
				at, err := strconv.ParseInt(m[1], 16, 32)
				require.NoError(t, err)
				for i, b := range strings.Fields(m[2]) {
					v, err := strconv.ParseUint(b, 16, 8)
					require.NoError(t, err)
					code[int(at)+i] = byte(v)
				}
			}
		}
		finish()
	}
	return n
}
