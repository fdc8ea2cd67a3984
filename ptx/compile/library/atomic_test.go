package library_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/ptxreference"
	"jacquard/ptx"
	"jacquard/ptx/compile/library"
)

// theAtomic is a kernel whose threads apply an atomic operation to one number. Thread i stores its
// old value at out + 8 i.
const theAtomic = `
.entry test (.param .u64 at, .param .u64 in, .param .u64 out)
{
	.reg .u64 %%at, %%in, %%out, %%o;
	.reg .u32 %%i;
	.reg .%[1]s %%x, %%y;
	ld.param.u64 %%at, [at];
	ld.param.u64 %%in, [in];
	ld.param.u64 %%out, [out];
	mov.u32 %%i, %%tid.x;
	mul.wide.u32 %%o, %%i, 8;
	add.u64 %%in, %%in, %%o;
	add.u64 %%out, %%out, %%o;
	ld.global.%[1]s %%x, [%%in];
	%[2]s
	ret;
}
`

// applyAtomic applies a function to a number with each operand, and returns the number and what
// came before each operation.
func applyAtomic(t *testing.T, name, typ string, start uint64, operands []uint64) (end uint64,
	old []uint64) {
	t.Helper()
	use := fmt.Sprintf("call (%%y), %s, (%%at, %%x);\n\tst.global.%s [%%out], %%y;", name, typ)
	return runAtomic(t, name, typ, use, start, operands)
}

// runAtomic runs statements that may call a function in a thread for each operand.
func runAtomic(t *testing.T, name, typ, use string, start uint64, operands []uint64) (end uint64, old []uint64) {
	t.Helper()
	m, err := ptx.Parse(name, []byte(library.Header+library.Text()+fmt.Sprintf(theAtomic, typ, use)))
	require.NoError(t, err)
	p, err := ptxreference.Load(m, ptxreference.Config{})
	require.NoError(t, err)
	at, word, err := p.Memory().Alloc(8)
	require.NoError(t, err)
	binary.LittleEndian.PutUint64(word, start)
	in, inBytes, err := p.Memory().Alloc(8 * len(operands))
	require.NoError(t, err)
	out, outBytes, err := p.Memory().Alloc(8 * len(operands))
	require.NoError(t, err)
	for i, x := range operands {
		binary.LittleEndian.PutUint64(inBytes[8*i:], x)
	}
	var params []byte
	for _, x := range []uint64{at, in, out} {
		params = binary.LittleEndian.AppendUint64(params, x)
	}
	launch := ptxreference.Launch{Block: [3]int{len(operands)}, Params: params}
	require.NoError(t, p.Run("test", launch))
	for i := range operands {
		old = append(old, binary.LittleEndian.Uint64(outBytes[8*i:]))
	}
	return binary.LittleEndian.Uint64(word), old
}

// TestHalfSwap lets threads swap their lane for the next one in the upper half of a word, which
// only one of them can at a time.
func TestHalfSwap(t *testing.T) {
	const lanes = 8
	var operands []uint64
	for i := range lanes {
		operands = append(operands, uint64(i))
	}
	name := "atom_global_cas_b16"
	use := fmt.Sprintf(`add.u64 %%at, %%at, 2;
	.reg .b16 %%next;
	.reg .pred %%p;
	add.u16 %%next, %%x, 1;
TRY:
	call (%%y), %s, (%%at, %%x, %%next);
	setp.ne.u16 %%p, %%y, %%x;
	@%%p bra TRY;
	st.global.b16 [%%out], %%y;`, name)
	end, old := runAtomic(t, name, "b16", use, 0x1234, operands)
	tested.Store(name, lanes)
	require.Equal(t, uint64(lanes<<16|0x1234), end)
	require.Equal(t, operands, old)
}

// TestAtomics lets 64 threads change one number. The warps run in step, so the swaps of all threads
// but one fail at first.
func TestAtomics(t *testing.T) {
	add32 := func(x, y uint64) uint64 {
		return uint64(math.Float32bits(float32(number(x)) + float32(number(y))))
	}
	add64 := func(x, y uint64) uint64 {
		return math.Float64bits(math.Float64frombits(x) + math.Float64frombits(y))
	}
	tests := []struct {
		name, typ string
		f         func(x, y uint64) uint64
	}{
		{"add_f32", "f32", add32},
		{"add_f64", "f64", add64},
		{"min_u64", "u64", func(x, y uint64) uint64 { return min(x, y) }},
		{"max_u64", "u64", func(x, y uint64) uint64 { return max(x, y) }},
		{"min_s64", "s64", func(x, y uint64) uint64 { return uint64(min(int64(x), int64(y))) }},
		{"max_s64", "s64", func(x, y uint64) uint64 { return uint64(max(int64(x), int64(y))) }},
		{"and_b64", "b64", func(x, y uint64) uint64 { return x & y }},
		{"or_b64", "b64", func(x, y uint64) uint64 { return x | y }},
		{"xor_b64", "b64", func(x, y uint64) uint64 { return x ^ y }},
		{"add_f16", "b16", addHalves(halves[0])},
		{"add_bf16", "b16", addHalves(halves[1])},
		{"add_f16x2", "b32", addHalves(halves[0])},
		{"add_bf16x2", "b32", addHalves(halves[1])},
		{"exch_f32", "f32", nil},
	}
	for _, test := range tests {
		name := "atom_global_" + test.name
		t.Run(name, func(t *testing.T) {
			operands := atomicOperands(test.typ)
			end, old := applyAtomic(t, name, test.typ, operands[0], operands)
			tested.Store(name, len(operands))
			if test.f == nil {
				requireExchanged(t, operands, end, old)
				return
			}
			want := operands[0]
			for _, x := range operands {
				want = test.f(want, x)
			}
			require.Equal(t, want, end)
			requireSteps(t, operands, old, end, test.f)
		})
	}
}

// addHalves adds both halves of words.
func addHalves(h half) func(x, y uint64) uint64 {
	one := uint64(h.bias) << h.bits
	return func(x, y uint64) uint64 {
		upper := h.fma(low(x>>16, 16), one, low(y>>16, 16))
		return upper<<16 | h.fma(low(x, 16), one, low(y, 16))
	}
}

// atomicOperands returns different operands, whose sums are exact.
func atomicOperands(typ string) (list []uint64) {
	for i := range 64 {
		switch typ {
		case "f32":
			list = append(list, uint64(math.Float32bits(float32(i*i-100))))
		case "f64":
			list = append(list, math.Float64bits(float64(i*i-100)))
		case "b16":
			list = append(list, uint64(1+i%2))
		case "b32": // subnormal numbers, which are integers
			list = append(list, uint64(i%11)<<16|uint64(1+i%2))
		default:
			list = append(list, uint64(i*i-100)*0x123456789)
		}
	}
	return list
}

// requireExchanged checks that each number was there once.
func requireExchanged(t *testing.T, operands []uint64, end uint64, old []uint64) {
	t.Helper()
	require.ElementsMatch(t, append(operands, operands[0]), append(old, end))
}

// requireSteps checks that each result is the value before one thread's step.
func requireSteps(t *testing.T, operands, old []uint64, end uint64, f func(x, y uint64) uint64) {
	t.Helper()
	after := map[uint64]int{end: 1}
	for _, x := range old {
		after[x]++
	}
	for i, x := range old {
		require.Positive(t, after[f(x, operands[i])], "no thread saw what thread %d stored", i)
	}
}
