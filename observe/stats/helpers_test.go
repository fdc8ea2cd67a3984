package stats_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/observe/stats"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// words are a kernel of three instructions.
func words() []uint32 {
	return []uint32{
		0x10018005, 0x00000003, // mov b32 $r1 0x1
		0x20000409, 0x04008780, // add b32 $r2 $r2 $r2
		0xf0000001, 0xe0000001, // exit
	}
}

// launch runs a kernel in one block and describes the launch.
func launch(t testing.TB, name string, threads int) *stats.Launch {
	t.Helper()
	k := simt.Kernel{Name: name, Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, words()), Registers: 4, Shared: 16}
	p, err := simt.Lower(k)
	require.NoError(t, err)
	s, err := simt.Run(&simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{threads, 1, 1}, Global: mem.NewSpace(1 << 20)})
	require.NoError(t, err)
	s.Elapsed = 1500
	return &stats.Launch{Kernel: stats.Describe(&k), Device: "gtx280", Stats: *s}
}

// run describes a run without launches.
func run() *stats.Run {
	return &stats.Run{Program: "/bin/x", Devices: []string{"gtx280"}, Policy: "nvidia", Workers: 2, SIMD: "off"}
}
