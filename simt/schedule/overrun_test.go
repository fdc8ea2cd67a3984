package schedule

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt/branch"
	"jacquard/simt/count"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// lines is a kernel that stores each thread's number in 128 bytes of its block, and loads it again.
var lines = []uint32{
	0xa0004c05, 0x04200780, // cvt u32 $r1 u16 u16 s[0xc]
	0x30070209, 0xc4100780, // shl b32 $r2 $r1 0x7
	0x30020005, 0xc4100780, // shl b32 $r1 $r0 0x2
	0x2000c805, 0x04204780, // add b32 $r1 b32 s[0x10] $r1
	0x20000205, 0x04008780, // add b32 $r1 $r1 $r2
	0xd00e0201, 0xa0c00780, // st b32 g14[$r1] $r0
	0xd00e020d, 0x80c00780, // ld b32 $r3 g14[$r1]
	0xf0000001, 0xe0000001, // exit nop
}

// runLines runs lines for a number of blocks on memory of size bytes, with slack after it.
func runLines(t *testing.T, blocks, size, slack int, change func(*Launch)) (*Launch, uint32, *count.Stats, error) {
	t.Helper()
	p, err := lower(program.Kernel{Name: "lines", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, lines), Registers: 4, Shared: 20})
	require.NoError(t, err)
	space := mem.NewSpace(1 << 20)
	addr, err := space.AllocIn(make([]byte, size+slack), slack)
	require.NoError(t, err)
	l := &Launch{
		Program: p, Grid: [2]int{blocks, 1}, Block: [3]int{32, 1, 1}, Global: space,
		Params: binary.LittleEndian.AppendUint32(nil, addr),
	}
	if change != nil {
		change(l)
	}
	stats, err := Run(l)
	return l, addr, stats, err
}

// Accesses into slack happen, and the first is reported.
func TestOverrun(t *testing.T) {
	l, addr, stats, err := runLines(t, 3, 300, 4096-300, nil)
	require.NoError(t, err)
	require.False(t, stats.Incomplete)
	require.Equal(t, &machine.Overrun{
		Kernel: "lines", Block: [2]int{2, 0}, Lanes: 0xfffff800, PC: 0x28, Text: "st b32 g14[$r1] $r0",
		Addr: addr + 300, Beyond: 4, Base: addr, Size: 300,
	}, stats.Overrun)
	require.Equal(t, "kernel lines reaches beyond an allocation: block (2,0), warp 0, lanes fffff800, pc 0x28: st b32 g14[$r1] $r0, "+
		"address g[0x112c], 4 bytes beyond the 300 bytes at 0x1000", stats.Overrun.String())
	for i := range 96 {
		require.Equal(t, uint32(i%32), binary.LittleEndian.Uint32(l.Global.Reach(addr)[4*i:]))
	}

	_, _, stats, err = runLines(t, 2, 300, 4096-300, nil)
	require.NoError(t, err)
	require.Nil(t, stats.Overrun, "no block passes the end")
}

// Slack ends like an allocation: with a fault. Earlier accesses into the slack are reported, too.
func TestOverrunAndFault(t *testing.T) {
	_, addr, stats, err := runLines(t, 40, 300, 4096-300, nil)
	var f *machine.Fault
	require.ErrorAs(t, err, &f)
	require.Equal(t, machine.FaultIllegalAddress, f.Kind)
	require.Equal(t, [2]int{32, 0}, f.Block)
	require.Equal(t, addr+4096, f.Addr)
	require.Equal(t, [2]int{2, 0}, stats.Overrun.Block)

	_, addr, stats, err = runLines(t, 3, 300, 0, nil)
	require.ErrorAs(t, err, &f)
	require.Equal(t, [2]int{2, 0}, f.Block)
	require.Equal(t, addr+300, f.Addr, "exact memory")
	require.Nil(t, stats.Overrun)
}

// The report is the same for any number of workers, with and without listeners. Under every policy
// it names the same address, for the lanes that issue together.
func TestOverrunUnderEveryPolicy(t *testing.T) {
	for _, s := range branch.Policies() {
		_, addr, want, err := runLines(t, 30, 1000, 3096, func(l *Launch) { l.Policy, l.Workers = s.Name, 1 })
		require.NoError(t, err)
		require.NotNil(t, want.Overrun, s.Name)
		require.Equal(t, [2]int{7, 0}, want.Overrun.Block, s.Name)
		require.Equal(t, uint32(0x28), want.Overrun.PC, s.Name)
		require.Equal(t, addr+1000, want.Overrun.Addr, s.Name)
		require.NotZero(t, want.Overrun.Lanes>>26&1, s.Name)
		require.Zero(t, want.Overrun.Lanes<<6, s.Name)
		for _, workers := range []int{1, 2, 7} {
			for _, how := range []func(*Launch){
				func(*Launch) {},
				func(l *Launch) { l.NoStats = true },
				func(l *Launch) { l.InStep = InStepOn },
				func(l *Launch) { l.Watchdog = 1 << 20 },
			} {
				_, _, stats, err := runLines(t, 30, 1000, 3096, func(l *Launch) {
					l.Policy, l.Workers = s.Name, workers
					how(l)
				})
				require.NoError(t, err, s.Name)
				require.Equal(t, want.Overrun, stats.Overrun, "%s, %d workers", s.Name, workers)
				require.Nil(t, stats.InStep)
			}
		}
	}
}

// Blocks with memory in slack give the same results for any number of workers and any slice, the
// first overrun included; and the same results as blocks with memory outside of slack.
func TestOverrunsDoNotDependOnWorkers(t *testing.T) {
	told, policies := 0, everyPolicy()
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 13))
		p := writtenProgram(t, func(w *kernelWriter) {
			w.begin(r)
			for range 20 {
				w.step(3)
			}
		})
		policy := policies[int(seed)%len(policies)]
		if seed%2 == 0 {
			policy = ""
		}
		size := 32*20 - r.IntN(32*20)
		var want outcome
		for i, c := range grids {
			c.policy = policy
			got := runSlack(t, p, 20, c, 32*20-size)
			if i == 0 {
				want = got
				exact := runCut(t, p, 20, c)
				require.Equal(t, exact.fault, got.fault, "seed %d", seed)
				if got.fault == nil {
					require.Equal(t, exact.memory, got.memory, "seed %d", seed)
				}
			}
			require.Equal(t, want.fault, got.fault, "seed %d, %+v", seed, c)
			require.Equal(t, want.stats.Overrun, got.stats.Overrun, "seed %d, %+v", seed, c)
			if want.fault == nil {
				require.Equal(t, want, got, "seed %d, %+v", seed, c)
			}
		}
		if want.stats.Overrun != nil {
			told++
		}
	}
	require.Greater(t, told, 15, "kernels that reach slack")
}
