package program

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

func TestBlank(t *testing.T) {
	for _, c := range []struct {
		name, code string
		want       Blank
	}{
		{"read first", "add b32 $r1 $r0 $r2", Blank{General: []int{0, 2}}},
		{"written first", "mov b32 $r1 0x1; add b32 $r2 $r1 $r1", Blank{}},
		{"a half", "mov b16 $r1h 0x1; mov b32 $r2 $r1", Blank{General: []int{1}}},
		{"under a guard", "set $c0 # l s32 $r0 $r0; (l $c0) mov b32 $r1 $r0; mov b32 $r2 $r1", Blank{General: []int{0, 1}}},
		{"one way", "set $c0 # l s32 $r0 $r0; (l $c0) bra 0x18; mov b32 $r1 0x1; mov b32 $r2 $r1", Blank{General: []int{0, 1}}},
		{"both ways", "set $c0 # l s32 $r0 $r0; mov b32 $r1 0x2; (l $c0) bra 0x20; mov b32 $r1 0x1; mov b32 $r2 $r1", Blank{General: []int{0}}},
		{"again in a loop", "mov b32 $r3 $r1; mov b32 $r1 0x1; set $c0 # l s32 $r1 $r3; (l $c0) bra 0x0", Blank{General: []int{1}}},
		{"in one lane of each quad", "(l0) mov b32 $r1 $r0; mov b32 $r2 $r1", Blank{General: []int{0, 1}}},
		{"conditions", "(l $c1) mov b32 $r1 $r124", Blank{Conditions: true}},
		{"addresses", "mov b32 $r1 b32 s[$a2]", Blank{Addresses: []int{2}}},
		{"an address", "shl $a2 $r0 0x2; mov b32 $r1 b32 s[$a2]", Blank{General: []int{0}}},
		{"after a break", "breakaddr 0x20; mov b32 $r1 0x1; mov b32 $r2 0x1; break; mov b32 $r3 $r2; mov b32 $r4 $r5", Blank{General: []int{5}}},
		{"under the same guard", "set $c0 # l s32 $r124 $r124; (l $c0) mov b32 $r1 $r124; (l $c0) mov b32 $r2 $r1", Blank{}},
		{"under another guard", "set $c0 # l s32 $r124 $r124; (l $c0) mov b32 $r1 $r124; (ge $c0) mov b32 $r2 $r1", Blank{General: []int{1}}},
		{"under the guard anew", "set $c0 # l s32 $r124 $r124; (l $c0) mov b32 $r1 $r124; set $c0 # l s32 $r124 $r124; (l $c0) mov b32 $r2 $r1", Blank{General: []int{1}}},
		{"under a guard that it changes", "set $c0 # l s32 $r124 $r124; (l $c0) mov b32 $r1 $r124; (l $c0) set $c0 # l s32 $r124 $r124; (l $c0) mov b32 $r2 $r1", Blank{General: []int{1}}},
		{"under the guard on one way", "set $c0 # l s32 $r124 $r124; (ge $c0) bra 0x18; (l $c0) mov b32 $r1 $r124; (l $c0) mov b32 $r2 $r1", Blank{General: []int{1}}},
		{"under a guard and its opposite", "set $c0 # l s32 $r124 $r124; (l $c0) mov b32 $r1 $r124; (geu $c0) mov b32 $r1 $r124; mov b32 $r2 $r1", Blank{}},
		{"under a guard and before its opposite", "set $c0 # l s32 $r124 $r124; (l $c0) mov b32 $r1 $r124; set $c0 # l s32 $r124 $r124; (geu $c0) mov b32 $r1 $r124; mov b32 $r2 $r1", Blank{General: []int{1}}},
		{"the half that was written", "mov b16 $r1h 0x1; mov b16 $r2h $r1h", Blank{}},
		{"the other half", "mov b16 $r1h 0x1; mov b16 $r2h $r1l", Blank{General: []int{1}}},
		{"both halves", "mov b16 $r1h 0x1; mov b16 $r1l 0x1; mov b32 $r2 $r1", Blank{}},
		{"by a function", "call 0x18; mov b32 $r2 $r1; bra 0x28; mov b32 $r1 0x1; ret; nop", Blank{}},
		{"by a function, beside a return of the kernel", "set $c0 # l s32 $r124 $r124; (l $c0) ret; call 0x28; mov b32 $r2 $r1; bra 0x38; mov b32 $r1 0x1; ret; nop", Blank{}},
		{"by one of two functions", "call 0x28; mov b32 $r2 $r1; call 0x38; mov b32 $r3 $r4; bra 0x48; mov b32 $r1 0x1; ret; mov b32 $r5 0x1; ret; nop", Blank{General: []int{4}}},
		{"before one of two calls", "call 0x20; mov b32 $r1 0x1; call 0x20; bra 0x30; mov b32 $r2 $r1; ret; nop", Blank{General: []int{1}}},
		{"behind a function", "call 0x18; mov b32 $r2 $r1; bra 0x28; mov b32 $r3 0x1; ret; nop", Blank{General: []int{1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, lowered(t, c.code).Blank)
		})
	}
	require.Len(t, lowered(t, "mov b32 $r1 0x1; quadop f32 sub sub sub sub $r2 l1 $r1 $r1").Blank.General, 8, "of other lanes")
}

func TestUnless(t *testing.T) {
	for z := range 16 {
		var f lane.Flags
		for i, m := range []*lane.Mask{&f.Z, &f.S, &f.C, &f.O} {
			*m = lane.Mask(0) - lane.Mask(z>>i&1)
		}
		for c := range tesla.Cond(32) {
			if not := unless(c); not != tesla.CondInvalid {
				require.Equal(t, ^lane.Condition(&f, uint8(c)), lane.Condition(&f, uint8(not)), c)
				require.Equal(t, c, unless(not))
			}
		}
	}
}

// lowered returns the program of some instructions, of eight bytes each, and an exit.
func lowered(t *testing.T, code string) *Program {
	t.Helper()
	text := ".module sm_13 abi=1 name=m\n.kernel k registers=8 shared=0 local=0 barriers=0\n"
	for line := range strings.SplitSeq(code, "; ") {
		text += strings.Replace(line+" {long}", "{exit} {long}", "{exit}", 1) + "\n"
	}
	img, err := asm.Read(text + "nop {exit}\n")
	require.NoError(t, err)
	p, err := Lower(Kernel{Code: decoder.Kernel(tesla.SM13, img.Kernels[0].Code), Registers: 8})
	require.NoError(t, err)
	return p
}

// TestGuards checks that the guards of long code are not followed.
func TestGuards(t *testing.T) {
	p := lowered(t, "(l $c0) mov b32 $r1 $r124; (g $c0) mov b32 $r2 $r124; (l $c0) mov b32 $r3 $r1")
	require.Equal(t, []int(nil), p.Blank.General)
	p.Code = append(p.Code, make([]Op, mostSets/2)...)
	for i := range p.Code {
		p.Code[i].At = int32(i)
		if p.Code[i].Ins == nil {
			p.Code[i] = p.Code[2]
			p.Code[i].At = int32(i)
		}
	}
	p.findBlank()
	require.Equal(t, []int{1}, p.Blank.General)
}
