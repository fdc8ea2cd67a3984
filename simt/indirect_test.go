package simt_test

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// Lanes of a warp may read different targets, warps too; every policy brings each lane to its own
// target, or refuses the kernel.
func TestIndirectBranch(t *testing.T) {
	encode := func(in tesla.Instruction) []uint32 {
		w0, w1, err := decoder.Encode(tesla.SM12, in)
		require.NoError(t, err)
		return []uint32{w0, w1}
	}
	words := code(
		[]uint32{0x30020005, 0xc4100780}, // shl b32 $r1 $r0 0x2
		[]uint32{0x2000c805, 0x04204780}, // add b32 $r1 b32 s[0x10] $r1
		encode(tesla.Instruction{Op: tesla.OpShlToAddr, Type: tesla.B32, Dst: tesla.Operand{Kind: tesla.AddrReg, Index: 1},
			Src: [3]tesla.Operand{{Kind: tesla.Reg}, {Kind: tesla.Imm, Value: 2}}}),
		encode(tesla.Instruction{Op: tesla.OpBraIndirect, Src: [3]tesla.Operand{{Kind: tesla.Const, Type: tesla.B32, Base: 1}}}),
		movImm(0, 1), bra(0x50, always), // 0x20
		movImm(0, 2), bra(0x50, always), // 0x30
		movImm(0, 3), bra(0x50, always), // 0x40
		[]uint32{0xd00e0201, 0xa0c00780}, // st b32 g14[$r1] $r0
		[]uint32{exitNop0, exitNop1},
	)
	const threads = 96
	var table []byte
	var want []uint64
	for i := range threads {
		to := i * i % 3
		if i >= 64 { // a warp that agrees with itself but not with the others
			to = 2
		}
		table = binary.LittleEndian.AppendUint32(table, uint32(0x20+16*to))
		want = append(want, uint64(to+1))
	}
	for _, policy := range branch.Policies() {
		t.Run(policy.Name, func(t *testing.T) {
			space := mem.NewSpace(1 << 20)
			buf, err := space.Alloc(4 * threads)
			require.NoError(t, err)
			m := machine{arch: tesla.SM12, words: words, shared: 20, block: [3]int{threads, 1, 1}, params: []uint32{buf}, space: space}
			l := m.launch(t)
			l.Policy, l.Const[0] = policy.Name, table
			_, err = simt.Run(l)
			if refused := (*simt.RefusedError)(nil); errors.As(err, &refused) {
				require.Equal(t, uint32(0x18), refused.PC)
				return
			}
			require.NoError(t, err)
			data, err := space.Bytes(buf, 4*threads)
			require.NoError(t, err)
			for i, v := range want {
				require.EqualValues(t, v, binary.LittleEndian.Uint32(data[4*i:]), "thread %d", i)
			}
		})
	}
}
