package fpu_test

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fused matches a line of disassembly with FMADD, FMSUB, FNMADD or FNMSUB and captures the position
// in the source.
var fused = regexp.MustCompile(`^\s*(\S+\.go):(\d+)\s.*\sFN?M(?:ADD|SUB)`)

// Compilers may fuse x*y+z into one rounding. In this package only math.FMA may be fused; the test
// disassembles it for arm64, which can fuse. (x86 can from GOAMD64=v3 on; the tests run there.)
func TestNothingIsFusedThatShouldRoundTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("cross-compiling takes seconds")
	}
	archive := filepath.Join(t.TempDir(), "fpu.a")
	build := exec.Command("go", "build", "-o", archive, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=arm64")
	text, err := build.CombinedOutput()
	require.NoError(t, err, "%s", text)
	text, err = exec.Command("go", "tool", "objdump", archive).Output()
	require.NoError(t, err)
	require.Contains(t, string(text), "fpu.MadRow(SB)")
	asked := 0
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		m := fused.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		require.Contains(t, sourceLine(t, m[1], m[2]), "math.FMA(", "fused by the compiler: %s", lines.Text())
		asked++
	}
	require.NotZero(t, asked, "no math.FMA found: are fused instructions recognised?")
}

func sourceLine(t *testing.T, file, number string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	n, err := strconv.Atoi(number)
	require.NoError(t, err)
	return strings.Split(string(text), "\n")[n-1]
}
