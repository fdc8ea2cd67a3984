package schedule

import (
	"math"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// Any words as a kernel can be lowered, and the run ends in success or a fault.
func FuzzRun(f *testing.F) {
	f.Add([]byte{0x01, 0, 0, 0xf0, 0x01, 0, 0, 0xe0}, uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, arch uint8) {
		var words []uint32
		for i := 0; i+4 <= len(data) && len(words) < 64; i += 4 {
			words = append(words, uint32(data[i])|uint32(data[i+1])<<8|uint32(data[i+2])<<16|uint32(data[i+3])<<24)
		}
		a := tesla.Archs[int(arch)%len(tesla.Archs)]
		p, err := lower(program.Kernel{Name: "fuzz", Arch: a, Code: decoder.Kernel(a, words), Registers: 8, Shared: 64, Local: 32})
		require.NoError(t, err)
		_, err = Run(&Launch{
			Program: p, Grid: [2]int{2, 1}, Block: [3]int{70, 1, 1},
			Global: mem.NewSpace(1 << 20), Watchdog: 2000,
		})
		if err != nil {
			var fault *machine.Fault
			require.ErrorAs(t, err, &fault)
			require.NotEqual(t, machine.FaultInternal, fault.Kind)
		}
	})
}

// Issuing instructions allocates nothing: blocks of a long launch take no more memory than blocks
// of a short one.
func TestNoAllocationPerStep(t *testing.T) {
	// A loop of 4 * n instructions, with a divergent part and shared memory.
	code := []uint32{
		0x10008009, 0x00000003, // mov b32 $r2 0x0
		0x1000c805, 0x0423c780, // 0x08: mov b32 $r1 s[0x10]
		0x20018409, 0x00000003, // add b32 $r2 $r2 0x1
		0xa0007003, 0x00000000, // joinat 0x38
		0x300001fd, 0x6c0147c8, // set $c0 # lg s32 $r0 $r0: never
		0x10007003, 0x00000280, // (lg $c0) bra 0x38
		0x2000000d, 0x04004780, // add b32 $r3 $r0 $r1
		0xf0000001, 0xe0000002, // 0x38: join nop
		0x300105fd, 0x640047c8, // set $c0 # l u32 $r2 $r1
		0x10001003, 0x00000280, // (lg $c0) bra 0x8
		0xf0000001, 0xe0000001, // exit nop
	}
	p, err := lower(program.Kernel{Name: "loop", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, code), Registers: 4, Shared: 20})
	require.NoError(t, err)
	// A collection would free the blocks that launches leave.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	run := func(n byte) float64 {
		l := &Launch{Program: p, Workers: 1, Grid: [2]int{16, 1}, Block: [3]int{64, 1, 1}, Params: []byte{n, 0, 0, 0}, Global: mem.NewSpace(1 << 20)}
		least := math.Inf(1)
		for range 20 { // under the race detector the pool sometimes loses a worker
			least = min(least, testing.AllocsPerRun(1, func() {
				s, err := Run(l)
				require.NoError(t, err)
				require.Greater(t, s.WarpInstructions, uint64(n)*8*32)
			}))
		}
		return least
	}
	require.InDelta(t, run(1), run(200), 3, "a long launch issues 50,000 more instructions")
}
