package nvcc

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/toolkit/options"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestDryrun compares the steps of command lines with testdata/dryrun.txt.
func TestDryrun(t *testing.T) {
	const golden = "testdata/dryrun.txt"
	text, err := os.ReadFile(golden)
	require.NoError(t, err)
	t.Setenv("TMPDIR", "/tmp")
	toolkit := Toolkit{Root: "/toolkit", Clang: "clang++"}
	var got bytes.Buffer
	for line := range strings.Lines(string(text)) {
		command, found := strings.CutPrefix(line, "$ nvcc ")
		if !found {
			continue
		}
		got.WriteString(line)
		args := append(options.Words(command), "-dryrun")
		var out strings.Builder
		require.NoError(t, Run(toolkit, args, &out, &out), command)
		for step := range strings.Lines(out.String()) {
			if !fact.MatchString(step) {
				got.WriteString(step)
			}
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(golden, got.Bytes(), 0o666))
		return
	}
	require.Equal(t, string(text), got.String(), "go test ./toolkit/nvcc -update writes it anew")
}

// fact is a line that is no step.
var fact = regexp.MustCompile(`^#\$ [A-Z]+=`)

// CMake reads these lines, and takes that which has LIBRARIES for the linker's.
func TestFacts(t *testing.T) {
	t.Setenv("PATH", "/bin")
	var out strings.Builder
	require.NoError(t, Run(Toolkit{Root: "/toolkit", Clang: "true"}, []string{"-v", "-gencode=arch=compute_30,code=sm_30", "-gencode=arch=compute_50,code=sm_50", "k.o"}, &out, &out))
	require.Equal(t, `#$ TOP=/toolkit
#$ PATH=/bin
#$ INCLUDES=-I/toolkit/include
#$ LIBRARIES=-L/toolkit/lib64
#$ ARCHITECTURE=-arch compute_30
#$ ARCHITECTURE=-arch compute_50
#$ true -o a.out -Wl,--start-group k.o -L/toolkit/lib64 -lcudart_static -lrt -lpthread -ldl -Wl,--end-group
`, out.String())
}

// -dryrun prints commands that a shell takes, and runs none.
func TestDryrunDoesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	var out bytes.Buffer
	require.NoError(t, Run(Toolkit{Clang: filepath.Join(dir, "my clang")}, []string{"-dryrun", "k.cu"}, &out, &out))
	require.Contains(t, out.String(), "#$ '"+dir+"/my clang' -x cuda")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}
