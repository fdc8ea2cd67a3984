package compile_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

// valueRow is code of wordKernel that leaves a known word in %r0.
type valueRow struct {
	name, before, code string
	want               uint32
}

// requireValues runs rows with one thread, as the reference and on every device from the first on.
func requireValues(t *testing.T, first tesla.Arch, rows []valueRow) {
	t.Helper()
	one := [2]int{1, 1}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			text := wordKernel(row.before, row.code)
			require.Equal(t, row.want, binary.LittleEndian.Uint32(referenceWords(t, text, one)), "the reference: %s", text)
			for arch := first; arch <= tesla.SM13; arch++ {
				require.Equal(t, row.want, binary.LittleEndian.Uint32(machineWords(t, text, arch, one)), "%s: %s", arch, text)
			}
		})
	}
}

// A carry goes from sums to differences and back as the flag of the machine, over blocks and guards,
// and not into functions.
func TestCarries(t *testing.T) {
	const f = ".func (.reg .b32 %x) f() { .reg .b32 %y; addc.u32 %x, 5, 0; add.cc.u32 %y, -1, 0; ret; }\n"
	requireValues(t, tesla.SM10, []valueRow{
		{"sub then addc, no borrow", "", "sub.cc.u32 %r1, 7, %flat; addc.u32 %r0, 0, 0;", 1},
		{"sub then addc, borrow", "", "sub.cc.u32 %r1, %flat, 1; addc.u32 %r0, 0, 0;", 0},
		{"add then subc, carry", "", "add.cc.u32 %r1, -1, 1; subc.u32 %r0, 9, 2;", 7},
		{"add then subc, none", "", "add.cc.u32 %r1, %flat, 1; subc.u32 %r0, 9, 2;", 6},
		{"none before", "", "addc.u32 %r1, 3, 4; subc.u32 %r2, 9, 2; mad.lo.u32 %r0, %r1, 16, %r2;", 0x76},
		{"64 bits", "", "mov.b64 %d0, 1; sub.cc.u64 %d0, %d0, 2; addc.u64 %d1, 0x100000000, 0; mov.b64 {%r1, %r2}, %d1; add.u32 %r0, %r1, %r2;", 1},
		{"mad", "", "mov.u32 %r1, -1; mad.lo.cc.u32 %r2, %r1, %r1, -1; subc.u32 %r0, 9, 2;", 7},
		{"madc", "", "sub.cc.u32 %r1, 3, %flat; madc.lo.u32 %r0, %flat, %flat, 8;", 9},
		{"a block between", "", "add.cc.u32 %r1, -1, 1; setp.ne.u32 %p0, %flat, 9; @%p0 bra ON; add.u32 %r0, %r0, 40; ON: addc.u32 %r0, %r0, 1;", 2},
		{"two ways", "", "setp.eq.u32 %p0, %flat, 0; @%p0 bra A; add.cc.u32 %r1, 1, 1; bra ON; A: add.cc.u32 %r1, -1, 1; ON: addc.u32 %r0, 0, 0;", 1},
		{"a guard that holds", "", "setp.eq.u32 %p0, %flat, 0; add.cc.u32 %r1, 1, 1; @%p0 add.cc.u32 %r1, -1, 1; addc.u32 %r0, 0, 0;", 1},
		{"a guard that does not", "", "setp.eq.u32 %p0, %flat, 0; add.cc.u32 %r1, -1, 1; @!%p0 add.cc.u32 %r1, 1, 1; addc.u32 %r0, 0, 0;", 1},
		{"a guarded addc", "", "setp.eq.u32 %p0, %flat, 0; add.cc.u32 %r1, -1, 1; @%p0 addc.cc.u32 %r0, -1, 0; addc.u32 %r0, %r0, 5;", 6},
		{"a loop", "", "mov.u32 %r1, 0; mov.u32 %r2, 3; AGAIN: addc.u32 %r0, %r0, 16; sub.cc.u32 %r2, %r2, 1; setp.ne.u32 %p0, %r2, 0; @%p0 bra AGAIN;", 0x32},
		{"a library call between", "", "add.cc.u32 %r1, -1, 1; div.u32 %r2, 77, %ntid.x; addc.u32 %r0, %r2, 0;", 78},
		{"a call", f, "sub.cc.u32 %r1, %flat, 1; call (%r2), f; addc.u32 %r0, %r2, 16;", 21},
	})
}

// The fourth element of the registers of threads and blocks is zero.
func TestFourthElements(t *testing.T) {
	requireValues(t, tesla.SM10, []valueRow{
		{"w", "", "add.u32 %r0, 7, %tid.w; mov.u32 %r1, %ntid.w; add.u32 %r0, %r0, %r1; mov.u32 %r1, %ctaid.w; add.u32 %r0, %r0, %r1; mov.u32 %r1, %nctaid.w; add.u32 %r0, %r0, %r1;", 7},
	})
}
