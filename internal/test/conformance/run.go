package conformance

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/conformance/random"
	"jacquard/internal/test/maze"
	"jacquard/simt"
	"jacquard/simt/engine"
	"jacquard/simt/engine/reference"
	"jacquard/simt/program"
	"jacquard/tesla"
)

var (
	kernels = flag.Int("conformance", 1, "kernels of each kind that conformance runs under each policy")
	first   = flag.Uint64("conformance-first", 0, "the seed of the first kernel")
	names   = flag.String("policies", "all", "policies of conformance, as the oracle takes them")
)

// Compile makes an engine of a program.
type Compile func(*program.Program) (engine.Code, error)

// Run holds an engine against the reference.
func Run(t *testing.T, compile Compile) {
	policies, err := maze.ParsePolicies(*names)
	require.NoError(t, err)
	s := &suite{compile, policies}
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) { s.random(t, kind) })
	}
	t.Run("narrow", s.narrow)
	t.Run("parting", s.parting)
	t.Run("mesa", s.mesa)
}

// Fuzz compares kernels of any kind, device and seed.
func Fuzz(f *testing.F, compile Compile) {
	s := &suite{compile, maze.Policies()}
	for i := range kinds {
		for _, arch := range tesla.Archs {
			f.Add(uint64(1), uint8(arch), uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64, arch, kind uint8) {
		k, err := kinds[int(kind)%len(kinds)].write(forms(t, tesla.Archs[int(arch)%len(tesla.Archs)]), seed)
		require.NoError(t, err)
		s.check(t, &launch{Kernel: k, policy: s.policies[seed%uint64(len(s.policies))], mode: modeOf(seed)})
	})
}

// kind is a kind of random kernel.
type kind struct {
	name  string
	archs []tesla.Arch // for which kernels are written
	write func(f *random.Forms, seed uint64) (*random.Kernel, error)
}

// kinds are kernels of every form of instruction, without and with a loop; kernels in which any
// change of order shows; kernels of every kind of control flow; kernels whose lanes break
// anywhere; and kernels of arbitrary encodings.
var kinds = []kind{
	{"straight", tesla.Archs[:], func(f *random.Forms, seed uint64) (*random.Kernel, error) { return f.Straight(seed, random.NewSeen()) }},
	{"looping", tesla.Archs[:], func(f *random.Forms, seed uint64) (*random.Kernel, error) { return f.Looping(seed, random.NewSeen()) }},
	{"racing", tesla.Archs[:1], func(_ *random.Forms, seed uint64) (*random.Kernel, error) { return random.Racing(seed) }},
	{"mazes", tesla.Archs[:1], func(_ *random.Forms, seed uint64) (*random.Kernel, error) { return mazeKernel(seed) }},
	{"breaking", tesla.Archs[:1], func(_ *random.Forms, seed uint64) (*random.Kernel, error) { return random.Breaking(seed) }},
	{"words", tesla.Archs[:], func(f *random.Forms, seed uint64) (*random.Kernel, error) { return f.Words(seed) }},
}

// suite holds one engine against the reference.
type suite struct {
	compile  Compile
	policies []string
}

// each calls run for every policy, with numbers that differ and modes that change.
func (s *suite) each(run func(policy string, n uint64, m mode)) {
	n := uint64(0)
	for round := range *kernels {
		for _, policy := range s.policies {
			run(policy, *first+n, modeOf(*first+n+uint64(round)))
			n++
		}
	}
}

// random runs kernels of a kind.
func (s *suite) random(t *testing.T, kind kind) {
	s.each(func(policy string, n uint64, m mode) {
		for _, arch := range kind.archs {
			k, err := kind.write(forms(t, arch), n)
			require.NoError(t, err)
			s.check(t, &launch{Kernel: k, policy: policy, mode: m})
		}
	})
}

// narrow runs a kernel of each kind under every policy with narrow warps.
func (s *suite) narrow(t *testing.T) {
	widths := [...]string{"warp=16", "warp=8", "warp=4"}
	s.each(func(policy string, n uint64, m mode) {
		for i, kind := range kinds {
			k, err := kind.write(forms(t, kind.archs[len(kind.archs)-1]), n)
			require.NoError(t, err)
			policy := maze.With([]string{policy}, widths[(n+uint64(i))%3])[0]
			s.check(t, &launch{Kernel: k, policy: policy, mode: m})
		}
	})
}

// partings is how many mazes and breaking kernels parting runs for each kernel of the other kinds:
// few of them lead into the rare ways through code that keeps what lanes wait for.
const partings = 200

// parting runs kernels in which an engine may have lanes part and meet by itself.
func (s *suite) parting(t *testing.T) {
	for n := *first; n < *first+uint64(*kernels)*partings; n++ {
		for _, write := range []func(uint64) (*random.Kernel, error){mazeKernel, random.Breaking} {
			k, err := write(n)
			require.NoError(t, err)
			s.check(t, &launch{Kernel: k, mode: modeOf(n)})
		}
	}
}

// known are the forms that were read.
var known sync.Map

// forms reads the vectors of the decoder, once for each device.
func forms(t *testing.T, arch tesla.Arch) *random.Forms {
	t.Helper()
	if f, ok := known.Load(arch); ok {
		return f.(*random.Forms)
	}
	f, err := random.ReadForms(arch, filepath.Join(root(t), "decoder/testdata/decode-vectors.csv.gz"))
	require.NoError(t, err)
	known.Store(arch, f)
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
		if d == "" {
			d = l.runsBare(t, s.compile, simd, want)
		}
		if d == "" {
			d = l.runsRecorded(t, s.compile, simd, want)
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
