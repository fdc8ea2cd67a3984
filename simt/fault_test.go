package simt_test

import (
	"encoding/binary"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// machine is a kernel given as words, and how to launch it.
type machine struct {
	arch      tesla.Arch
	words     []uint32
	registers int
	shared    int
	local     int
	grid      [2]int
	block     [3]int
	params    []uint32
	watchdog  uint64
	interrupt *atomic.Bool
	space     *mem.Space
}

func (m machine) launch(t testing.TB) *simt.Launch {
	t.Helper()
	if m.registers == 0 {
		m.registers = 4
	}
	if m.grid[0] == 0 {
		m.grid = [2]int{1, 1}
	}
	if m.block[0] == 0 {
		m.block = [3]int{32, 1, 1}
	}
	if m.space == nil {
		m.space = mem.NewSpace(1 << 20)
	}
	p, err := simt.Lower(simt.Kernel{
		Name: "k", Arch: m.arch, Code: decoder.Kernel(m.arch, m.words),
		Registers: m.registers, Shared: m.shared, Local: m.local,
	})
	require.NoError(t, err)
	var params []byte
	for _, v := range m.params {
		params = binary.LittleEndian.AppendUint32(params, v)
	}
	return &simt.Launch{
		Program: p, Grid: m.grid, Block: m.block, Params: params,
		Global: m.space, Watchdog: m.watchdog, Signals: simt.Signals{Interrupt: m.interrupt},
	}
}

// Instructions the tests are made of.
const (
	exitNop0, exitNop1 = 0xf0000001, 0xe0000001 // exit nop, as compilers end kernels
)

// movImm is `mov b32 $rR v`.
func movImm(r, v uint32) []uint32 {
	return []uint32{0x10008001 | r<<2 | v&63<<16, 3 | v>>6<<2}
}

// bra is a branch to byte address target with guard word w1.
func bra(target, w1 uint32) []uint32 { return []uint32{0x10000003 | target<<9, w1} }

const (
	always = 0x00000780
	ifTrue = 0x00000280 // (lg $c0)
)

func code(parts ...[]uint32) []uint32 {
	var words []uint32
	for _, p := range parts {
		words = append(words, p...)
	}
	return words
}

func TestFaults(t *testing.T) {
	var stopped atomic.Bool
	stopped.Store(true)
	exit := []uint32{exitNop0, exitNop1}
	tests := []struct {
		name string
		m    machine
		kind simt.FaultKind
		pc   uint32
		want string // part of the message
	}{
		{"undefined encoding", machine{words: code(exit[:0], []uint32{0x00000002, 0x00000002})}, simt.FaultIllegalInstruction, 0, "no such instruction"},
		{"instruction the device lacks", machine{arch: tesla.SM10, words: code([]uint32{0x10200001, 0x4000c780}, exit)}, simt.FaultIllegalInstruction, 0, ""},
		{"unmapped load", machine{words: code(movImm(0, 0), []uint32{0xd00e0005, 0x80c00780}, exit)}, simt.FaultIllegalAddress, 8, "g[0x0]"},
		{"unmapped store", machine{words: code(movImm(0, 0xfff00000), []uint32{0xd00e0005, 0xa0c00780}, exit)}, simt.FaultIllegalAddress, 8, "g[0xfff00000]"},
		{"misaligned load", machine{words: code(movImm(0, 0x10002), []uint32{0xd00e0005, 0x80c00780}, exit)}, simt.FaultMisaligned, 8, "g[0x10002]"},
		{"shared memory beyond the block's", machine{words: code([]uint32{0x1000c805, 0x0423c780}, exit), shared: 16}, simt.FaultIllegalAddress, 0, "s[0x10]"},
		{"local memory the kernel does not have", machine{words: code([]uint32{0xd4000001, 0x40c00780}, exit)}, simt.FaultIllegalAddress, 0, "l[0x0]"},
		{"join on an empty stack", machine{words: code([]uint32{0xf0000001, 0xe0000782}, exit)}, simt.FaultStack, 0, "empty token stack"},
		{"stack overflow", machine{words: code([]uint32{0xa0000003, 0}, bra(0, always))}, simt.FaultStack, 0, "overflow"},
		{"break without breakaddr", machine{words: code([]uint32{0x50000003, 0x00000780}, exit)}, simt.FaultStack, 0, "underflow"},
		{"trap", machine{words: code([]uint32{0x90000002, 0x90000002}, exit)}, simt.FaultTrap, 0, "trap"},
		{"watchdog", machine{words: bra(0, always), watchdog: 1000}, simt.FaultWatchdog, 0, "bra 0x0"},
		{"interrupt", machine{words: bra(0, always), interrupt: &stopped}, simt.FaultInterrupt, 0, "bra 0x0"},
		{"running off the end", machine{words: []uint32{0xf0000001, 0xe0000780}}, simt.FaultInvalidPC, 8, "no instruction"},
		{"branch out of the kernel", machine{words: bra(0x1000, always)}, simt.FaultInvalidPC, 0x1000, "no instruction"},
		{"branch into an instruction", machine{words: code(bra(4, always))}, simt.FaultInvalidPC, 4, "no instruction"},
		{"cut off", machine{words: []uint32{0xf0000001}}, simt.FaultIllegalInstruction, 0, "complete"},
		{
			"barrier deadlock",
			machine{block: [3]int{64, 1, 1}, words: code(
				movImm(1, 31),
				[]uint32{0x300101fd, 0x6c0107c8}, // set $c0 # g s32 $r0 $r1
				bra(0x28, ifTrue),
				[]uint32{0x861ffe03, 0}, exit, // bar 0
				[]uint32{0x863ffe03, 0}, exit, // bar 1
			)},
			simt.FaultBarrier, 0x18, "at barrier 1",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.m.arch == 0 && tt.name != "instruction the device lacks" {
				tt.m.arch = tesla.SM13
			}
			stats, err := simt.Run(tt.m.launch(t))
			var f *simt.Fault
			require.ErrorAs(t, err, &f)
			require.Equal(t, tt.kind, f.Kind, f.Error())
			require.Equal(t, tt.pc, f.PC, f.Error())
			require.Contains(t, f.Error(), "in kernel k, block (0,0), warp 0, lanes ")
			require.Contains(t, f.Error(), tt.want)
			require.True(t, stats.Incomplete)
		})
	}
}

// A block stops at its first fault, whichever warps issue together.
func TestFaultEndsBlock(t *testing.T) {
	m := machine{arch: tesla.SM13, words: code(
		[]uint32{0xd4000001, 0x40c00780}, // ld b32 $r0 l[$a1]
		[]uint32{0xd4000001, 0x40c00780},
		[]uint32{exitNop0, exitNop1},
	)}
	for _, policy := range branch.Policies() {
		t.Run(policy.Name, func(t *testing.T) {
			l := m.launch(t)
			l.Policy = policy.Name
			stats, err := simt.Run(l)
			var f *simt.Fault
			require.ErrorAs(t, err, &f)
			require.Zero(t, f.PC, f.Error())
			require.EqualValues(t, 1, stats.WarpInstructions)
		})
	}
}

// The fault reported is the earliest in time, not the fault of the first block.
func TestEarliestFaultWins(t *testing.T) {
	m := machine{
		arch: tesla.SM13, shared: 16, grid: [2]int{2, 1}, block: [3]int{1, 1, 1},
		words: code(
			[]uint32{0x1000c605, 0x0423c780}, // mov b32 $r1 s[0xc]: the block's index
			[]uint32{0x300003fd, 0x6c0107c8}, // set $c0 # g s32 $r1 $r0
			bra(0x30, ifTrue),
			[]uint32{0xf0000001, 0xe0000780, 0xf0000001, 0xe0000780}, // block 0 dawdles
			[]uint32{0x90000002, 0x90000002},
			[]uint32{0x90000002, 0x90000002},
		),
	}
	_, err := simt.Run(m.launch(t))
	var f *simt.Fault
	require.ErrorAs(t, err, &f)
	require.Equal(t, [2]int{1, 0}, f.Block)
	require.Equal(t, uint32(0x30), f.PC)
	require.Equal(t, uint64(3), f.Time)
}

// An access that faults in one lane has no effect in any lane.
func TestFaultingStoreHasNoEffect(t *testing.T) {
	space := mem.NewSpace(1 << 20)
	buf, err := space.Alloc(31 * 4) // one word too few
	require.NoError(t, err)
	m := machine{
		arch: tesla.SM13, shared: 20, params: []uint32{buf}, space: space,
	}
	m.words = code(
		[]uint32{0x30020005, 0xc4100780}, // shl b32 $r1 $r0 0x2
		[]uint32{0x2000c805, 0x04204780}, // add b32 $r1 b32 s[0x10] $r1
		[]uint32{0xd00e0201, 0xa0c00780}, // st b32 g14[$r1] $r0
		[]uint32{exitNop0, exitNop1},
	)
	_, err = simt.Run(m.launch(t))
	var f *simt.Fault
	require.ErrorAs(t, err, &f)
	require.EqualValues(t, uint32(1)<<31, f.Lanes)
	require.Equal(t, buf+31*4, f.Addr)
	data, err := space.Bytes(buf, 31*4)
	require.NoError(t, err)
	require.Equal(t, make([]byte, 31*4), data)
}

func TestRefusedLaunches(t *testing.T) {
	exit := []uint32{exitNop0, exitNop1}
	tests := []struct {
		name      string
		m         machine
		change    func(*simt.Launch)
		resources bool
	}{
		{"no threads", machine{words: exit}, func(l *simt.Launch) { l.Block[1] = 0 }, false},
		{"too many threads", machine{words: exit, block: [3]int{512, 2, 1}}, nil, false},
		{"too deep a block", machine{words: exit, block: [3]int{1, 1, 65}}, nil, false},
		{"grid too wide", machine{words: exit, grid: [2]int{65536, 1}}, nil, false},
		{"no grid", machine{words: exit}, func(l *simt.Launch) { l.Grid[0] = -1 }, false},
		{"too much shared memory", machine{words: exit}, func(l *simt.Launch) { l.Dynamic = 16384 }, false},
		{"too many parameters", machine{words: exit}, func(l *simt.Launch) { l.Params = make([]byte, 257) }, false},
		{"too many registers", machine{words: exit, block: [3]int{512, 1, 1}, registers: 40}, nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.m.arch = tesla.SM13
			l := tt.m.launch(t)
			if tt.change != nil {
				tt.change(l)
			}
			_, err := simt.Run(l)
			var refused *simt.LaunchError
			require.ErrorAs(t, err, &refused)
			require.Equal(t, tt.resources, refused.Resources, err)
		})
	}
}
