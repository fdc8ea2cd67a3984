package verify_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/board/verify"
	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// A program reads its records where its parameter says, and leaves its answers there.
func TestProgramReadsItsRecords(t *testing.T) {
	programs, left := verify.Programs(tesla.SM12, []verify.Row{
		{Op: "add", Mods: []string{"b32"}, A: verify.Value{Bits: 3, Digits: 8}, B: verify.Value{Bits: 4, Digits: 8}},
		{Op: "add", Mods: []string{"b32"}, A: verify.Value{Bits: 1 << 31, Digits: 8}, B: verify.Value{Bits: 1 << 31, Digits: 8}},
	})
	require.Empty(t, left)
	require.Len(t, programs, 1)
	p := programs[0]
	lowered, err := simt.Lower(simt.Kernel{
		Name: "rows", Arch: tesla.SM12, Code: decoder.Kernel(tesla.SM12, p.Words),
		Registers: verify.ProgramRegisters, Shared: verify.ProgramShared,
	})
	require.NoError(t, err)
	records := p.Records()
	space := mem.NewSpace(1 << 20)
	_, err = space.Alloc(1) // the records are not the first in memory
	require.NoError(t, err)
	at, err := space.Alloc(uint64(len(records)))
	require.NoError(t, err)
	data, err := space.Bytes(at, uint64(len(records)))
	require.NoError(t, err)
	copy(data, records)
	_, err = simt.Run(&simt.Launch{
		Program: lowered, Grid: [2]int{1, 1}, Block: [3]int{p.Threads, 1, 1}, Global: space, Params: binary.LittleEndian.AppendUint32(nil, at),
	})
	require.NoError(t, err)
	answers := p.Answers(data)
	require.Equal(t, verify.Value{Bits: 7, Digits: 8}, answers[0].Want.R)
	require.Equal(t, verify.Value{Bits: 0, Digits: 8}, answers[1].Want.R)
}
