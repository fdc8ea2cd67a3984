package conformance

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
	"jacquard/simt/conformance/random"
	"jacquard/simt/engine"
	"jacquard/simt/engine/reference"
	"jacquard/simt/maze"
	"jacquard/simt/program"
	"jacquard/tesla"
)

var kernels = flag.Int("conformance", 1, "kernels of each kind that conformance runs under each policy")

// Compile makes an engine of a program.
type Compile func(*program.Program) (engine.Code, error)

// Run holds an engine against the reference.
func Run(t *testing.T, compile Compile) {
	s := &suite{compile: compile}
	t.Run("straight", s.straight)
	t.Run("racing", s.racing)
	t.Run("mazes", s.mazes)
	t.Run("parting", s.parting)
	t.Run("mesa", s.mesa)
}

// Fuzz compares straight kernels of any seed.
func Fuzz(f *testing.F, compile Compile) {
	s := &suite{compile: compile}
	for _, arch := range tesla.Archs {
		f.Add(uint64(1), uint8(arch))
	}
	policies := maze.Policies()
	f.Fuzz(func(t *testing.T, seed uint64, arch uint8) {
		k, err := readForms(t, tesla.Archs[int(arch)%len(tesla.Archs)]).Straight(seed, random.NewSeen())
		require.NoError(t, err)
		s.check(t, &launch{Kernel: k, policy: policies[seed%uint64(len(policies))], mode: modeOf(seed)})
	})
}

// suite holds one engine against the reference.
type suite struct{ compile Compile }

// each calls run for every policy, with numbers that differ and modes that change.
func (s *suite) each(run func(policy string, n uint64, m mode)) {
	n := uint64(0)
	for round := range *kernels {
		for _, policy := range maze.Policies() {
			run(policy, n, modeOf(n+uint64(round)))
			n++
		}
	}
}

// straight runs kernels of every form of instruction.
func (s *suite) straight(t *testing.T) {
	forms := map[tesla.Arch]*random.Forms{}
	for _, arch := range tesla.Archs {
		forms[arch] = readForms(t, arch)
	}
	s.each(func(policy string, n uint64, m mode) {
		for _, arch := range tesla.Archs {
			k, err := forms[arch].Straight(n, random.NewSeen())
			require.NoError(t, err)
			s.check(t, &launch{Kernel: k, policy: policy, mode: m})
		}
	})
}

// readForms reads the vectors of the decoder.
func readForms(t *testing.T, arch tesla.Arch) *random.Forms {
	t.Helper()
	f, err := random.ReadForms(arch, filepath.Join(root(t), "decoder/testdata/decode-vectors.csv.gz"))
	require.NoError(t, err)
	return f
}

// root returns the folder of the module, which tests run below.
func root(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		above := filepath.Dir(dir)
		require.NotEqual(t, dir, above, "no go.mod above the test")
		dir = above
	}
}

// racing runs kernels in which any change of order shows.
func (s *suite) racing(t *testing.T) {
	s.each(func(policy string, n uint64, m mode) {
		k, err := random.Racing(n)
		require.NoError(t, err)
		s.check(t, &launch{Kernel: k, policy: policy, mode: m})
	})
}

// mazes runs kernels of every kind of control flow.
func (s *suite) mazes(t *testing.T) {
	s.each(func(policy string, n uint64, m mode) {
		k, err := mazeKernel(maze.New(n))
		require.NoError(t, err)
		s.check(t, &launch{Kernel: k, policy: policy, mode: m})
	})
}

// mazesApart is how many mazes parting runs for each kernel of the other kinds.
const mazesApart = 200

// parting runs mazes in which an engine may have lanes part and meet by itself.
func (s *suite) parting(t *testing.T) {
	for n := range uint64(*kernels) * mazesApart {
		k, err := mazeKernel(maze.New(n))
		require.NoError(t, err)
		s.check(t, &launch{Kernel: k, mode: modeOf(n)})
	}
}

// check runs a launch on the reference, and on the engine with all vector instructions of the host,
// least first. A policy may refuse the kernel.
func (s *suite) check(t *testing.T, l *launch) {
	t.Helper()
	want := l.run(t, reference.Compile, engine.Off)
	if errors.As(want.err, &refused) {
		return
	}
	tried := map[string]bool{}
	for _, simd := range simt.SIMDs() {
		got := l.run(t, s.compile, simd)
		d := want.difference(got)
		if d == "" {
			d = l.runsOn(t, s.compile, simd, want)
		}
		if d != "" {
			require.Failf(t, "the engine differs from the reference", "%s under %s with %s, mode %b: %s\n%s",
				l.Name, l.policy, simd, l.mode, d, l.text())
		}
		if tried[got.simd] {
			break // the engine has no more to show
		}
		tried[got.simd] = true
	}
}
