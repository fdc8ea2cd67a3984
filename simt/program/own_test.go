package program

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/mem"
)

// A store to a thread's own word overwrites nothing. A word is the thread's own if the thread
// reads and stores it at one address, linear in its number, and no other thread of the block can
// access a part of it.
func TestOwnWords(t *testing.T) {
	global := mem.NewSpace(1 << 20)
	first, err := global.Alloc(256)
	require.NoError(t, err)
	second, err := global.Alloc(256)
	require.NoError(t, err)
	params := func(list ...uint32) (b []byte) {
		for _, v := range list {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
		return b
	}
	const (
		index    = "cvt u32 $r1 u16 u16 s[0x2]; cvt u32 $r0 u16 $r0l; add $r0 (mul u16 u16 s[0xc] $r1l) $r0; " // blockIdx.x * blockDim.x + threadIdx.x
		words    = "shl b32 $r1 $r0 0x2; add b32 $r1 b32 s[0x10] $r1; "
		update   = "ld b32 $r2 g14[$r1]; st b32 g14[$r1] $r2"
		neighbor = "shl b32 $r1 $r0 0x2; add b32 $r1 b32 s[0x10] $r1; add b32 $r3 $r1 0x4; "
	)
	for name, tt := range map[string]struct {
		text string
		own  bool
	}{
		"y[tid]":                            {words + update, true},
		"y[i]":                              {index + words + update, true},
		"of a masked number":                {"and b32 $r0 $r0 0xffff; " + words + update, true},
		"of the smallest mask":              {"and b32 $r0 $r0 0x1ff; " + words + update, true},
		"of some of its bits":               {"and b32 $r0 $r0 0xff; " + words + update, false},
		"of the bits but the lowest":        {"and b32 $r0 $r0 0xfffe; " + words + update, false},
		"of a bit more":                     {"or b32 $r0 $r0 0x1; " + words + update, false},
		"of the number of a warp":           {"shr u32 $r0 $r0 0x5; " + words + update, false},
		"of the other half":                 {"cvt u32 $r0 u16 $r0h; " + words + update, false},
		"of the lowest byte":                {"cvt u32 $r0 u8 $r0; " + words + update, false},
		"from the end":                      {"sub b32 $r0 b32 s[0x18] $r0; " + words + update, true},
		"the launch's shape beside it":      {"cvt u32 $r1 u16 u16 s[0x2]; add b32 $r0 $r0 $r1; " + words + update, true},
		"a loaded index":                    {"ld b32 $r0 g14[$r1]; " + words + update, false},
		"a saturated index":                 {"cvt u32 $r1 u16 u16 s[0x2]; add sat $r0 (mul s16 $r1l $r1l) $r0; " + words + update, false},
		"with a carry":                      {"add b32 $c0 $r3 $r0 $r0; addc b32 $r0 $r0 $r0 $c0; " + words + update, false},
		"the neighbour's word":              {neighbor + "ld b32 $r2 g14[$r3]; st b32 g14[$r1] $r2", false},
		"the neighbour's and its own":       {neighbor + "ld b32 $r2 g14[$r1]; ld b32 $r2 g14[$r3]; st b32 g14[$r1] $r2", false},
		"the neighbour's in other code":     {neighbor + update + "; bar inc wait 0x0 0xfff; ld b32 $r2 g14[$r3]", false},
		"a store to the neighbour's":        {neighbor + update + "; st b32 g14[$r3] $r2", false},
		"eight bytes, four apart":           {"shl b32 $r1 $r0 0x2; add b32 $r1 b32 s[0x10] $r1; ld b64 $r2d g14[$r1]; st b64 g14[$r1] $r2d", false},
		"eight bytes read":                  {"shl b32 $r1 $r0 0x2; add b32 $r1 b32 s[0x10] $r1; ld b64 $r2d g14[$r1]; st b32 g14[$r1] $r2", false},
		"eight bytes, eight apart":          {"shl b32 $r1 $r0 0x3; add b32 $r1 b32 s[0x10] $r1; ld b64 $r2d g14[$r1]; st b64 g14[$r1] $r2d", true},
		"the two halves of eight":           {"shl b32 $r1 $r0 0x3; add b32 $r1 b32 s[0x10] $r1; add b32 $r3 $r1 0x4; ld b32 $r2 g14[$r1]; st b32 g14[$r3] $r2", true},
		"a half and one of the neighbour's": {"shl b32 $r1 $r0 0x3; add b32 $r1 b32 s[0x10] $r1; add b32 $r3 $r1 0x8; ld b32 $r2 g14[$r1]; st b32 g14[$r3] $r2", false},
		"far apart":                         {"shl b32 $r1 $r0 0x16; add b32 $r1 b32 s[0x10] $r1; " + update, true},
		"so far that addresses go round":    {"shl b32 $r1 $r0 0x18; add b32 $r1 b32 s[0x10] $r1; " + update, false},
		"shifted out":                       {"shl b32 $r1 $r0 0x20; add b32 $r1 b32 s[0x10] $r1; " + update, false},
		"shifted by each thread's number":   {"mov b32 $r1 0x4; shl b32 $r1 $r1 $r0; add b32 $r1 b32 s[0x10] $r1; " + update, false},
		"shifted out in two steps":          {"shl b32 $r1 $r0 0x10; shl b32 $r1 $r1 0x10; add b32 $r1 b32 s[0x10] $r1; " + update, false},
		"the same word for all":             {"mov b32 $r1 b32 s[0x10]; " + update, false},
		"less than a word apart":            {"add b32 $r1 b32 s[0x10] $r0; " + update, false},
		"the number twice, once negative":   {"shl b32 $r1 $r0 0x2; sub b32 $r2 b32 s[0x10] $r1; add b32 $r1 $r2 $r1; " + update, false},
		"a product of the number":           {"mul $r1 u16 $r0l u16 $r0l; add b32 $r1 b32 s[0x10] $r1; " + update, false},
		"an address made twice":             {words + "ld b32 $r2 g14[$r1]; " + words + "st b32 g14[$r1] $r2", false},
		"an index of the launch":            {"add b32 $r0 b32 s[0x18] $r0; " + words + update, true},
		"two indexes of the launch":         {words + "ld b32 $r2 g14[$r1]; add b32 $r1 b32 s[0x18] $r1; st b32 g14[$r1] $r2", false},
		"an address chosen by a guard":      {words + "(lg $c0) add b32 $r1 $r1 $r5; " + update, false},
		"an address of some lanes":          {words + "(l02) mov b32 $r1 $r2; " + update, false},
		"half an address":                   {words + "mov b16 $r1l $r2l; " + update, false},
		"a store under a guard":             {words + "ld b32 $r2 g14[$r1]; (lg $c0) st b32 g14[$r1] $r2", true},
		"in another register":               {words + "mov b32 $r3 $r1; ld b32 $r2 g14[$r3]; st b32 g14[$r1] $r2", true},
		"changed between":                   {words + "ld b32 $r2 g14[$r1]; add b32 $r1 $r1 0x4; st b32 g14[$r1] $r2", false},
		"round a loop":                      {words + update + "; add b32 $r1 $r1 0x4; (lg $c0) bra 0x10", false},
		"round a loop at one address":       {words + update + "; (lg $c0) bra 0x10", false},
		"a loop back to the start":          {words + update + "; (lg $c0) bra 0x0", false},
		"behind a conditional":              {"(lg $c0) bra 0x10; shr u32 $r0 $r0 0x1; " + words + update, false},
		"under a conditional":               {words + "(lg $c0) bra 0x28; " + update, true},
		"an atomic":                         {words + "ld add u32 $r2 g14[$r1] $r1; st b32 g14[$r1] $r2", true},
		"another array of other memory":     {words + "add b32 $r3 b32 s[0x14] $r0; ld b32 $r3 g14[$r3]; " + update, true},
		"another array of the same memory":  {words + "add b32 $r3 b32 s[0x1c] $r0; ld b32 $r3 g14[$r3]; " + update, false},
		"stored through another parameter":  {words + update + "; add b32 $r3 b32 s[0x1c] $r0; st b32 g14[$r3] $r2", false},
		"another array's memory unknown":    {words + "add b32 $r3 b32 s[0x18] $r0; ld b32 $r3 g14[$r3]; " + update, false},
		"an unknown word is read":           {words + update + "; bar inc wait 0x0 0xfff; ld b32 $r3 g14[$r4]", false},
		"a texture is read":                 {words + update + "; bar inc wait 0x0 0xfff; texauto all $r4:#:$r5:# $t0 $s0 $r4:$r5:$r6 0x0 0x0 0x0", false},
		"a store anywhere in s[]":           {words + update + "; bar inc wait 0x0 0xfff; st b32 s[$a1] $r2", false},
		"the shape is stored over":          {"mov b32 $r1 b32 s[0x20]; add b32 $r0 $r0 $r1; " + words + update + "; bar inc wait 0x0 0xfff; st b32 s[$a1+0x20] $r2", false},
	} {
		t.Run(name, func(t *testing.T) {
			p := lowered(t, tt.text)
			list := params(first, second, 7, first+64)
			require.True(t, p.Overwrites())
			require.Equal(t, !tt.own, p.OverwritesOn(list, [3]int{64, 1, 1}, global))
			for _, block := range [][3]int{{32, 2, 1}, {32, 1, 2}} {
				require.True(t, p.OverwritesOn(list, block, global), "%v", block)
			}
		})
	}
}
