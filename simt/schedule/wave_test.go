package schedule

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// runWaves runs waves of one block.
func runWaves(t *testing.T, p *Program, blocks, workers int) outcome {
	t.Helper()
	space := mem.NewSpace(1 << 20)
	addr, err := space.Alloc(uint64(32 * blocks))
	require.NoError(t, err)
	g, err := newGrid(&Launch{
		Program: p, Grid: [2]int{blocks, 1}, Block: [3]int{32, 1, 1}, Global: space, Dynamic: 12 << 10,
		Params: binary.LittleEndian.AppendUint32(nil, addr), Pool: &Pool{all: true},
	})
	require.NoError(t, err)
	require.Equal(t, 1, g.resident)
	g.hire(workers)
	fault := g.run()
	return outcome{space.Reach(addr), g.stats(), fault}
}

// Waves that go on together count as if each ran alone. A wave that runs for ever faults as soon,
// and later waves do not count.
func TestLivelockOfALaterWave(t *testing.T) {
	const forever = 3 // the block
	p := writtenProgram(t, func(w *kernelWriter) {
		w.arith(tesla.Add, 5, reg(4), imm(^uint32(forever-1)))
		w.emit(tesla.Instruction{Op: tesla.OpISet, Type: tesla.U32, Cmp: tesla.Less | tesla.Greater, CDst: tesla.NoCond, Dst: reg(5), Src: [3]tesla.Operand{reg(5), reg(7)}})
		w.arith(tesla.Add, 6, reg(7), imm(firstLook)) // more than two looks
		loop := w.here()
		w.arith(tesla.Add, 6, reg(6), reg(5))
		w.compare(tesla.Less|tesla.Greater, 6, 0)
		w.branchTo(loop)
	})
	want := runWaves(t, p, 12, 1)
	require.NotNil(t, want.fault)
	require.Equal(t, machine.FaultLivelock, want.fault.Kind)
	require.Equal(t, [2]int{forever, 0}, want.fault.Block)
	require.Equal(t, forever+1, want.stats.Waves)
	for _, workers := range []int{2, 7} {
		got := runWaves(t, p, 12, workers)
		require.Equal(t, want.fault, got.fault, "%d workers", workers)
		require.Equal(t, want.stats, got.stats, "%d workers", workers)
	}
}
