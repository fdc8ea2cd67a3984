package hostcode

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/engine/translate/x86"
)

// row is the memory of row n of the context, from lane on.
func row(n, lane int) x86.Operand { return x86.At(x86.RDI, atRows+int32(n*64+lane*4)) }

// lanes fills rows 0 and 1 of a context.
func lanes() (c context) {
	c.mxcsr = usual
	for n := range 16 {
		c.rows[0][n] = uint32(n*n) * 0x01010101
		c.rows[1][n] = math.Float32bits(float32(n) + 0.5)
	}
	return c
}

// The processor runs AVX2 code, with a gather, as package x86 encodes it.
func TestAVX2(t *testing.T) {
	if !hasFlag("avx2") {
		t.Skip("wants a processor with AVX2")
	}
	c := load(t, false, func(a *x86.Assembler) {
		// Rows 2 = row 0 at the reversed index, where the index is odd; otherwise row 0.
		index := a.Const([]byte{7, 0, 0, 0, 6, 0, 0, 0, 5, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, 32)
		a.V(x86.Ins{Op: x86.VMOVDQA, L: x86.Y, D: 1, RM: index})
		a.V(x86.Ins{Op: x86.VPSLLDi, L: x86.Y, D: 2, RM: x86.V(1), Imm: 31})
		a.V(x86.Ins{Op: x86.VMOVDQU, L: x86.Y, D: 9, RM: row(0, 0)})
		a.Lea(64, x86.RBX, row(0, 0))
		a.V(x86.Ins{Op: x86.VPGATHERDD, L: x86.Y, D: 9, S: 2, RM: x86.At(x86.RBX, 0).Gather(1, 4)})
		a.V(x86.Ins{Op: x86.VMOVDQUStore, L: x86.Y, D: 9, RM: row(2, 0)})
		a.V(x86.Ins{Op: x86.VMOVMSKPS, L: x86.Y, D: uint8(x86.R9), RM: x86.V(2)}) // the gather cleared it
		a.Mov(32, x86.At(x86.RDI, atSeen), x86.R(x86.R9))
		a.Ret()
	})
	ctx := lanes()
	ctx.seen = 1
	c.Entry(0).with(&ctx)
	for n := range 8 {
		want := ctx.rows[0][n]
		if (7-n)&1 != 0 {
			want = ctx.rows[0][7-n]
		}
		require.Equal(t, want, ctx.rows[2][n])
	}
	require.Zero(t, ctx.seen)
}

// The processor runs AVX-512 code: masks, broadcast, compression, and embedded rounding, which
// LLVM encodes in another way where the width does not count.
func TestAVX512(t *testing.T) {
	if !hasFlag("avx512dq") || !hasFlag("avx512bw") {
		t.Skip("wants a processor with AVX-512")
	}
	c := load(t, true, func(a *x86.Assembler) {
		four := a.Const([]byte{4, 4, 4, 4}, 4)
		a.V(x86.Ins{Op: x86.VMOVDQU32, L: x86.Z, D: 16, RM: row(0, 0)})
		a.V(x86.Ins{Op: x86.VPTESTMD, L: x86.Z, D: 3, S: 16, RM: four.Bcst()})
		a.V(x86.Ins{Op: x86.VPCOMPRESSDStore, L: x86.Z, D: 16, RM: row(2, 0), K: 3})
		a.V(x86.Ins{Op: x86.KMOVWR, D: uint8(x86.RAX), RM: x86.K(3)})
		a.Mov(32, x86.At(x86.RDI, atSeen), x86.R(x86.RAX))
		a.V(x86.Ins{Op: x86.VMOVUPS, L: x86.Z, D: 31, RM: row(1, 0)})
		a.V(x86.Ins{Op: x86.VCVTPS2DQ, D: 17, RM: x86.V(31), Round: x86.RU})
		a.V(x86.Ins{Op: x86.VMOVDQU32Store, L: x86.Z, D: 17, RM: row(3, 0)})
		a.V(x86.Ins{Op: x86.VCVTTPS2DQ, D: 17, RM: x86.V(31), Round: x86.SAE})
		a.V(x86.Ins{Op: x86.VMOVDQU32Store, L: x86.Z, D: 17, RM: row(4, 0)})
		a.V(x86.Ins{Op: x86.VRNDSCALEPS, D: 17, RM: x86.V(31), Imm: 0, Round: x86.SAE})
		a.V(x86.Ins{Op: x86.VMOVUPSStore, L: x86.Z, D: 17, RM: row(5, 0)})
		a.Ret()
	})
	ctx := lanes()
	c.Entry(0).with(&ctx)
	k, mask := 0, uint32(0)
	for n, x := range ctx.rows[0] {
		if x&0x04040404 != 0 {
			require.Equal(t, x, ctx.rows[2][k])
			mask |= 1 << n
			k++
		}
	}
	require.Equal(t, mask, ctx.seen)
	require.Zero(t, ctx.rows[2][k])
	for n := range uint32(16) {
		require.Equal(t, n+1, ctx.rows[3][n], "up")
		require.Equal(t, n, ctx.rows[4][n], "to zero")
		require.Equal(t, float32(n+n&1), math.Float32frombits(ctx.rows[5][n]), "to the nearest even number")
	}
}
