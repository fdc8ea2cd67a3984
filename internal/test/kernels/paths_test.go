package kernels

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/maze"
	"jacquard/simt"
	"jacquard/study/kerneltest"
	"jacquard/tesla"
)

// TestMesaPaths runs every kernel without races under every policy with all its options: each lane
// takes the path that it takes alone, and memory is as expected.
func TestMesaPaths(t *testing.T) {
	for _, test := range mesaTests(t) {
		// takes a lock in a loop: a lane's attempts depend on the others
		if test.Name == "histogram" {
			continue
		}
		t.Run(test.Name, func(t *testing.T) {
			build := &test.Builds[len(test.Builds)-1]
			samePaths(t, func() (*simt.Launch, func()) {
				l, at := mesaLaunch(t, test, build, build.Arch)
				return l, func() { compareBuffers(t, test, l.Global, at) }
			})
		})
	}
}

// TestHistogram runs a kernel in which lanes wait for each other, under every policy with all its
// options. It counts correctly, or the policy refuses it, or a livelock fault names the policy. A
// policy that starves no lane never faults.
func TestHistogram(t *testing.T) {
	test, err := kerneltest.Load(mesaFolder + "histogram/test.json")
	require.NoError(t, err)
	build := &test.Builds[len(test.Builds)-1]
	ended := map[string]bool{}
	for _, policy := range maze.Policies() {
		l, at := mesaLaunch(t, test, build, build.Arch)
		l.Policy = policy
		_, err := simt.Run(l)
		if refused(err) || livelocked(err) {
			continue
		}
		require.NoError(t, err, policy)
		compareBuffers(t, test, l.Global, at)
		ended[policy] = true
	}
	for _, policy := range []string{"nvidia", "stackless:key=sppc,next=least", "stackless:key=sppc,next=predicted", "mimd", "bfs:merge=always", "bfs:merge=head", "bfs:merge=labels", "volta:quantum=256", "volta:quantum=16", "volta:quantum=4096"} {
		require.True(t, ended[policy], policy)
	}
}

// TestCorpusPaths is TestMesaPaths with third-party kernels, except kernels whose lanes must run
// in lockstep.
func TestCorpusPaths(t *testing.T) {
	const corpus = "../../../../shared/corpus"
	if _, err := os.Stat(corpus); errors.Is(err, os.ErrNotExist) {
		t.Skip("no third-party cubins beside the repository, in ../shared/corpus")
	}
	for _, e := range loadCorpus(t) {
		data, err := os.ReadFile(filepath.Join(corpus, e.File))
		require.NoError(t, err)
		img, err := cubin.Parse(data)
		require.NoError(t, err)
		for i, r := range e.Runs {
			if r.End != "" || inStep[e.Name] {
				continue
			}
			t.Run(e.Name+"/run "+strconv.Itoa(i), func(t *testing.T) {
				samePaths(t, func() (*simt.Launch, func()) {
					l, _ := e.prepare(t, img, r.words(t), tesla.SM13)
					return l, func() {}
				})
			})
		}
	}
}

// samePaths runs a kernel under every policy and compares the path of every lane with its path
// alone. prepare returns a fresh launch, and a check of the memory after it.
func samePaths(t *testing.T, prepare func() (l *simt.Launch, check func())) {
	var alone maze.Paths
	for _, policy := range maze.Policies() { // the one that runs lanes alone comes first
		l, check := prepare()
		paths := &maze.Paths{}
		if policy == maze.Reference {
			paths = &alone
		}
		l.Policy, l.Observer = policy, paths
		_, err := simt.Run(l)
		if refused(err) {
			continue
		}
		require.NoError(t, err, policy)
		require.NoError(t, paths.Same(&alone), policy)
		check()
	}
}
