package code

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/tesla"
)

// machine returns the instructions of a text, as passes behind allocation see them.
func machine(t *testing.T, lines ...string) []Instr {
	text := ".module sm_13\n.kernel k\n"
	for _, l := range lines {
		text += "\t" + l + "\n"
	}
	img, err := asm.Read(text)
	require.NoError(t, err, text)
	var list []Instr
	for _, in := range decoder.Kernel(tesla.SM13, img.Kernels[0].Code) {
		in.Raw, in.Size, in.Form = [2]uint32{}, 0, 0
		list = append(list, Instr{In: in})
	}
	return list
}

// What is said to have a short form has one. What is said to have none has none.
func TestMayBeShort(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"add b32 $r1 $r2 $r3", true},
		{"mov b32 $r63 $r2", true},
		{"mov b32 $r64 $r2", false},
		{"(lg $c1) mov b32 $r1 $r2", false},
		{"exit add b32 $r1 $r2 $r3", false},
		{"add b32 $c1 $r1 $r2 $r3", false},
		{"add $r3 (mul u24 $r1 $r2) $r3", true},
		{"add $r4 (mul u24 $r1 $r2) $r3", false},
		{"add b32 $r1 $r2 0x12345678", false},
		{"ld $r1 b32 c1[0x8]", false},
		{"max s32 $r1 $r2 $r3", false},
		{"xor b32 $r1 $r2 $r3", false},
		{"add rz f32 $r1 $r2 $r3", false},
		{"add rn f32 $r1 $r2 $r3", true},
	} {
		in := machine(t, c.text)[0].In
		require.Equal(t, c.want, mayBeShort(&in), c.text)
		in.Size = 4
		require.Equal(t, c.want, (&Func{Arch: tesla.SM13}).encodes(&in), c.text)
	}
}

// The last instruction of each list can be executed before the others, or cannot.
func TestOvertakes(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  bool
	}{
		{"alone", []string{"ld b32 $r1 g14[$r0]"}, true},
		{"other registers", []string{"add b32 $r3 $r4 $r5", "add b32 $r1 $r2 $r2"}, true},
		{"both read one", []string{"add b32 $r3 $r2 $r5", "add b32 $r1 $r2 $r2"}, true},
		{"it reads what is written", []string{"add b32 $r2 $r4 $r5", "add b32 $r1 $r2 $r2"}, false},
		{"it writes what is read", []string{"add b32 $r3 $r1 $r5", "add b32 $r1 $r2 $r2"}, false},
		{"both write one", []string{"add b32 $r1 $r4 $r5", "add b32 $r1 $r2 $r2"}, false},
		{"a high register", []string{"mov b32 $r70 $r4", "mov b32 $r1 $r70"}, false},
		{"a high register of the same low bits", []string{"mov b32 $r65 $r4", "mov b32 $r5 $r1"}, true},
		{"flags", []string{"set $c1 # l u32 $r1 $r2", "(lg $c1) mov b32 $r3 $r4"}, false},
		{"other flags", []string{"set $c0 # l u32 $r1 $r2", "(lg $c1) mov b32 $r3 $r4"}, true},
		{"an address", []string{"shl $a1 $r1 0x2", "ld $r3 b32 c1[$a1+0x4]"}, false},
		{"another address", []string{"shl $a2 $r1 0x2", "ld $r3 b32 c1[$a1+0x4]"}, true},
		{"a load", []string{"add b32 $r3 $r4 $r5", "ld b32 $r1 g14[$r0]"}, false},
		{"a store before it", []string{"st b32 g14[$r4] $r5", "add b32 $r1 $r2 $r2"}, true},
		{"shared memory", []string{"add b32 $r3 $r4 $r5", "mov b32 $r1 b32 s[0x10]"}, false},
		{"a number that each lane has", []string{"add b32 $r3 $r4 $r5", "mov $r1 $physid"}, false},
		{"a barrier", []string{"bar inc wait 0x0 0xfff", "add b32 $r1 $r2 $r2"}, false},
		{"a vote", []string{"(lg $c1) vote any $c2", "add b32 $r1 $r2 $r2"}, false},
		{"the second of three", []string{"add b32 $r2 $r4 $r5", "add b32 $r3 $r4 $r5", "add b32 $r1 $r2 $r2"}, false},
	} {
		list := machine(t, c.lines...)
		require.Equal(t, c.want, overtakes(list, len(list)-1), c.name)
	}
}

// What makes a constant is the same wherever it is executed: numbers, constant memory, and what the
// kernel finds at the start of s[] and never writes.
func TestConstant(t *testing.T) {
	f := &Func{Arch: tesla.SM13, Constant: 0x20}
	for _, c := range []struct {
		text string
		want bool
	}{
		{"mov b32 $r1 0x5", true},
		{"ld $r1 b32 c1[0x8]", true},
		{"mov b32 $r1 b32 s[0x1c]", true},
		{"mov b32 $r1 u16 s[0x1e]", true},
		{"mov b32 $r1 u16 s[0x20]", false},
		{"mov b32 $r1 b32 s[0x20]", false},
		{"mov b32 $r1 $r2", false},
		{"mov $r1 $physid", true},
		{"mov $r1 $clock", false},
		{"add b32 $r1 $r2 0x5", false},
		{"mov b16 $r1l 0x5", false},
	} {
		in := machine(t, c.text)[0]
		require.Equal(t, c.want, f.constant(&in), c.text)
		in.Guard = Guard{Reg: 1, Cond: tesla.CondLG}
		require.False(t, f.constant(&in), "%s under a guard", c.text)
		in.Guard, in.CDst = Guard{}, 1
		require.False(t, f.constant(&in), "%s with flags", c.text)
		in.CDst, in.Src[0].Base = 0, 1
		require.False(t, f.constant(&in), "%s from an address", c.text)
	}
}

// What is repeated writes flags or an address from registers and numbers, and nothing else.
func TestRepeats(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"set $c1 # l u32 $r1 $r2", true},
		{"set $c1 # l f32 $r1 $r2", true},
		{"set $c1 $r3 l u32 $r1 $r2", false},
		{"set $c1 # l u32 b32 s[0x10] $r2", false},
		{"add b32 $c1 # $r1 $r2", true},
		{"add b32 $c1 $r3 $r1 $r2", false},
		{"and b32 $c1 # $r1 $r2", true},
		{"shl $a1 $r1 0x2", true},
		{"add $a1 $a2 0x4", true},
		{"mov b32 $r1 $r2", false},
		{"ld b32 $r1 g14[$r0]", false},
	} {
		in := machine(t, c.text)[0]
		require.Equal(t, c.want, repeats(&in), c.text)
		in.Guard = Guard{Reg: 1, Cond: tesla.CondLG}
		require.False(t, repeats(&in), "%s under a guard", c.text)
		in.Guard, in.Src[0].Base = Guard{}, 1
		require.False(t, repeats(&in), "%s from an address", c.text)
	}
}
