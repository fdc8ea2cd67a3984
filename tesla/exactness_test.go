package tesla_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/tesla"
)

func TestCertainty(t *testing.T) {
	for _, c := range []struct {
		text   string
		w0, w1 uint32
		want   tesla.Exactness
		why    string
	}{
		{"add b32 $r1 $r0 $r1", 0x20000005, 0x04004780, tesla.Verified, "docs/isa/operations.md, IAdd"},
		{"(lg $c0) add b32 $r1 $r0 $r1", 0x20000005, 0x04004280, tesla.Documented, "docs/isa/machine.md, Guards: predicates"},
		{"add b32 $r1 b32 s[0x10] $r1", 0x2000c805, 0x04204780, tesla.Documented, "docs/isa/memory.md, Addresses: an operand in s[] or c[]"},
		{"exit add b32 $r1 $r0 $r1", 0x20000005, 0x04004781, tesla.Documented, "docs/isa/control.md, Markers: exit and join"},
		{"exit (lg $c0) add b32 $r1 $r0 $r1", 0x20000005, 0x04004281, tesla.Unverified, "docs/isa/control.md, Markers: exit or join where a guard may fail"},
		{"join add b32 $r1 $r0 $r1", 0x20000005, 0x04004782, tesla.Unverified, "docs/isa/control.md, join: join comes before what its instruction does"},
		{"join nop", 0xf0000001, 0xe0000002, tesla.Documented, "docs/isa/operations.md, Nop"},
		{"exit (never) nop", 0xf0000001, 0xe0000001, tesla.Documented, "docs/isa/operations.md, Nop"},
		{"bar", 0x861ffe03, 0, tesla.Documented, "docs/isa/control.md, Barriers"},
		{"bar, arriving only", 0x821ffe03, 0, tesla.Unverified, "docs/isa/control.md, Barriers: counts, and arriving without waiting"},
		{"mov $r0 $physid", 0x00000001, 0x60000780, tesla.Documented, "docs/isa/machine.md, Special registers"},
		{"mov $r0 $clock", 0x00000001, 0x60004780, tesla.Unverified, "docs/isa/machine.md, Special registers: the clock counts issues of the warp, not cycles"},
		{"ld u32 from g[]", 0xd00e0005, 0x80c00780, tesla.Documented, "docs/isa/operations.md, LdGlobal"},
		{"no instruction", 0x80000001, 0, tesla.Documented, "refused by the device"},
	} {
		t.Run(c.text, func(t *testing.T) {
			in := decoder.Decode(tesla.SM13, c.w0, c.w1)
			require.Equal(t, tesla.Certainty{Exactness: c.want, Why: c.why}, in.Certainty(), in.String())
		})
	}
}

func TestExactnessNames(t *testing.T) {
	seen := map[string]bool{}
	for e := range tesla.Exactness(tesla.Exactnesses) {
		require.NotEmpty(t, e.String())
		require.False(t, seen[e.String()])
		seen[e.String()] = true
	}
	require.Len(t, seen, 3)
}
