package ptx

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNames checks that every constant has a name, and each name one constant.
func TestNames(t *testing.T) {
	for op := NoOp + 1; op < numOps; op++ {
		require.NotEmpty(t, op.String(), "operation %d", op)
		require.Equal(t, op, theLanguage().ops[op.String()])
	}
	for s := NoSpecial + 1; s < numSpecials; s++ {
		require.NotEmpty(t, s.String(), "special register %d", s)
	}
	require.Len(t, typeNames, int(S4)+1)
	require.Len(t, modeNames, int(CopyWaitAll)+1)
	require.Equal(t, Shr15, Mods(1)<<(len(modNames)-1))
	require.Equal(t, Aligned, Mods(1)<<alignedBit)
	require.Equal(t, "Type(200)", Type(200).String())
	for i, text := range typeNames[1:] {
		require.Positive(t, Type(i+1).Bits(), text)
		require.Equal(t, text, Type(i+1).String())
	}
}

func TestTypes(t *testing.T) {
	require.Equal(t, 1, Pred.Bits())
	require.Equal(t, 16, B128.Bytes())
	require.True(t, F16x2.Float())
	require.False(t, B32.Float() || B32.Signed() || B32.Unsigned())
	require.True(t, S8.Signed() && U64.Unsigned() && TexRef.Opaque())
}

func TestSpecials(t *testing.T) {
	require.Equal(t, "%tid.z", TidZ.String())
	require.Equal(t, "%envreg31", (EnvReg0 + 31).String())
	require.Equal(t, 64, Clock64.Bits())
	require.True(t, TidX.readable(16) && TidX.readable(32) && !TidX.readable(64))
	require.False(t, Clock64.readable(16))
}

// TestRoundF16 compares the conversion with the values of all halves, and with ties between them.
func TestRoundF16(t *testing.T) {
	value := func(bits uint16) float64 {
		exponent, fraction := int(bits>>10&31), float64(bits&1023)
		if exponent == 0 {
			return math.Ldexp(fraction, -24)
		}
		return math.Ldexp(1024+fraction, exponent-25)
	}
	for bits := range uint16(0x7c00) {
		low, high := value(bits), value(bits+1)
		require.Equal(t, bits, roundF16(low))
		require.Equal(t, bits|0x8000, roundF16(-low))
		require.Equal(t, (bits+1)&^1, roundF16((low+high)/2))
	}
	require.Equal(t, uint16(0x7c00), roundF16(math.Inf(1)))
	require.Equal(t, uint16(0x7e00), roundF16(math.NaN()))
	require.Equal(t, uint16(0x3f80), roundBF16(math.Float32bits(1)))
}
