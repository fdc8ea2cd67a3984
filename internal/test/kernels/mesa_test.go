package kernels

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/mem"
	"jacquard/study/kerneltest"
	"jacquard/tesla"
)

// spins names kernels that may end in a livelock fault. histogram takes a lock in a loop, and a
// policy may let lanes that wait for the lock keep its holder from running.
var spins = map[string]bool{
	"histogram under dfs": true, "histogram under implicit": true, "histogram under barrier": true,
}

func livelocked(err error) bool {
	var f *simt.Fault
	return errors.As(err, &f) && f.Kind == simt.FaultLivelock
}

// refused reports whether err is the refusal of a policy.
func refused(err error) bool {
	var r *branch.RefusedError
	return errors.As(err, &r)
}

const mesaFolder = "../../../testdata/mesa-kernels/"

// mesaTests returns the tests of the kernels that Mesa's compiler made.
func mesaTests(t *testing.T) (tests []*kerneltest.Test) {
	t.Helper()
	files, err := filepath.Glob(mesaFolder + "*/test.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		test, err := kerneltest.Load(file)
		require.NoError(t, err)
		tests = append(tests, test)
	}
	return tests
}

// TestMesaKernels runs every build of every kernel under every policy, on the build's architecture
// and all later ones.
func TestMesaKernels(t *testing.T) {
	for _, test := range mesaTests(t) {
		for i := range test.Builds {
			build := &test.Builds[i]
			for _, device := range tesla.Archs[build.Arch:] {
				for _, policy := range branch.Policies() {
					t.Run(test.Name+"/"+build.File+" on "+device.String()+" under "+policy.Name, func(t *testing.T) {
						runBuild(t, test, build, device, policy.Name)
					})
				}
			}
		}
	}
}

// TestNarrowKernels runs every kernel under every policy at every width: none relies on 32 lanes, so
// all leave the same memory.
func TestNarrowKernels(t *testing.T) {
	for _, test := range mesaTests(t) {
		build := &test.Builds[len(test.Builds)-1]
		for _, policy := range branch.Policies() {
			for _, lanes := range branch.Widths().Values[1:] {
				name := branch.With(policy.Name, "warp="+lanes)
				t.Run(test.Name+" under "+name, func(t *testing.T) { runBuild(t, test, build, build.Arch, name) })
			}
		}
	}
}

func runBuild(t *testing.T, test *kerneltest.Test, build *kerneltest.Build, device tesla.Arch, policy string) {
	l, at := mesaLaunch(t, test, build, device)
	l.Policy = policy
	stats, err := simt.Run(l)
	name, _, _ := strings.Cut(policy, ":")
	if refused(err) || spins[test.Name+" under "+name] && livelocked(err) {
		return
	}
	require.NoError(t, err)
	require.False(t, stats.Incomplete)
	compareBuffers(t, test, l.Global, at)
}

// mesaLaunch returns a launch of a build with the inputs of its test, and the addresses of its
// buffers by parameter.
func mesaLaunch(t *testing.T, test *kerneltest.Test, build *kerneltest.Build, device tesla.Arch) (l *simt.Launch, at []uint32) {
	t.Helper()
	img, err := test.Image(build)
	require.NoError(t, err)
	space := mem.NewSpace(memoryBytes)
	at = make([]uint32, len(test.Params))
	for i := range test.Params {
		if p := &test.Params[i]; p.Buffer {
			at[i] = allocate(t, space, p.Init)
		}
	}
	return &simt.Launch{
		Program: program(t, img, test.Name, device),
		Grid:    test.Grid,
		Block:   test.Block,
		Params:  test.ParamBlock(func(i int) uint32 { return at[i] }),
		Global:  space,
	}, at
}

// compareBuffers compares the buffers after a launch with the expected ones.
func compareBuffers(t *testing.T, test *kerneltest.Test, space *mem.Space, at []uint32) {
	t.Helper()
	for i := range test.Params {
		if p := &test.Params[i]; p.Buffer {
			require.NoError(t, kerneltest.Compare(p, contents(t, space, at[i], len(p.Expect))))
		}
	}
}
