package decoder

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/vectors"
	"jacquard/tesla"
)

const (
	shortMov = 0x10008004 // mov b32 $r1 $r0
	longNop0 = 0xf0000001 // exit nop, with longNop1
	longNop1 = 0xe0000781
)

func TestKernel(t *testing.T) {
	tests := []struct {
		name  string
		code  []uint32
		sizes []uint8
		bad   []tesla.Bad
	}{
		{"empty", nil, nil, nil},
		{"shorts in a pair", []uint32{shortMov, shortMov, longNop0, longNop1},
			[]uint8{4, 4, 8}, []tesla.Bad{tesla.OK, tesla.OK, tesla.OK}},
		{"long at an odd word", []uint32{shortMov, longNop0, longNop1, shortMov},
			[]uint8{4, 8, 4}, []tesla.Bad{tesla.OK, tesla.BadLength, tesla.OK}},
		{"long cut off", []uint32{shortMov, shortMov, longNop0},
			[]uint8{4, 4, 4}, []tesla.Bad{tesla.OK, tesla.OK, tesla.BadLength}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out := Kernel(tesla.SM10, test.code)
			require.Len(t, out, len(test.sizes))
			for i, in := range out {
				require.Equal(t, test.sizes[i], in.Size, "instruction %d: %s", i, in)
				require.Equal(t, test.bad[i], in.Bad, "instruction %d: %s", i, in)
			}
		})
	}
}

// Kernel gives the same instructions as Decode one by one.
func TestKernelIsItsInstructions(t *testing.T) {
	var code []uint32
	var want []tesla.Instruction
	for _, v := range readVectors(t, vectors.Wild) {
		if v.arch != tesla.SM13 || !v.Valid || v.w0&1 == 0 {
			continue
		}
		code = append(code, v.w0, v.w1)
		want = append(want, Decode(v.arch, v.w0, v.w1))
	}
	require.Equal(t, want, Kernel(tesla.SM13, code))
}

func BenchmarkKernel(b *testing.B) {
	var code []uint32
	for _, v := range readVectors(b, vectors.Wild) {
		if v.arch == tesla.SM13 && v.w0&1 != 0 && len(code) < 12000 {
			code = append(code, v.w0, v.w1)
		}
	}
	for b.Loop() {
		Kernel(tesla.SM13, code)
	}
}
