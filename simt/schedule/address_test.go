package schedule

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// The sum of an address register and an offset has 16 bits, whether the engine adds per lane or, as
// usual, only once.
func TestSharedAddressesWrap(t *testing.T) {
	const place, offset = 0x80, 0x140
	w := &kernelWriter{t: t, r: rand.New(rand.NewPCG(1, 2))}
	w.ownBuffer()
	address := func(a uint8, at uint32) {
		w.emit(tesla.Instruction{Op: tesla.OpShl, Type: tesla.B32, Dst: reg(6), Src: [3]tesla.Operand{reg(0), imm(2)}})
		w.arith(tesla.Add, 6, reg(6), imm(at))
		w.emit(tesla.Instruction{Op: tesla.OpShlToAddr, Type: tesla.B32, Dst: tesla.Operand{Kind: tesla.AddrReg, Index: a}, Src: [3]tesla.Operand{reg(6), imm(0)}})
	}
	at := func(a uint8, offset uint32) tesla.Operand {
		return tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Base: a, Value: offset}
	}
	address(1, 1<<16+place-offset)
	address(2, place)
	w.emit(tesla.Instruction{Op: tesla.OpStShared, Type: tesla.B32, Src: [3]tesla.Operand{at(1, offset), reg(0)}})
	w.emit(tesla.Instruction{Op: tesla.OpLdShared, Type: tesla.B32, Dst: reg(7), Src: [3]tesla.Operand{at(2, 0)}})
	w.emit(tesla.Instruction{Op: tesla.OpLdShared, Type: tesla.B32, Dst: reg(8), Src: [3]tesla.Operand{at(1, offset)}})
	w.arith(tesla.Add, 7, reg(7), reg(8))
	w.emit(tesla.Instruction{Op: tesla.OpShl, Type: tesla.B32, Dst: reg(6), Src: [3]tesla.Operand{reg(0), imm(2)}})
	w.arith(tesla.Add, 3, reg(3), reg(6))
	w.emit(tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B32, Src: [3]tesla.Operand{{Kind: tesla.Global, Index: program.WindowGlobal, Value: 3}, reg(7)}})
	w.emit(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerExit})
	p, err := lower(program.Kernel{Name: "wrapping", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, w.code), Registers: 16, Shared: 0x200})
	require.NoError(t, err)
	const threads = 64
	space := mem.NewSpace(1 << 20)
	addr, err := space.Alloc(4 * threads)
	require.NoError(t, err)
	_, err = Run(&Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{threads, 1, 1}, Params: binary.LittleEndian.AppendUint32(nil, addr), Global: space})
	require.NoError(t, err)
	data, err := space.Bytes(addr, 4*threads)
	require.NoError(t, err)
	for i := range threads {
		require.EqualValues(t, 2*i, binary.LittleEndian.Uint32(data[4*i:]), "thread %d", i)
	}
}

// $a1 to $a4 hold 16 bits; $a0, $a5 and $a6 keep nothing.
func TestAddressRegisters(t *testing.T) {
	for a, want := range []uint32{0, 0x2345, 0x2345, 0x2345, 0x2345, 0, 0} {
		w := &forkWriter{kernelWriter{t: t}}
		w.ownBuffer()
		address := tesla.Operand{Kind: tesla.AddrReg, Index: uint8(a)}
		w.emit(tesla.Instruction{Op: tesla.OpMov, Type: tesla.B32, Dst: reg(4), Src: [3]tesla.Operand{imm(0x12345)}})
		w.emit(tesla.Instruction{Op: tesla.OpShlToAddr, Type: tesla.B32, Dst: address, Src: [3]tesla.Operand{reg(4), imm(0)}})
		w.emit(tesla.Instruction{Op: tesla.OpMovFromAddr, Type: tesla.B32, Dst: reg(4), Src: [3]tesla.Operand{address}})
		w.emit(tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B32, Src: [3]tesla.Operand{{Kind: tesla.Global, Index: program.WindowGlobal, Value: 3}, reg(4)}})
		data := runRandom(t, w.program(), "", turnRounds, nil).memory
		require.Equal(t, want, binary.LittleEndian.Uint32(data), "$a%d", a)
	}
}
