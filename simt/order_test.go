package simt_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// words returns n words of memory at addr.
func words(t *testing.T, s *mem.Space, addr uint32, n int) []uint32 {
	t.Helper()
	data, err := s.Bytes(addr, uint64(4*n))
	require.NoError(t, err)
	out := make([]uint32, n)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return out
}

var nop = []uint32{0xf0000001, 0xe0000780}

// clock is `mov $rR clock`.
func clock(r uint32) []uint32 { return []uint32{0x00000001 | r<<2, 0x60004780} }

// The clock register counts the issues of the warp, and the wait at barriers.
func TestClock(t *testing.T) {
	space := mem.NewSpace(1 << 20)
	out, err := space.Alloc(64 * 8)
	require.NoError(t, err)
	m := machine{
		arch: tesla.SM13, registers: 6, shared: 20, params: []uint32{out}, space: space, block: [3]int{64, 1, 1},
		words: code(
			movImm(1, 31),                    // 0
			[]uint32{0x300101fd, 0x6c0107c8}, // 1: set $c0 # g s32 $r0 $r1: true in warp 1
			bra(0x30, ifTrue),                // 2
			nop, nop, clock(4),               // 3 4 5: only warp 0
			[]uint32{0x861ffe03, 0},          // 0x30: bar. Warp 1 issues it at 3, warp 0 at 6
			clock(5),                         // both at 7
			[]uint32{0x30030005, 0xc4100780}, // shl b32 $r1 $r0 0x3
			[]uint32{0x2000c805, 0x04204780}, // add b32 $r1 b32 s[0x10] $r1
			[]uint32{0xd00e0211, 0xa0800780}, // st b64 g14[$r1] $r4d
			[]uint32{exitNop0, exitNop1},
		),
	}
	stats, err := simt.Run(m.launch(t))
	require.NoError(t, err)
	got := words(t, space, out, 128)
	for i := range 64 {
		before := uint32(5)
		if i >= 32 {
			before = 0
		}
		require.Equal(t, []uint32{before, 7}, got[2*i:2*i+2], "thread %d", i)
	}
	require.EqualValues(t, 12+9, stats.WarpInstructions)
	require.EqualValues(t, 32*(12+9), stats.ThreadInstructions)
}

// The identities of the statistics of every launch.
func checkStats(t *testing.T, s *simt.Stats) {
	t.Helper()
	var issues, threads, active, lanes uint64
	for _, in := range s.ByInstruction {
		issues += in.Issues
		threads += in.Threads
		require.LessOrEqual(t, in.Vetoed, in.Issues)
	}
	for n, k := range s.Active {
		active += k
		lanes += uint64(n) * k
	}
	require.Equal(t, s.WarpInstructions, issues)
	require.Equal(t, s.ThreadInstructions, threads)
	require.Equal(t, s.WarpInstructions, active)
	require.LessOrEqual(t, threads, lanes)
}

func TestWaves(t *testing.T) {
	tests := []struct {
		arch                       tesla.Arch
		threads, registers, shared int
		want                       int
	}{
		{tesla.SM10, 32, 4, 16, 8},       // the limit of blocks
		{tesla.SM10, 256, 10, 16, 3},     // threads and warps
		{tesla.SM13, 256, 10, 16, 4},     // more of both
		{tesla.SM10, 64, 64, 16, 2},      // registers: 2 warps * 32 * 64 = 4096 of 8192
		{tesla.SM10, 96, 32, 16, 2},      // 3 warps count as 4: 4096 registers a block
		{tesla.SM13, 32, 4, 5000, 3},     // shared memory: 5120 a block
		{tesla.SM10, 512, 17, 16, 0},     // 8704 registers do not fit
		{tesla.SM13, 512, 17, 16384, 1},  // all of shared memory
		{tesla.SM13, 512, 124, 16384, 0}, // 63488 registers
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, tt.arch.Limits().BlocksPerWave(tt.threads, tt.registers, tt.shared), "%+v", tt)
	}
}

// Blocks start in order of y, then x, and a wave ends before the next begins: each block takes a
// ticket.
func TestBlockOrder(t *testing.T) {
	space := mem.NewSpace(1 << 20)
	buf, err := space.Alloc(4 + 4*20)
	require.NoError(t, err)
	m := machine{
		arch: tesla.SM13, registers: 6, shared: 20, params: []uint32{buf}, space: space,
		grid: [2]int{4, 5}, block: [3]int{1, 1, 1},
		words: code(
			[]uint32{0x1000c809, 0x0423c780}, // mov b32 $r2 s[0x10]
			movImm(3, 1),                     //
			[]uint32{0xd7030411, 0xe0c00780}, // ld add u32 $r4 g14[$r2] $r3
			[]uint32{0x30020811, 0xc4100780}, // shl b32 $r4 $r4 0x2
			[]uint32{0x20000409, 0x04010780}, // add b32 $r2 $r2 $r4
			[]uint32{0x20048409, 0x00000003}, // add b32 $r2 $r2 0x4
			[]uint32{0x1000c605, 0x0423c780}, // mov b32 $r1 s[0xc]: ctaid.x | ctaid.y << 16
			[]uint32{0xd00e0405, 0xa0c00780}, // st b32 g14[$r2] $r1
			[]uint32{exitNop0, exitNop1},
		),
	}
	stats, err := simt.Run(m.launch(t))
	require.NoError(t, err)
	require.True(t, stats.Plan.Reference, "the value an atomic returns is used")
	require.Equal(t, 3, stats.Waves, "20 blocks, 8 at a time")
	checkStats(t, stats)
	got := words(t, space, buf, 21)
	require.EqualValues(t, 20, got[0])
	for i, b := range got[1:] {
		require.EqualValues(t, i%4|i/4<<16, b, "ticket %d", i)
	}
}

// Guards, histogram and averages.
func TestStatistics(t *testing.T) {
	m := machine{
		arch: tesla.SM13, block: [3]int{48, 1, 1},
		words: code(
			movImm(1, 7),
			[]uint32{0x300101fd, 0x6c0107c8}, // set $c0 # g s32 $r0 $r1
			[]uint32{0x30020005, 0xc4100280}, // (lg $c0) shl b32 $r1 $r0 0x2
			[]uint32{exitNop0, exitNop1},
		),
	}
	s, err := simt.Run(m.launch(t))
	require.NoError(t, err)
	checkStats(t, s)
	require.EqualValues(t, 8, s.WarpInstructions)
	require.EqualValues(t, 4, s.Active[32])
	require.EqualValues(t, 4, s.Active[16])
	require.InDelta(t, 24, s.AverageLanes(), 1e-9)
	require.Equal(t, simt.InstructionStats{PC: 16, Issues: 2, Threads: 40, Off: 8, Active: [33]uint64{16: 1, 32: 1}}, s.ByInstruction[2])
}
