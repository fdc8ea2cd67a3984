//go:build !race

package schedule

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/program"
	"jacquard/tesla"
)

// A wave that waits for an earlier one is no livelock, although it returns to a state.
// The blocks race, so the race detector does not build this file.
func TestWavesWaitForEarlierOnes(t *testing.T) {
	const blocks = 12
	flag := tesla.Operand{Kind: tesla.Global, Index: program.WindowGlobal, Value: 3}
	p := writtenProgram(t, func(w *kernelWriter) {
		w.arith(tesla.SubR, 3, reg(5), reg(3)) // memory that all blocks share
		loop := w.here()
		w.emit(tesla.Instruction{Op: tesla.OpLdGlobal, Type: tesla.B32, Dst: reg(6), Src: [3]tesla.Operand{flag}})
		w.arith(tesla.SubR, 6, reg(4), reg(6))
		w.compare(tesla.Less|tesla.Greater, 6, 0)
		w.branchTo(loop) // until the flag is the index of the block
		w.loop(firstLook / 2)
		w.arith(tesla.Add, 6, reg(4), imm(1))
		w.emit(tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B32, Src: [3]tesla.Operand{flag, reg(6)}})
	})
	for _, workers := range []int{1, 2, 7} {
		got := runStage(t, p, blocks, workers, Launch{Dynamic: oneBlock})
		require.Nil(t, got.fault, "%d workers", workers)
		require.EqualValues(t, blocks, got.memory[0])
	}
}
