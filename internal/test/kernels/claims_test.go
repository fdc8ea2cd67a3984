package kernels

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/simt"
	"jacquard/study/kerneltest"
	"jacquard/tesla"
)

// TestPublishedClaims tests claims of "Stack-less SIMT reconvergence at low cost" (2011), section
// 5.2, and of "Étude comparée et simulation d'algorithmes de branchements pour le GPGPU" (2009),
// section 6. The stack-less policy issues nothing twice. For the same work it needs no more issues
// than the implicit policy, and that no more than the token stack unless it issues instructions
// again, which the authors did not see. The papers state this for the mean active lanes.
func TestPublishedClaims(t *testing.T) {
	for _, test := range mesaTests(t) {
		if test.Name == "histogram" { // races for a lock: issues depend on the order
			continue
		}
		t.Run(test.Name, func(t *testing.T) {
			build := &test.Builds[len(test.Builds)-1]
			all := checkClaims(t, test.Name, func(policy string) (*simt.Stats, error) { return countBuild(t, test, build, policy) })
			require.Equal(t, issuedAgain[test.Name], all["implicit"].Active[0])
		})
	}
}

// TestCorpusClaims is TestPublishedClaims with third-party kernels.
func TestCorpusClaims(t *testing.T) {
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
				checkClaims(t, e.Name, func(policy string) (*simt.Stats, error) {
					l, _ := e.prepare(t, img, r.words(t), tesla.SM13)
					l.Policy = policy
					return simt.Run(l)
				})
			})
		}
	}
}

// issuedAgain has the instructions that the implicit policy issues again. docs/divergence.md has the
// same figures.
var issuedAgain = map[string]uint64{
	"calls": 7, "collatz": 63, "localarr": 107, "mandelbrot": 128, "nested": 153, "xorshift": 36,
}

// fewerLanes names kernels that contradict the claim about mean active lanes. The joins that the
// token stack issues in vain have more lanes than the mean issue there, and raise its mean.
var fewerLanes = map[string]bool{"calls": true}

// checkClaims returns the statistics of the policies that run the kernel.
func checkClaims(t *testing.T, name string, count func(policy string) (*simt.Stats, error)) map[string]*simt.Stats {
	lanes, issues, all := map[string]float64{}, map[string]uint64{}, map[string]*simt.Stats{}
	for _, policy := range []string{"nvidia", "implicit", "implicit:meet=once", "stackless", "mimd"} {
		stats, err := count(policy)
		if refused(err) {
			continue
		}
		require.NoError(t, err)
		lanes[policy], issues[policy], all[policy] = stats.AverageLanes(), stats.WarpInstructions, stats
		require.True(t, policy == "nvidia" || stats.ReissuedJoins == 0, "%s issues a join twice", policy)
	}
	once := issues["implicit:meet=once"]
	require.LessOrEqual(t, issues["stackless"], once)
	require.LessOrEqual(t, once, issues["nvidia"])
	require.Equal(t, once+all["implicit"].Active[0], issues["implicit"])
	require.GreaterOrEqual(t, lanes["stackless"], lanes["implicit"])
	nvidia, in := withoutVetoed(all["nvidia"])
	require.GreaterOrEqual(t, lanes["stackless"], nvidia)
	require.GreaterOrEqual(t, lanes["implicit:meet=once"], nvidia)
	if fewerLanes[name] {
		require.Less(t, lanes["stackless"], lanes["nvidia"])
		require.Greater(t, in, lanes["nvidia"])
	} else {
		require.GreaterOrEqual(t, lanes["stackless"], lanes["nvidia"])
		require.GreaterOrEqual(t, lanes["implicit:meet=once"], lanes["nvidia"])
	}
	require.EqualValues(t, 1, lanes["mimd"])
	return all
}

// withoutVetoed returns the mean of active lanes without the issues that a join marker vetoed, and
// the mean of the vetoed issues.
func withoutVetoed(s *simt.Stats) (rest, vetoed float64) {
	var kept uint64 // lanes of vetoed issues
	for i := range s.ByInstruction {
		in := &s.ByInstruction[i]
		for n, issues := range in.Active {
			kept += uint64(n) * issues
		}
		kept -= in.Threads + in.Off
	}
	n := float64(s.WarpInstructions)
	rest = (s.AverageLanes()*n - float64(kept)) / (n - float64(s.ReissuedJoins))
	return rest, float64(kept) / max(1, float64(s.ReissuedJoins))
}

func countBuild(t *testing.T, test *kerneltest.Test, build *kerneltest.Build, policy string) (*simt.Stats, error) {
	l, _ := mesaLaunch(t, test, build, build.Arch)
	l.Policy = policy
	return simt.Run(l)
}
