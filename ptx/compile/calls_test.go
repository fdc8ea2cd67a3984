package compile_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/ptxreference"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/load"
	"jacquard/simt/mem"
)

const callThreads = 64

// callInput is the memory that the first parameter of kernel k points to.
func callInput() (in []byte) {
	x := uint32(12345)
	for range callThreads {
		x = x*1664525 + 1013904223
		in = binary.LittleEndian.AppendUint32(in, x>>3)
	}
	return in
}

// runReference runs kernel k and returns the words that its threads store.
func runReference(t *testing.T, p *ptxreference.Program) []byte {
	t.Helper()
	in, inBytes, err := p.Memory().Alloc(4 * callThreads)
	require.NoError(t, err)
	out, outBytes, err := p.Memory().Alloc(4 * callThreads)
	require.NoError(t, err)
	copy(inBytes, callInput())
	params := binary.LittleEndian.AppendUint64(nil, in)
	params = binary.LittleEndian.AppendUint64(params, out)
	require.NoError(t, p.Run("k", ptxreference.Launch{Block: [3]int{callThreads}, Params: params, Alone: true}))
	return outBytes
}

// callsReference is runReference for a module.
func callsReference(t *testing.T, m *ptx.Module) []byte {
	t.Helper()
	p, err := ptxreference.Load(m, ptxreference.Config{})
	require.NoError(t, err)
	return runReference(t, p)
}

// callsMachine is callsReference for machine code.
func callsMachine(t *testing.T, im *cubin.Image, policy string) ([]byte, error) {
	t.Helper()
	launch, out, _ := callsLaunch(t, im, policy)
	_, err := simt.Run(launch)
	return out, err
}

// callsLaunch returns a launch of a kernel, the words that its threads will store, and the module's
// variables.
func callsLaunch(t *testing.T, im *cubin.Image, policy string) (*simt.Launch, []byte, map[string]load.Variable) {
	t.Helper()
	p, err := load.Program(im.Arch, &im.Kernels[0], simt.Host{})
	require.NoError(t, err)
	space := mem.NewSpace(1 << 24)
	outBytes := make([]byte, 4*callThreads)
	in, err := space.Map(callInput())
	require.NoError(t, err)
	out, err := space.Map(outBytes)
	require.NoError(t, err)
	params := binary.LittleEndian.AppendUint64(nil, uint64(in))
	params = binary.LittleEndian.AppendUint64(params, uint64(out))
	data, err := load.Place(im, space, space.Alloc)
	require.NoError(t, err)
	return &simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{callThreads, 1, 1}, Policy: policy,
		Params: params, Const: data.Const(&im.Kernels[0]), Global: space, Watchdog: 1 << 24, Workers: 1,
	}, outBytes, data.Variables
}

func parseCalls(t *testing.T, text []byte) *ptx.Module {
	t.Helper()
	m, err := ptx.Parse("calls", text)
	require.NoError(t, err)
	return m
}

// requireSameCalls compiles a kernel for all devices and compares with the reference, for one device
// under all policies.
func requireSameCalls(t *testing.T, text []byte) {
	t.Helper()
	want := callsReference(t, parseCalls(t, text))
	require.False(t, bytes.Equal(want, make([]byte, len(want))), "the kernel stores nothing")
	for _, arch := range arches {
		im, err := compile.Compile(parseCalls(t, text), compile.Options{Arch: arch, Verify: true})
		require.NoError(t, err)
		policies := branch.Policies()
		if arch != arches[0] {
			policies = policies[:1]
		}
		for _, policy := range policies {
			got, err := callsMachine(t, im, policy.Name)
			if refused := (*branch.RefusedError)(nil); errors.As(err, &refused) {
				t.Log(err)
				continue // policies for structured code alone
			}
			require.NoError(t, err, "%s %s", arch, policy.Name)
			require.Equal(t, want, got, "%s %s", arch, policy.Name)
		}
	}
}

// What clang makes of programs with recursion and calls by address, with and without optimization.
func TestCallsOfClang(t *testing.T) {
	files, err := filepath.Glob("testdata/calls/*.ptx")
	require.NoError(t, err)
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			requireSameCalls(t, text)
		})
	}
}
