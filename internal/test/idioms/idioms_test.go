package idioms

import (
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

var all = flag.Bool("levels", false, "compile at all levels")

const (
	nvcc    = "../../../build/toolkit/bin/nvcc"
	grid    = 8
	block   = 64
	threads = grid * block
)

// wants are the results of kernels that do not count the threads.
var wants = map[string]uint32{
	"block_lock": grid, "block_lock_exchange": grid, "block_ticket": grid, "warps_hand_over": grid,
	"grid_barrier": 3 * grid, "work_queue": 500, "work_queue_block": 500, "union_find": 1,
}

// Locks are taken by all, and updates are not lost, whatever the level at which nvcc compiles them.
func TestIdioms(t *testing.T) {
	if _, err := os.Stat(nvcc); err != nil {
		t.Skip("no toolkit: make toolkit builds it")
	}
	levels := []string{"-arch sm_20"}
	if *all {
		levels = []string{"-arch sm_20", "-arch sm_35", "-arch sm_75", "-G"}
	}
	for _, file := range []string{"locks", "blocks"} {
		for _, level := range levels {
			text, im := build(t, file, level)
			for _, name := range names(text) {
				t.Run(fmt.Sprintf("%s/%s", level, name), func(t *testing.T) {
					for _, workers := range []int{1, 2, 7} {
						got, err := run(im, name, workers)
						require.NoError(t, err)
						want, ok := wants[name]
						if !ok {
							want = threads
						}
						require.Equal(t, want, got, "%d workers", workers)
					}
				})
			}
		}
	}
}

var kernel = regexp.MustCompile(`(?m)^KERNEL (\w+)`)

func names(text string) (all []string) {
	for _, m := range kernel.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

// build compiles a file of testdata.
func build(t *testing.T, file, level string) (string, *cubin.Image) {
	in, out := filepath.Join("testdata", file+".cu"), filepath.Join(t.TempDir(), "k.ptx")
	args := append(strings.Fields(level), "-w", "-ptx", "-o", out, in)
	output, err := exec.Command(nvcc, args...).CombinedOutput()
	require.NoError(t, err, "%s", output)
	text, err := os.ReadFile(in)
	require.NoError(t, err)
	compiled, err := os.ReadFile(out)
	require.NoError(t, err)
	m, err := ptx.Parse("k.ptx", compiled)
	require.NoError(t, err)
	im, err := compile.Compile(m, compile.Options{Arch: tesla.SM13})
	require.NoError(t, err)
	return string(text), im
}

// run runs a kernel under the default policy and returns its result.
func run(im *cubin.Image, kernel string, workers int) (uint32, error) {
	k := im.Kernel(kernel)
	p, err := load.Program(im.Arch, k, simt.Host{})
	if err != nil {
		return 0, err
	}
	space := mem.NewSpace(1 << 22)
	b := make([]byte, 1<<14)
	state, err := space.Map(b)
	if err != nil {
		return 0, err
	}
	data, err := load.Place(im, space, space.Alloc)
	if err != nil {
		return 0, err
	}
	_, err = simt.Run(&simt.Launch{Program: p, Grid: [2]int{grid, 1}, Block: [3]int{block, 1, 1}, Policy: "nvidia",
		Const: data.Const(k), Params: binary.LittleEndian.AppendUint64(nil, uint64(state)), Global: space,
		Watchdog: 1 << 28, Workers: workers, NoStats: true})
	return binary.LittleEndian.Uint32(b[4:]), err
}
