package meeting

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/tesla"
)

// front is a way from CUDA C to PTX.
type front struct {
	name  string
	clang string // JACQUARD_CLANG, for nvcc; the compiler itself without it
	nvcc  bool
	flags string
	old   bool // the target has no exchanges between lanes
}

const plain = "-x cuda --cuda-device-only -nocudainc -nocudalib -ffp-contract=off -w -S -DPLAIN "

// ptx63 and ptx70 ask for releases of PTX that have the mask of active lanes, and the target.
const (
	ptx63 = "-Xclang -target-feature -Xclang +ptx63"
	ptx70 = "-Xclang -target-feature -Xclang +ptx70"
)

// fronts are the option sets. The level of nvcc applies to the host: for the device -O2 counts or,
// with -G, -O0.
var fronts = []front{
	{"nvcc", "", true, "", true},
	{"nvcc-35", "", true, "-arch sm_35", false},
	{"nvcc-G", "", true, "-G -arch sm_35", false},
	{"nvcc-75", "", true, "-arch sm_75", false},
	{"nvcc22-75", "clang++-22", true, "-arch sm_75", false},
	{"nvcc22-G", "clang++-22", true, "-G -arch sm_20", true},
	{"clang14-O0", "clang++-14", false, "-O0 --cuda-gpu-arch=sm_35 " + ptx63, false},
	{"clang14-O1", "clang++-14", false, "-O1 --cuda-gpu-arch=sm_20", true},
	{"clang14-O2", "clang++-14", false, "-O2 --cuda-gpu-arch=sm_35 " + ptx63, false},
	{"clang14-O3", "clang++-14", false, "-O3 --cuda-gpu-arch=sm_35 " + ptx63, false},
	{"clang19-O0", "clang++-19", false, "-O0 --cuda-gpu-arch=sm_35 " + ptx63, false},
	{"clang19-O1", "clang++-19", false, "-O1 --cuda-gpu-arch=sm_35 " + ptx63, false},
	{"clang19-O2", "clang++-19", false, "-O2 --cuda-gpu-arch=sm_20", true},
	{"clang19-O3", "clang++-19", false, "-O3 --cuda-gpu-arch=sm_80 " + ptx70, false},
	{"clang22-O0", "clang++-22", false, "-O0 --cuda-gpu-arch=sm_80 " + ptx70, false},
	{"clang22-O1", "clang++-22", false, "-O1 --cuda-gpu-arch=sm_35 " + ptx63, false},
	{"clang22-O2", "clang++-22", false, "-O2 --cuda-gpu-arch=sm_20", true},
	{"clang22-O3", "clang++-22", false, "-O3 --cuda-gpu-arch=sm_75 " + ptx63, false},
}

const nvcc = "../../../build/toolkit/bin/nvcc"

// here reports whether the compilers of a front are here.
func (f front) here() error {
	if f.nvcc {
		if _, err := os.Stat(nvcc); err != nil {
			return fmt.Errorf("no toolkit: make toolkit builds it: %w", err)
		}
	}
	if f.clang == "" {
		return nil
	}
	_, err := exec.LookPath(f.clang)
	return err
}

// ptx compiles CUDA C to PTX.
func (f front) ptx(dir, text string) (string, error) {
	in, out := filepath.Join(dir, "k.cu"), filepath.Join(dir, "k.ptx")
	if err := os.WriteFile(in, []byte(Prelude+text), 0o644); err != nil {
		return "", err
	}
	_ = os.Remove(out)
	name, flags := f.clang, plain+f.flags
	if f.nvcc {
		name, flags = nvcc, "-ptx -w "+f.flags
	}
	cmd := exec.Command(name, append(strings.Fields(flags), "-o", out, in)...)
	if f.nvcc && f.clang != "" {
		cmd.Env = append(os.Environ(), "JACQUARD_CLANG="+f.clang)
	}
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w: %.300s", f.name, err, output)
	}
	b, err := os.ReadFile(out)
	return string(b), err
}

// program is the program of a seed, without features that the target lacks.
func (f front) program(seed uint64) *Program {
	p := New(seed, Options{Loose: *loose})
	if f.old {
		p.remove(func(s *Stmt) bool { return s.Kind == Shuffle || s.Kind == Active || s.Kind == Masked && s.Form == Idx })
		p.repair()
	}
	return p
}

const batch = 20 // programs in a file

// Programs in CUDA C store the evaluator's words under every compiler.
func TestCUDA(t *testing.T) {
	use := fronts
	if *only != "" {
		use = nil
		for _, f := range fronts {
			if ok, _ := filepath.Match(*only, f.name); ok {
				use = append(use, f)
			}
		}
	}
	work := make(chan func(dir string))
	var wg sync.WaitGroup
	for range *workers {
		dir := t.TempDir()
		wg.Go(func() {
			for do := range work {
				do(dir)
			}
		})
	}
	each := max(*wide/len(use), batch)
	if *wide == defaultWide {
		use, each = use[:min(len(use), 4)], batch // a sample
	}
	for i := 0; i < each; i += batch {
		for j, f := range use {
			if err := f.here(); err != nil {
				if i == 0 {
					t.Logf("%s is not tried: %v", f.name, err)
				}
				continue
			}
			seed := *first + uint64(i) + uint64(j)*1_000_000
			work <- func(dir string) { f.attempt(t, dir, seed) }
		}
	}
	close(work)
	wg.Wait()
}

// attempt tries a batch of programs.
func (f front) attempt(t *testing.T, dir string, seed uint64) {
	var text strings.Builder
	for i := range uint64(batch) {
		text.WriteString(f.program(seed + i).CUDA(fmt.Sprintf("k%d", i)))
	}
	compiled, err := f.ptx(dir, text.String())
	if err != nil {
		t.Errorf("seeds from %d: %v", seed, err)
		return
	}
	arch := arches[seed/batch%2]
	im, err := build(compiled, arch)
	for i := range uint64(batch) {
		p, kernel, im, one := f.program(seed+i), fmt.Sprintf("k%d", i), im, err
		if one != nil { // one of the batch is refused
			kernel = "k"
			im, one = f.build(dir, p, arch)
		}
		policy := policyOf(seed + i)
		if one == nil {
			one = run(im, kernel, p, policy)
		}
		if one != nil {
			f.report(t, dir, p, seed+i, arch, policy, one)
		}
	}
}

func (f front) build(dir string, p *Program, arch tesla.Arch) (*cubin.Image, error) {
	text, err := f.ptx(dir, p.CUDA("k"))
	if err != nil {
		return nil, err
	}
	return build(text, arch)
}

// run runs a kernel and compares its stores.
func run(im *cubin.Image, kernel string, p *Program, policy string) error {
	want, err := p.Evaluate()
	if err != nil {
		return err
	}
	got, err := execute(im, kernel, p, policy)
	if err != nil {
		return err
	}
	return compare(got, want)
}

// report shrinks a program that fails, and keeps its text.
func (f front) report(t *testing.T, dir string, p *Program, seed uint64, arch tesla.Arch, policy string, err error) {
	kind, end := kindOf(err), time.Now().Add(*shrinking)
	again := func() error {
		im, err := f.build(dir, p, arch)
		if err == nil {
			err = run(im, "k", p, policy)
		}
		return err
	}
	p.Shrink(func() bool {
		if time.Now().After(end) {
			return false
		}
		e := again()
		return e != nil && kindOf(e) == kind
	})
	if e := again(); e != nil {
		err = e
	}
	text := fmt.Sprintf("// seed %d, %s (%s), on %s under %s, %d threads, n = %d: %v\n%s%s", seed, f.name, f.flags,
		arch, policy, p.Threads, p.N, err, Prelude, p.CUDA("k"))
	if *keep == "" {
		t.Error(text)
		return
	}
	t.Errorf("seed %d, %s on %s under %s: %v", seed, f.name, arch, policy, err)
	require.NoError(t, os.MkdirAll(*keep, 0o755))
	base := filepath.Join(*keep, fmt.Sprintf("%s-%d", f.name, seed))
	require.NoError(t, os.WriteFile(base+".cu", []byte(text), 0o644))
	if ptx, err := f.ptx(dir, p.CUDA("k")); err == nil {
		require.NoError(t, os.WriteFile(base+".ptx", []byte(ptx), 0o644))
	}
}
