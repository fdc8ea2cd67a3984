package clang

import (
	"archive/zip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/tesla"
)

const folder = "../../../testdata/clang"

// releases are the archives of PTX, by the release of clang that wrote it.
var releases = []string{"clang14", "clang19", "clang22"}

// open returns the PTX that a release wrote.
func open(t testing.TB, release string) fs.FS {
	archive, err := zip.OpenReader(filepath.Join(folder, release+".zip"))
	require.NoError(t, err)
	t.Cleanup(func() { archive.Close() })
	return archive
}

// refused says why an architecture cannot express the kernels of a source.
func refused(source string, arch tesla.Arch) string {
	switch {
	case source == "doubles" && arch < tesla.SM13:
		return "has no double precision"
	case source == "atomics" && arch < tesla.SM11:
		return "has no atomic operation of 32 bits"
	}
	return ""
}

// eachFile calls check for the PTX of every source, release and level of optimisation.
func eachFile(t *testing.T, check func(t *testing.T, s *source, m *ptx.Module)) {
	for _, release := range releases {
		files := open(t, release)
		for i := range sources {
			s := &sources[i]
			for level := range 4 {
				name := fmt.Sprintf("%s-O%d.ptx", s.name, level)
				t.Run(release+"/"+name, func(t *testing.T) {
					t.Parallel()
					text, err := fs.ReadFile(files, name)
					require.NoError(t, err)
					m, err := ptx.Parse(name, text)
					require.NoError(t, err)
					check(t, s, m)
				})
			}
		}
	}
}

// The reference computes as the host does.
func TestReference(t *testing.T) {
	eachFile(t, func(t *testing.T, s *source, m *ptx.Module) {
		for i := range s.kernels {
			k := &s.kernels[i]
			got, err := interpret(m, k, s.n)
			requireWords(t, s, k, got, err)
		}
	})
}

// Machine code of every architecture computes as the host does, where the architecture can express
// the kernel.
func TestMachine(t *testing.T) {
	for _, arch := range tesla.Archs {
		t.Run(arch.String(), func(t *testing.T) {
			eachFile(t, func(t *testing.T, s *source, m *ptx.Module) { checkMachine(t, s, m, arch) })
		})
	}
}

func checkMachine(t *testing.T, s *source, m *ptx.Module, arch tesla.Arch) {
	im, err := compile.Compile(m, compile.Options{Arch: arch, Verify: true})
	if why := refused(s.name, arch); why != "" {
		require.ErrorContains(t, err, arch.String()+" "+why)
		t.Skipf("%s %s", arch, why)
	}
	require.NoError(t, err)
	require.Len(t, im.Kernels, len(s.kernels))
	for i := range s.kernels {
		k := &s.kernels[i]
		got, err := execute(im, k, s.n)
		requireWords(t, s, k, got, err)
	}
}

// requireWords compares a kernel's stores with the host's results.
func requireWords(t *testing.T, s *source, k *kernel, got []uint32, err error) {
	t.Helper()
	require.NoError(t, err, k.name)
	want := make([]uint32, s.n*k.out)
	k.host(k.input(s.n), want, s.n)
	for i := range want {
		require.Equal(t, want[i], got[i], "%s: word %d of item %d is %#x instead of %#x",
			k.name, i%k.out, i/k.out, got[i], want[i])
	}
}

// Every kernel of the sources has a body here, and the PTX belongs to the sources: the folder has
// their checksums. "make clang" writes both.
func TestSources(t *testing.T) {
	total := 0
	for _, s := range sources {
		text := read(t, s.name+".cu") + read(t, s.name+".cl")
		names := declared.FindAllStringSubmatch(text, -1)
		require.Len(t, names, len(s.kernels), s.name)
		for i, k := range s.kernels {
			require.Equal(t, names[i][1], k.name)
		}
		total += len(names)
	}
	require.GreaterOrEqual(t, total, 60)
	for line := range strings.Lines(read(t, "SHA256SUMS")) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		require.Equal(t, sum, sumOf(read(t, name)), `%s has changed: "make clang" compiles it`, name)
	}
}

// declared matches the name of a kernel in a source.
var declared = regexp.MustCompile(`(?m)^(?:KERNEL|kernel void|void) (\w+)\(`)

// read returns a file of the folder, "" if there is none.
func read(t *testing.T, name string) string {
	text, err := os.ReadFile(filepath.Join(folder, name))
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
	}
	return string(text)
}

func sumOf(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
