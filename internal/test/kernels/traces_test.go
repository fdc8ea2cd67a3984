package kernels

import (
	"bytes"
	"errors"
	"math/bits"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/observe/trace"
	"jacquard/simt"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// TestMesaTraces counts from a trace, under several policies, the statistics of the same run. With
// each lane alone, every instruction is executed by the same number of lanes.
func TestMesaTraces(t *testing.T) {
	for _, test := range mesaTests(t) {
		build := &test.Builds[len(test.Builds)-1]
		t.Run(test.Name, func(t *testing.T) {
			// histogram takes a lock in a loop
			sameCounts(t, test.Name != "histogram", func() *simt.Launch {
				l, _ := mesaLaunch(t, test, build, build.Arch)
				return l
			})
		})
	}
}

// TestCorpusTraces is TestMesaTraces with third-party kernels.
func TestCorpusTraces(t *testing.T) {
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
			if r.End == "" {
				t.Run(e.Name+"/run "+strconv.Itoa(i), func(t *testing.T) {
					sameCounts(t, !inStep[e.Name], func() *simt.Launch {
						l, _ := e.prepare(t, img, r.words(t), tesla.SM13)
						return l
					})
				})
			}
		}
	}
}

// sameCounts compares statistics with counts from traces of the same runs. paths says that lanes
// take the same path alone.
func sameCounts(t *testing.T, paths bool, prepare func() *simt.Launch) {
	var threads []uint64 // by instruction
	for _, policy := range []string{"nvidia", "stackless", "mimd"} {
		l := prepare()
		l.Policy = policy
		f, stats, err := traced(t, l)
		if refused(err) || livelocked(err) {
			continue
		}
		require.NoError(t, err)
		by := countTrace(t, f)
		for i := range by {
			require.Equal(t, stats.ByInstruction[i], by[i], "%s, %v", policy, l.Program.Kernel.Code[i])
			if policy == "nvidia" {
				threads = append(threads, by[i].Threads)
			} else if paths {
				require.Equal(t, threads[i], by[i].Threads, "%s, %v", policy, l.Program.Kernel.Code[i])
			}
		}
		require.Equal(t, stats.WarpInstructions, f.Launches[0].Count)
	}
}

// traced runs a launch and returns a trace of it, with all values.
func traced(t *testing.T, l *simt.Launch) (*trace.File, *simt.Stats, error) {
	t.Helper()
	var out bytes.Buffer
	r, err := trace.NewRecorder(&out, trace.Options{Values: trace.Values{Registers: true, Addresses: true, Data: true}}, nil)
	require.NoError(t, err)
	end := r.Attach(l, "", 0)
	stats, err := simt.Run(l)
	end(err)
	require.NoError(t, r.Close())
	f, openErr := trace.NewFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	require.NoError(t, openErr)
	t.Cleanup(func() { f.Close() })
	return f, stats, err
}

// counter computes statistics from a trace.
type counter struct {
	kernel  *trace.Kernel
	by      []simt.InstructionStats
	block   int
	addrs   [8][lane.MaxWarps]lane.Row // address registers
	last    [lane.MaxWarps]uint64      // the round after a warp's last issue
	arrived [lane.MaxWarps]int         // the barrier at which lanes of a warp last arrived
}

func countTrace(t *testing.T, f *trace.File) []simt.InstructionStats {
	t.Helper()
	k := f.Kernels[0]
	c := counter{kernel: k, by: make([]simt.InstructionStats, len(k.Code)), block: -1}
	for i, pc := range k.PCs {
		c.by[i].PC = pc
	}
	for s, err := range f.Steps(&trace.Filter{}) {
		require.NoError(t, err)
		if s.Block != c.block {
			c.block = s.Block
			c.addrs, c.last = [8][lane.MaxWarps]lane.Row{}, [lane.MaxWarps]uint64{}
		}
		for i := range s.N {
			c.count(s, i)
		}
		for i := range s.Values {
			if v := &s.Values[i]; v.Kind == trace.AddressRegister {
				for m := v.Lanes; m != 0; m &= m - 1 {
					l := bits.TrailingZeros32(uint32(m))
					c.addrs[v.Number][v.Warp][l] = v.Row[l]
				}
			}
		}
	}
	return c.by
}

// count counts the warp at position i of a step.
func (c *counter) count(s *trace.Step, i int) {
	in, code, w := &c.by[s.Index], &c.kernel.Code[s.Index], s.Warp[i]
	number := func(m lane.Mask) uint64 { return uint64(bits.OnesCount32(uint32(m))) }
	in.Issues++
	in.Active[number(s.Active[i])]++
	if wait := s.Time - c.last[w]; wait > 0 {
		c.by[c.arrived[w]].Waited += wait
	}
	c.last[w] = s.Time + 1
	if s.Vetoed>>w&1 != 0 {
		in.Vetoed++
		return
	}
	if code.Op == tesla.OpBar {
		c.arrived[w] = s.Index
	}
	threads := c.kernel.Threads(s, i)
	in.Threads += number(threads)
	in.Off += number(s.Active[i] &^ threads)
	if op := code.Op; (op == tesla.OpBra || op == tesla.OpBreak || op == tesla.OpRet) && code.Marker != tesla.MarkerExit {
		switch to := &in.Branch; {
		case s.Executed[i] == s.Active[i]:
			to.Taken++
		case s.Executed[i] == 0:
			to.NotTaken++
		default:
			to.Divergent++
		}
		in.Branch.Threads += number(s.Executed[i])
	}
	if s.Executed[i] != 0 {
		c.memory(s, i)
	}
}

// memory counts the cost of the accesses of the warp at position i of a step.
func (c *counter) memory(s *trace.Step, i int) {
	in, code, w, m := &c.by[s.Index], &c.kernel.Code[s.Index], int(s.Warp[i]), s.Executed[i]
	accesses := false
	for k := range s.Values {
		if v := &s.Values[k]; v.Kind == trace.Address && v.Warp == w {
			accesses = true
			if code.Op != tesla.OpAtom && code.Op != tesla.OpRed {
				access(&in.Memory, &code.Src[0], code.Type, &v.Row, m)
			}
		}
	}
	for k := range code.Src {
		x := &code.Src[k]
		if x.Kind != tesla.Shared && (x.Kind != tesla.Const || x.Base == 0 && !x.Post) || k == 0 && accesses {
			continue
		}
		var at lane.Row
		if x.Base != 0 {
			at = c.addrs[x.Base][w]
		}
		if !x.Post {
			for l := range at {
				at[l] = (at[l] + x.Value) & 0xffff
			}
		}
		access(&in.Memory, x, x.Type, &at, m)
	}
}

// access counts the cost of an access to x.
func access(c *mem.Cost, x *tesla.Operand, typ tesla.Type, at *lane.Row, m lane.Mask) {
	size := mem.Size(typ)
	switch x.Kind {
	case tesla.Shared:
		c.Shared.Add(mem.SharedSteps(at, m, size))
	case tesla.Const:
		c.Const.CountConst(at, m)
	case tesla.Global:
		traffic(&c.Device, at, m, size)
	case tesla.Local: // one word of all lanes, then the next word
		for k := range uint32(max(1, size/4)) {
			var words lane.Row
			for l, a := range at {
				words[l] = (a/4+k)*4*lane.Width + 4*uint32(l) + a%4
			}
			traffic(&c.Device, &words, m, min(size, 4))
		}
	}
}

// traffic counts an access to device memory.
func traffic(c *mem.Traffic, at *lane.Row, m lane.Mask, size int) {
	c.Add(&mem.Traffic{Accesses: uint64(mem.HalfWarps(m)), G80: mem.Transactions10(at, m, size), GT200: mem.Transactions12(at, m, size)})
}
