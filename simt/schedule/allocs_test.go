package schedule

import (
	"encoding/binary"
	"math"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// Accesses of any width allocate nothing, even if lanes conflict: a kernel of many accesses takes
// no more memory than a kernel of few.
func TestNoAllocationPerAccess(t *testing.T) {
	shared := tesla.Operand{Kind: tesla.Shared, Base: 1, Value: 0x20}
	global := tesla.Operand{Kind: tesla.Global, Index: program.WindowGlobal, Value: 2}
	half, pair := tesla.Operand{Kind: tesla.Half, Index: 10}, tesla.Operand{Kind: tesla.Pair, Index: 6}
	of := func(o tesla.Operand, t tesla.Type) tesla.Operand { o.Type = t; return o }
	accesses := map[string]tesla.Instruction{
		"shared store, 32 bits": {Op: tesla.OpStShared, Type: tesla.B32, Src: [3]tesla.Operand{of(shared, tesla.B32), reg(4)}},
		"shared store, 16 bits": {Op: tesla.OpStShared, Type: tesla.U16, Src: [3]tesla.Operand{of(shared, tesla.U16), half}},
		"shared load, 32 bits":  {Op: tesla.OpLdShared, Type: tesla.B32, Dst: reg(5), Src: [3]tesla.Operand{of(shared, tesla.B32)}},
		"shared load, 16 bits":  {Op: tesla.OpLdShared, Type: tesla.U16, Dst: half, Src: [3]tesla.Operand{of(shared, tesla.U16)}},
		"global store, 8 bits":  {Op: tesla.OpStGlobal, Type: tesla.U8, Src: [3]tesla.Operand{global, reg(4)}},
		"global store, 64 bits": {Op: tesla.OpStGlobal, Type: tesla.B64, Src: [3]tesla.Operand{global, pair}},
		"global load, 64 bits":  {Op: tesla.OpLdGlobal, Type: tesla.B64, Dst: pair, Src: [3]tesla.Operand{global}},
		"atomic":                {Op: tesla.OpRed, Type: tesla.U32, Atom: tesla.AtomAdd, Src: [3]tesla.Operand{global, reg(4)}},
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would free what launches leave
	for name, in := range accesses {
		t.Run(name, func(t *testing.T) {
			run := func(n int) float64 {
				p := writtenProgram(t, func(w *kernelWriter) {
					w.logic(tesla.And, 1, reg(0), imm(3)) // one of four pairs of words per lane
					w.emit(tesla.Instruction{Op: tesla.OpShl, Type: tesla.B32, Dst: reg(1), Src: [3]tesla.Operand{reg(1), imm(3)}})
					w.emit(asm.ToAddr(1, 1, 0))
					w.arith(tesla.Add, 2, reg(3), reg(1))
					for range n {
						w.emit(in)
					}
				})
				space := mem.NewSpace(1 << 20)
				at, err := space.Alloc(32 * 16)
				require.NoError(t, err)
				l := &Launch{Program: p, Workers: 1, Grid: [2]int{16, 1}, Block: [3]int{64, 1, 1}, Params: binary.LittleEndian.AppendUint32(nil, at), Global: space}
				least := math.Inf(1)
				for range 20 { // under the race detector the pool sometimes loses a worker
					least = min(least, testing.AllocsPerRun(1, func() {
						_, err := Run(l)
						require.NoError(t, err)
					}))
				}
				return least
			}
			require.InDelta(t, run(1), run(200), 3, "6,400 more accesses of a warp")
		})
	}
}
