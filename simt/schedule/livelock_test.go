package schedule

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt/engine/translate"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// hotOf returns a program with all its code translated, where the host can.
func hotOf(t testing.TB, p *Program) *Program {
	code, err := translate.CompileHot(p.Program)
	require.NoError(t, err)
	return NewProgram(p.Program, code)
}

// spinning makes a kernel that never ends of the code that write emits.
func spinning(t testing.TB, write func(w *kernelWriter)) *Program {
	w := &kernelWriter{t: t}
	write(w)
	w.emit(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerExit})
	k := program.Kernel{Name: "spin", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, w.code), Registers: 8, Shared: 0x40}
	p, err := lower(k)
	require.NoError(t, err)
	return p
}

// livelockOf runs a launch of one block of so many warps, and returns the livelock that ends it.
func livelockOf(t testing.TB, l Launch, warps int) *machine.Fault {
	t.Helper()
	l.Grid, l.Block, l.Global, l.Workers = [2]int{1, 1}, [3]int{32 * warps, 1, 1}, mem.NewSpace(1<<16), 1
	_, err := Run(&l)
	var f *machine.Fault
	require.ErrorAs(t, err, &f)
	require.Equal(t, machine.FaultLivelock, f.Kind, f)
	return f
}

// A warp that passes one barrier after the other makes progress, though nothing else changes.
func TestBarriersAreProgress(t *testing.T) {
	bar := tesla.Instruction{Op: tesla.OpBar, Barrier: tesla.Barrier{Count: 0xfff, Inc: true, Wait: true}}
	flag := tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: 0x30}
	w := &kernelWriter{t: t}
	w.emit(tesla.Instruction{Op: tesla.OpShr, Type: tesla.U32, Dst: reg(4), Src: [3]tesla.Operand{reg(0), imm(5)}})
	w.arith(tesla.Add, 6, reg(7), imm(0))
	w.again(w.here(), firstLook/4-100) // four instructions a round, up to the first look
	w.logic(tesla.And, 6, reg(6), imm(0))
	w.compare(tesla.Equal, 4, 0)
	waits := w.hole(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: tesla.CondLG}})
	for range 400 { // warp 1
		w.emit(bar)
	}
	w.arith(tesla.Add, 5, reg(7), imm(1))
	w.emit(tesla.Instruction{Op: tesla.OpStShared, Type: tesla.B32, Src: [3]tesla.Operand{flag, reg(5)}})
	w.emit(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerExit})
	waits()
	loop := w.here() // warp 0
	w.emit(bar)
	w.emit(tesla.Instruction{Op: tesla.OpLdShared, Type: tesla.B32, Dst: reg(5), Src: [3]tesla.Operand{flag}})
	w.compare(tesla.Equal, 5, 0)
	w.branchTo(loop)
	w.emit(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerExit})
	k := program.Kernel{Name: "barriers", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, w.code), Registers: 8, Shared: 0x40}
	p, err := lower(k)
	require.NoError(t, err)
	for _, p := range []*Program{p, hotOf(t, p)} {
		s, err := Run(&Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{64, 1, 1}, Global: mem.NewSpace(1 << 16)})
		require.NoError(t, err)
		require.Greater(t, s.WarpInstructions, uint64(2*firstLook))
	}
}

// Lanes of a narrow warp that take turns make progress if one of them does. Between turns only the
// choice of the next path changes.
func TestTurnsOfPathsAreProgress(t *testing.T) {
	const most = firstLook / 2 // rounds of the loop that counts
	p := writtenProgram(t, func(w *kernelWriter) {
		loop := func(step uint32) {
			start := w.here()
			w.load(5, 3)
			if step > 0 {
				w.arith(tesla.Add, 5, reg(5), imm(step))
				w.store(3, 5)
			}
			w.compare(tesla.Less, 5, most)
			w.arith(tesla.Add, 5, reg(7), imm(0))
			w.arith(tesla.Add, 1, reg(7), imm(0))
			w.branchTo(start)
			w.emit(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerExit})
		}
		w.compare(tesla.Equal, 0, 0)
		first := w.hole(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: tesla.CondLG}})
		loop(0)
		first()
		loop(1)
	})
	for _, policy := range []string{"bfs", "bfs:warp=16", "bfs:warp=4"} {
		space := mem.NewSpace(1 << 16)
		buffer, err := space.Alloc(32)
		require.NoError(t, err)
		_, err = Run(&Launch{
			Program: p, Grid: [2]int{1, 1}, Block: [3]int{32, 1, 1}, Global: space, Policy: policy,
			Params: binary.LittleEndian.AppendUint32(nil, buffer),
		})
		require.NoError(t, err, policy)
		count, err := space.Bytes(buffer, 4)
		require.NoError(t, err)
		require.EqualValues(t, most, binary.LittleEndian.Uint32(count))
	}
}

// Every engine finds a livelock at the same time, observed or not, whatever the policy was told
// before.
func TestLivelockTime(t *testing.T) {
	for branches := range 4 {
		for nops := range 4 {
			p := spinning(t, func(w *kernelWriter) {
				start := w.here()
				for range branches {
					w.compare(tesla.Less, 0, 5)
					join := w.hole(tesla.Instruction{Op: tesla.OpJoinAt})
					over := w.hole(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: tesla.CondLG}})
					w.emit(tesla.Instruction{Op: tesla.OpNop})
					w.emit(tesla.Instruction{Op: tesla.OpNop})
					join()
					over()
					w.emit(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerJoin})
				}
				for range nops {
					w.emit(tesla.Instruction{Op: tesla.OpNop})
				}
				w.emit(tesla.Instruction{Op: tesla.OpBra, Target: start})
			})
			want := livelockOf(t, Launch{Program: p}, 1)
			require.Less(t, want.Time, uint64(firstLook+100), "%d branches, %d nops", branches, nops)
			for _, p := range []*Program{p, hotOf(t, p)} {
				for _, l := range []Launch{{Program: p}, {Program: p, Observer: glancing{}}} {
					require.Equal(t, want, livelockOf(t, l, 1), "%d branches, %d nops", branches, nops)
				}
			}
		}
	}
}

// A look goes on though warps are back at different times, and many at the same time.
func TestLivelockOfManyWarps(t *testing.T) {
	p := spinning(t, func(w *kernelWriter) {
		spin := func(instructions int) {
			start := w.here()
			for range instructions - 1 {
				w.emit(tesla.Instruction{Op: tesla.OpNop})
			}
			w.emit(tesla.Instruction{Op: tesla.OpBra, Target: start})
		}
		w.emit(tesla.Instruction{Op: tesla.OpShr, Type: tesla.U32, Dst: reg(4), Src: [3]tesla.Operand{reg(0), imm(5)}})
		w.compare(tesla.Less, 4, 8)
		others := w.hole(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: tesla.CondLG}})
		spin(17)
		others()
		spin(19)
	})
	for _, warps := range []int{9, 12, 16} {
		require.Less(t, livelockOf(t, Launch{Program: p}, warps).Time, uint64(firstLook+firstLook/lookShare), "%d warps", warps)
	}
}
