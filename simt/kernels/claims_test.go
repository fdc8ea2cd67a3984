package kernels

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/cubin/job"
	"jacquard/simt"
	"jacquard/tesla"
)

// TestPublishedClaims tests claims of "Stack-less SIMT reconvergence at low cost" (2011), section
// 5.2. The stack-less policy issues nothing twice. For the same work it needs no more issues than
// the implicit policy, and that no more than the token stack. The paper states this for the mean
// active lanes.
func TestPublishedClaims(t *testing.T) {
	for _, test := range mesaTests(t) {
		if test.Name == "histogram" { // races for a lock: issues depend on the order
			continue
		}
		t.Run(test.Name, func(t *testing.T) {
			build := &test.Builds[len(test.Builds)-1]
			checkClaims(t, test.Name, func(policy string) (*simt.Stats, error) { return countBuild(t, test, build, policy) })
		})
	}
}

// TestCorpusClaims is TestPublishedClaims with third-party kernels.
func TestCorpusClaims(t *testing.T) {
	const corpus = "../../../shared/corpus"
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
				checkClaims(t, e.Name, func(policy string) (*simt.Stats, error) {
					l, _ := e.prepare(t, img, r.words(t), tesla.SM13)
					l.Policy = policy
					return simt.Run(l)
				})
			})
		}
	}
}

// fewerLanes names kernels that contradict the claim about mean active lanes. In calls, the token
// stack issues joins twice; with many lanes waiting, that raises its mean, with more issues for the
// same work.
var fewerLanes = map[string]bool{"calls": true}

func checkClaims(t *testing.T, name string, count func(policy string) (*simt.Stats, error)) {
	lanes, issues := map[string]float64{}, map[string]uint64{}
	for _, policy := range []string{"nvidia", "implicit", "stackless", "mimd"} {
		stats, err := count(policy)
		if refused(err) {
			continue
		}
		require.NoError(t, err)
		lanes[policy], issues[policy] = stats.AverageLanes(), stats.WarpInstructions
		require.True(t, policy == "nvidia" || stats.ReissuedJoins == 0, "%s issues a join twice", policy)
	}
	require.LessOrEqual(t, issues["stackless"], issues["nvidia"])
	if n, ran := issues["implicit"]; ran {
		require.LessOrEqual(t, issues["stackless"], n)
		require.LessOrEqual(t, n, issues["nvidia"])
		require.GreaterOrEqual(t, lanes["implicit"], lanes["nvidia"])
		require.GreaterOrEqual(t, lanes["stackless"], lanes["implicit"])
	}
	if fewerLanes[name] {
		require.Less(t, lanes["stackless"], lanes["nvidia"])
	} else {
		require.GreaterOrEqual(t, lanes["stackless"], lanes["nvidia"])
	}
	require.EqualValues(t, 1, lanes["mimd"])
}

func countBuild(t *testing.T, test *job.Test, build *job.Build, policy string) (*simt.Stats, error) {
	l, _ := mesaLaunch(t, test, build, build.Arch)
	l.Policy = policy
	return simt.Run(l)
}
