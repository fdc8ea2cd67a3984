package shadow

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// followed runs code in one thread. $r1 and s[0x10] have the address of 128 bytes, of which nobody
// wrote the first word, which holds 5; the second holds 1. It returns what is found, and the bits of
// the word at 64 that have no value.
func followed(t *testing.T, code string) (found []string, free uint32, err error) {
	t.Helper()
	img, err := asm.Read(".module sm_13 abi=1 name=m\n.kernel k registers=16 shared=64 local=16 barriers=0\n" +
		"mov b32 $r1 b32 s[0x10]\nadd b32 $r2 $r1 0x40\n" + code + "\nnop {exit}\n")
	require.NoError(t, err)
	k := img.Kernels[0]
	p, err := simt.Lower(simt.Kernel{
		Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, k.Code), Registers: k.Registers, Shared: k.Shared, Local: k.Local,
	})
	require.NoError(t, err)
	space := mem.NewSpace(1 << 20)
	base, err := space.Alloc(128)
	require.NoError(t, err)
	space.Reach(base)[0], space.Reach(base)[4] = 5, 1
	m := NewMemory()
	m.Blank(base, 4)
	params := []byte{byte(base), byte(base >> 8), byte(base >> 16), byte(base >> 24)}
	l := &simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{1, 1, 1}, Params: params, Global: space, Workers: 1}
	_, list, _, err := checked(m, l)
	for _, f := range list {
		with := ""
		if len(f.With) > 0 {
			with = fmt.Sprintf(" with 0x%x", f.With[0].Device.PC)
		}
		found = append(found, fmt.Sprintf("%s %s 0x%x%s", f.What, f.Space, f.At.Device.PC, with))
	}
	return found, m.element(base+64, 4).words[0], err
}

func TestFollow(t *testing.T) {
	const load, store = "ld b32 $r3 g14[$r1]\n", "st b32 g14[$r2] $r3\n"
	for _, c := range []struct {
		name, code string
		found      []string
		free       uint32
	}{
		{"copied", load + store, nil, ^uint32(0)},
		{"masked", load + "and b32 $r3 $r3 0xff\n" + store, nil, 0xff},
		{"a byte", "ld u8 $r3 g14[$r1]\n" + store, nil, 0xff},
		{"a signed byte", "ld s8 $r3 g14[$r1]\n" + store, nil, ^uint32(0)},
		{"overwritten", load + "mov b32 $r3 0x1\n" + store, nil, 0},
		{"a register", store, nil, ^uint32(0)},
		{"halves", "mov b32 $r3 0x1\nld u8 $r4 g14[$r1]\nmov b16 $r3h $r4l\n" + store, nil, 0xff0000},
		{"through shared memory", load + "st b32 s[0x20] $r3\nmov b32 $r3 b32 s[0x20]\n" + store, nil, ^uint32(0)},
		{"of shared memory", "mov b32 $r3 b32 s[0x20]\n" + store, nil, ^uint32(0)},
		{"a parameter", "mov b32 $r3 b32 s[0x10]\n" + store, nil, 0},
		{"branch", load + "set $c0 # e u32 $r3 $r1\n(lg $c0) bra over\nover:\n", []string{"branch global 0x20 with 0x10"}, 0},
		{"a flag that is known", load + "or b32 $r3 $r3 0x1\nset $c0 # e u32 $r3 $r124\n(lg $c0) bra over\nover:\n", nil, 0},
		{"address", load + "and b32 $r3 $r3 0x4\nadd b32 $r4 $r1 $r3\nld b32 $r5 g14[$r4]\nld b32 $r5 g14[$r4]\n", []string{"address global 0x28 with 0x10"}, 0},
		{"a store that may be", load + "set $c0 # e u32 $r3 $r1\n(lg $c0) st b32 g14[$r2] $r1\n", []string{"branch global 0x20 with 0x10"}, 0},
		{"a move that is not", load + "set $c0 # e u32 $r3 $r1\nmov b32 $r3 0x1\nmov b32 $r5 0x3\n(lg $c0) mov b32 $r3 $r5\n" + store, nil, 2},
		{"a move that is", load + "set $c0 # l u32 $r3 $r1\nmov b32 $r3 0x1\nmov b32 $r5 0x3\n(lg $c0) mov b32 $r3 $r5\n" + store, nil, 2},
		{"an exchange", load + "mov b32 $r4 0x1\nxor b32 $r3 $r3 $r4\nxor b32 $r4 $r3 $r4\nxor b32 $r3 $r3 $r4\n" + store, nil, 0},
		{"the other side of an exchange", load + "mov b32 $r4 0x1\nxor b32 $r4 $r4 $r3\nxor b32 $r3 $r3 $r4\nxor b32 $r4 $r4 $r3\n" +
			"mov b32 $r3 $r4\n" + store, nil, ^uint32(0)},
		{"no exchange", load + "mov b32 $r4 0x1\nxor b32 $r3 $r3 $r4\nxor b32 $r4 $r4 $r3\n" + store, nil, ^uint32(0)},
		{"words of one load", load + "add b32 $r6 $r1 0x4\nst b32 g14[$r6] $r3\nld b64 $r4d g14[$r1]\nset $c0 # e u32 $r4 $r1\n(lg $c0) bra over\nover:\n", []string{"branch global 0x38 with 0x28"}, 0},
		{"add", "mov b32 $r3 0x0\nred add u32 g14[$r1] $r3\n" + load + store, nil, ^uint32(0)},
		{"exchange without a result", "mov b32 $r3 0x0\nred exch b32 g14[$r1] $r3\n" + load + store, nil, 0},
		{"or with itself", load + "ld or b32 $r3 g14[$r2] $r3\n", nil, ^uint32(0)},
		{"exchange", "mov b32 $r3 0x0\nexch b32 $r4 g14[$r1] $r3\n" + load + store, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, free, err := followed(t, c.code)
			require.NoError(t, err)
			require.Equal(t, c.found, found)
			require.Equal(t, c.free, free)
		})
	}
}

// An address that makes the launch fault is reported, too.
func TestFollowFault(t *testing.T) {
	for _, code := range []string{
		"ld b32 $r3 g14[$r1]\nshl b32 $r3 $r3 0x14\nld b32 $r4 g14[$r3]",
		"ld b32 $r3 g14[$r1]\nshl $a1 $r3 0xc\nld $r4 b32 s[$a1]",
		"ld b32 $r3 g14[$r1]\nshl $a1 $r3 0xc\nadd b32 $r4 b32 s[$a1] $r4",
	} {
		found, _, err := followed(t, code)
		require.ErrorContains(t, err, "0x20")
		require.Equal(t, []string{"address global 0x20 with 0x10"}, found, code)
	}
}
