package rollup_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/observe/stats"
	"jacquard/observe/stats/rollup"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// shape is a kernel of ours with the control flow of a kernel of NVIDIA's SDK 4.2: as many
// instructions between its control instructions, and as many rounds of its loops.
type shape struct {
	name      string
	static    int
	published uint64 // C. Collange, "Stack-less SIMT reconvergence at low cost" (2011), table 3
	stackless uint64 // issues
	nvidia    uint64
	launches  []shapeLaunch
}

// shapeLaunch is a launch of a shape, which happens so many times.
type shapeLaunch struct {
	times       uint64
	grid, block int
	params      []uint32
}

// The figures of table 3 come out of kernels of the same shapes: cmd/prove/sdkrun has the same test of
// the SDK's own.
func TestPublishedShapes(t *testing.T) {
	for _, s := range []shape{
		{"fwtBatch1", 108, 57212928, 57802752, 57802752, []shapeLaunch{{3, 4096, 512, nil}}},
		{"fwtBatch2", 46, 54263808, 54263808, 54263808, []shapeLaunch{{18, 8192, 256, nil}}},
		{"BlackScholes", 99, 5201694720, 5201694720, 5201694720, []shapeLaunch{{512, 480, 128, nil}}},
		{"dwtHaar1D", 87, 9366, 9943, 9964, []shapeLaunch{{1, 4, 512, []uint32{9, 256}}, {1, 1, 2, []uint32{1, 1}}}},
	} {
		t.Run(s.name, func(t *testing.T) {
			k := s.read(t)
			require.Len(t, k.Kernel.Code, s.static)
			for policy, issues := range map[string]uint64{"stackless": s.stackless, "nvidia": s.nvidia} {
				var published, all uint64
				for _, l := range s.launches {
					sums := rollup.New("kernel")
					sums.Add(&stats.Launch{Kernel: stats.Describe(&k.Kernel), Stats: *l.run(t, k, policy)})
					require.Len(t, sums.Rows, 1)
					published += l.times * sums.Rows[0].Published
					all += l.times * sums.Rows[0].Counts.Issues
				}
				require.Equal(t, s.published, published, policy)
				require.Equal(t, issues, all, policy)
			}
		})
	}
}

// read reads the text of the shape, in which "fill N" stands for N instructions.
func (s *shape) read(t *testing.T) *simt.Program {
	t.Helper()
	text, err := os.ReadFile("testdata/" + s.name + ".txt")
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		if n, ok := strings.CutPrefix(line, "\tfill "); ok {
			times, err := strconv.Atoi(n)
			require.NoError(t, err)
			lines[i] = strings.TrimSuffix(strings.Repeat("\tadd b32 $r6 $r6 0x1\n", times), "\n")
		}
	}
	img, err := asm.Read(strings.Join(lines, "\n"))
	require.NoError(t, err)
	p, err := load.Program(tesla.SM13, &img.Kernels[0], simt.Host{})
	require.NoError(t, err)
	return p
}

// run runs the launch once.
func (l *shapeLaunch) run(t *testing.T, p *simt.Program, policy string) *simt.Stats {
	t.Helper()
	var params []byte
	for _, v := range l.params {
		params = binary.LittleEndian.AppendUint32(params, v)
	}
	s, err := simt.Run(&simt.Launch{
		Program: p, Grid: [2]int{l.grid, 1}, Block: [3]int{l.block, 1, 1}, Params: params,
		Global: mem.NewSpace(1 << 20), Policy: policy,
	})
	require.NoError(t, err, fmt.Sprint(l))
	return s
}
