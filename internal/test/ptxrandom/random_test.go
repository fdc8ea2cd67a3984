package ptxrandom

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx/compile/code"
	"jacquard/tesla"
)

var arches = []tesla.Arch{tesla.SM10, tesla.SM11, tesla.SM12, tesla.SM13}

// kernelOf returns the kernel of a seed, and the device and the policy that run it.
func kernelOf(seed uint64) (k *Kernel, arch tesla.Arch, policy string) {
	arch = arches[seed%4]
	if seed%16 >= 12 {
		policy = "stackless"
	}
	o := Options{Double: arch == tesla.SM13, Atomics: arch >= tesla.SM11, Locks: arch >= tesla.SM12, Later: seed/4%3 == 2}
	return New(seed, o), arch, policy
}

// seeds returns how many seeds a test tries: what JACQUARD_SEEDS says, or a few.
func seeds(few uint64) (from, to uint64) {
	from, _ = strconv.ParseUint(os.Getenv("JACQUARD_FIRST"), 10, 64)
	if n, err := strconv.ParseUint(os.Getenv("JACQUARD_SEEDS"), 10, 64); err == nil {
		return from, from + n
	}
	return from, from + few
}

// Compiled kernels store the same words as the reference.
func TestKernels(t *testing.T) {
	from, to := seeds(200)
	var next atomic.Uint64
	next.Store(from)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for {
				seed := next.Add(1) - 1
				if seed >= to {
					return
				}
				attempt(t, seed)
			}
		})
	}
	wg.Wait()
}

// Kernels that were compiled wrongly once.
func TestOldMistakes(t *testing.T) {
	files, err := filepath.Glob("testdata/*.ptx")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for i, arch := range arches {
			k := New(uint64(i), Options{})
			k.Text, k.Grid, k.Block, k.Out = string(text), [2]int{1, 1}, [2]int{32, 1}, 32*(scratch+mostPerExit)
			for _, policy := range []string{"nvidia", "stackless"} {
				require.NoError(t, try(k, arch, policy), "%s on %s under %s", path, arch, policy)
			}
		}
	}
}

func attempt(t *testing.T, seed uint64) {
	k, arch, policy := kernelOf(seed)
	err := try(k, arch, policy)
	if err == nil || arch < tesla.SM12 && errors.Is(err, code.ErrNoVotes) {
		return
	}
	t.Errorf("seed %d on %s: %v", seed, arch, err)
	dir := os.Getenv("JACQUARD_SHRINK")
	if dir == "" || errors.Is(err, errInvalid) {
		return
	}
	small := shrink(k, func(k *Kernel) bool { return alike(err, try(k, arch, policy)) })
	require.NoError(t, os.WriteFile(dir+"/"+strconv.FormatUint(seed, 10)+".ptx", []byte(small.Text), 0o644))
	t.Logf("seed %d: shrunk, block %v: %v", seed, small.Block, try(small, arch, policy))
}
