package meeting

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

const defaultWide = 300

var (
	wide      = flag.Int("meetings", defaultWide, "programs that are tried")
	first     = flag.Uint64("first", 0, "the seed of the first one")
	loose     = flag.Bool("loose", false, "operations between lanes also where only the data bring all lanes together")
	keep      = flag.String("keep", "", "a directory for the programs that fail, shrunk")
	only      = flag.String("front", "", "the option sets of TestCUDA that count, as a pattern")
	shrinking = flag.Duration("shrinking", 20*time.Second, "how long a program in CUDA C may shrink")
	workers   = flag.Int("workers", 2, "programs that are tried at a time")
)

// arches have votes.
var arches = []tesla.Arch{tesla.SM12, tesla.SM13}

// policyOf is the policy that runs a program: mostly the default one.
func policyOf(seed uint64) string {
	return []string{"nvidia", "nvidia", "nvidia", "stackless"}[seed/2%4]
}

// Programs in PTX store the evaluator's words.
func TestPTX(t *testing.T) {
	var next, failed atomic.Uint64
	next.Store(*first)
	var wg sync.WaitGroup
	for range *workers {
		wg.Go(func() {
			for {
				seed := next.Add(1) - 1
				if seed >= *first+uint64(*wide) {
					return
				}
				if attempt(t, seed) != nil {
					failed.Add(1)
				}
			}
		})
	}
	wg.Wait()
	t.Logf("%d of %d programs failed", failed.Load(), *wide)
}

func attempt(t *testing.T, seed uint64) error {
	p := New(seed, Options{Loose: *loose})
	arch, policy := arches[seed%2], policyOf(seed)
	err := try(p, arch, policy)
	if err == nil {
		return nil
	}
	kind := kindOf(err)
	p.Shrink(func() bool { e := try(p, arch, policy); return e != nil && kindOf(e) == kind })
	err = try(p, arch, policy)
	text := fmt.Sprintf("// seed %d on %s under %s, %d threads, n = %d: %v\n%s", seed, arch, policy, p.Threads, p.N, err, p.PTX())
	if *keep == "" {
		t.Error(text)
		return err
	}
	t.Errorf("seed %d on %s under %s: %v", seed, arch, policy, err)
	require.NoError(t, os.WriteFile(filepath.Join(*keep, fmt.Sprintf("ptx-%d.ptx", seed)), []byte(text), 0o644))
	return err
}

func try(p *Program, arch tesla.Arch, policy string) error {
	want, err := p.Evaluate()
	if err != nil {
		return err
	}
	im, err := build(p.PTX(), arch)
	if err != nil {
		return err
	}
	got, err := execute(im, "k", p, policy)
	if err != nil {
		return err
	}
	return compare(got, want)
}

// kindOf is the kind of a failure, which stays the same while a program shrinks.
func kindOf(err error) string {
	words := strings.Fields(err.Error())
	if strings.Contains(err.Error(), "instead of") {
		return "wrong"
	}
	for i, w := range words {
		if strings.ContainsAny(w, "0123456789%") {
			words[i] = ""
		}
	}
	return strings.Join(words, " ")
}
