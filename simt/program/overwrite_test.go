package program

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/mem"
)

// Ops overwrite that change memory of a kind that was read before, on some way from the start and
// before any barrier. All instructions have eight bytes.
func TestOverwrites(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want []int
	}{
		"a copy":      {"ld b32 $r3 g14[$r2]; st b32 g14[$r1] $r3", []int{1}},
		"only stores": {"st b32 g14[$r1] $r3; st b32 g14[$r1] $r2", nil},
		"from device to shared memory, and back behind a barrier": {"ld b32 $r3 g14[$r2]; st b32 s[$a1+0x40] $r3; bar inc wait 0x0 0xfff; ld $r3 b32 s[$a1+0x44]; st b32 g14[$r1] $r3", nil},
		"shared memory in place":                                  {"ld $r3 b32 s[$a1+0x44]; st b32 s[$a1+0x40] $r3", []int{1}},
		"parameters are no reads":                                 {"mov b32 $r3 b32 s[0x10]; st b32 s[$a1+0x40] $r3", nil},
		"a word above the least store is one":                     {"mov b32 $r3 b32 s[0x40]; st b32 s[$a1+0x40] $r3", []int{1}},
		"an address register that steps may lead anywhere":        {"mov b32 $r3 b32 s[0x10]; st b32 s[$a1++0x40] $r3", []int{1}},
		"an atomic's value is a read":                             {"ld add u32 $r3 g14[$r2] $r1; st b32 g14[$r1] $r3", []int{1}},
		"a reduction is not, but overwrites":                      {"red add u32 g14[$r2] $r1; red add u32 g14[$r1] $r2; ld b32 $r3 g14[$r2]; red add u32 g14[$r1] $r2", []int{3}},
		"a texture is device memory":                              {"texauto all $r4:#:$r5:# $t0 $s0 $r4:$r5:$r6 0x0 0x0 0x0; st b32 g14[$r1] $r3", []int{1}},
		"local memory is a lane's own":                            {"ld b32 $r3 g14[$r2]; st b32 l[$a1] $r3", nil},
		"on the other side of a branch":                           {"(lg $c0) bra 0x18; ld b32 $r3 g14[$r2]; bra 0x20; st b32 g14[$r1] $r3; nop; st b32 g14[$r1] $r3", []int{5}},
		"round a loop":                                            {"st b32 g14[$r1] $r3; ld b32 $r3 g14[$r2]; (lg $c0) bra 0x0", []int{0}},
		"round a loop with a barrier":                             {"st b32 g14[$r1] $r3; ld b32 $r3 g14[$r2]; bar inc wait 0x0 0xfff; (lg $c0) bra 0x0", nil},
		"behind a break":                                          {"breakaddr 0x20; ld b32 $r3 g14[$r2]; (lg $c0) break; bar inc wait 0x0 0xfff; st b32 g14[$r1] $r3", []int{4}},
		"behind a call":                                           {"call 0x18; st b32 g14[$r1] $r3; nop {exit}; ld b32 $r3 g14[$r2]; ret", []int{1}},
		"behind the end":                                          {"ld b32 $r3 g14[$r2]; nop {exit}; st b32 g14[$r1] $r3", nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := lowered(t, tt.text)
			var got []int
			for i := range p.Code {
				if p.Code[i].Overwrites {
					got = append(got, i)
				}
			}
			require.Equal(t, tt.want, got)
			require.Equal(t, got != nil, p.Overwrites())
		})
	}
}

// A store to another allocation than all that was read does not overwrite, if the code tells to
// which parameters the addresses belong.
func TestOverwritesOn(t *testing.T) {
	global := mem.NewSpace(1 << 20)
	first, err := global.Alloc(256)
	require.NoError(t, err)
	second, err := global.Alloc(256)
	require.NoError(t, err)
	const apart, within = "shl b32 $r1 $r0 0x2; add b32 $r2 b32 s[0x10] $r1; ", "; ld b32 $r4 g14[$r2]; st b32 g14[$r3] $r4"
	for name, tt := range map[string]struct {
		text   string
		params [3]uint32
		want   bool
	}{
		"two allocations":         {apart + "add b32 $r3 b32 s[0x14] $r1" + within, [3]uint32{first, second}, false},
		"one":                     {apart + "add b32 $r3 b32 s[0x14] $r1" + within, [3]uint32{first, first + 64}, true},
		"none":                    {apart + "add b32 $r3 b32 s[0x14] $r1" + within, [3]uint32{first, 5}, true},
		"a third in none":         {apart + "add b32 $r3 b32 s[0x18] $r1; ld b32 $r4 g14[$r3]; add b32 $r3 b32 s[0x14] $r1" + within, [3]uint32{first, second, 5}, true},
		"a third in another":      {apart + "add b32 $r3 b32 s[0x18] $r1; ld b32 $r4 g14[$r3]; add b32 $r3 b32 s[0x14] $r1" + within, [3]uint32{first, second, first}, false},
		"an index of both":        {apart + "add b32 $r2 b32 s[0x18] $r2; add b32 $r3 b32 s[0x14] $r1; add b32 $r3 b32 s[0x18] $r3" + within, [3]uint32{first, second, 8}, false},
		"an index like a pointer": {apart + "add b32 $r2 b32 s[0x18] $r2; add b32 $r3 b32 s[0x14] $r1; add b32 $r3 b32 s[0x18] $r3" + within, [3]uint32{first, second, first}, true},
		"the launch's shape":      {apart + "mov b32 $r3 b32 s[0xc]; add b32 $r3 b32 s[0x14] $r3" + within, [3]uint32{first, second}, false},
		"a loaded pointer":        {apart + "ld b32 $r3 g14[$r2]" + within, [3]uint32{first, second}, true},
		"another read before":     {apart + "ld b32 $r5 g14[$r5]; add b32 $r3 b32 s[0x14] $r1" + within, [3]uint32{first, second}, true},
		"chosen by a guard":       {apart + "mov b32 $r3 b32 s[0x14]; (lg $c0) mov b32 $r3 b32 s[0x10]" + within, [3]uint32{first, second}, true},
		"chosen in some lanes":    {apart + "mov b32 $r3 b32 s[0x14]; (l02) mov b32 $r3 b32 s[0x10]" + within, [3]uint32{first, second}, true},
		"half of another":         {apart + "mov b32 $r3 b32 s[0x14]; mov b16 $r3l u16 s[0x10]" + within, [3]uint32{first, second}, true},
		"behind a conditional":    {apart + "(lg $c0) bra 0x28; add b32 $r3 b32 s[0x14] $r1" + within, [3]uint32{first, second}, true},
		"a branch over all":       {apart + "add b32 $r3 b32 s[0x14] $r1; (lg $c0) bra 0x30" + within, [3]uint32{first, second}, false},
		"a pointer goes round":    {apart + "add b32 $r3 b32 s[0x14] $r1" + within + "; add b32 $r3 $r3 0x4; (lg $c0) bra 0x18", [3]uint32{first, second}, true},
		"a parameter beside a store to anywhere in shared memory": {"mov b32 $r3 b32 s[0x18]; st b32 s[$a1] $r3", [3]uint32{}, false},
		"a word behind the parameters":                            {"mov b32 $r3 b32 s[0x1c]; st b32 s[$a1] $r3", [3]uint32{}, true},
		"nothing in common memory":                                {"mov b32 $r1 $r2", [3]uint32{first, first}, false},
	} {
		t.Run(name, func(t *testing.T) {
			var params []byte
			for _, p := range tt.params {
				params = binary.LittleEndian.AppendUint32(params, p)
			}
			require.Equal(t, tt.want, lowered(t, tt.text).OverwritesOn(params, [3]int{64, 1, 1}, global))
		})
	}
}

// A store before the address of a parameter is one to the array that ends there. Under packed memory
// the next array begins at that address.
func TestOverwritesBackward(t *testing.T) {
	global := mem.NewSpace(1 << 20)
	global.Pack()
	first, err := global.Alloc(8192)
	require.NoError(t, err)
	second, err := global.Alloc(8192)
	require.NoError(t, err)
	require.Equal(t, first+8192, second)
	const from, within = "shl b32 $r1 $r0 0x2; add b32 $r2 b32 s[0x10] $r1; ", "; ld b32 $r4 g14[$r2]; st b32 g14[$r3] $r4"
	for name, tt := range map[string]struct {
		text string
		want bool
	}{
		"forward":                        {from + "add b32 $r3 b32 s[0x14] $r1" + within, false},
		"a difference":                   {from + "sub b32 $r3 b32 s[0x14] $r1" + within, true},
		"a negative constant":            {from + "add b32 $r3 $r1 0xfffffffc; add b32 $r3 b32 s[0x14] $r3" + within, true},
		"a scaled complement":            {"mov b32 $r5 0xffffffff; xor b32 $r5 $r5 $r0; shl b32 $r1 $r5 0x2; mov b32 $r2 b32 s[0x10]; add b32 $r3 b32 s[0x14] $r1" + within, true},
		"round a loop":                   {"shl b32 $r1 $r5 0x2; mov b32 $r2 b32 s[0x10]; add b32 $r3 b32 s[0x14] $r1" + within + "; sub b32 $r5 $r0 $r5; (lg $c0) bra 0x0", true},
		"own words, and forward":         {from + "add b32 $r3 b32 s[0x14] $r1; ld b32 $r5 g14[$r3]; ld b32 $r4 g14[$r2]; st b32 g14[$r2] $r4", false},
		"own words, from behind":         {from + "sub b32 $r3 b32 s[0x14] $r1; ld b32 $r5 g14[$r3]; ld b32 $r4 g14[$r2]; st b32 g14[$r2] $r4", true},
		"backward by no pointer, behind": {from + "sub b32 $r5 b32 s[0x10] $r1; ld b32 $r5 g14[$r5]; add b32 $r3 b32 s[0x14] $r1" + within + "; sub b32 $r5 b32 s[0x18] $r1; ld b32 $r5 g14[$r5]", false},
		"a mask is no negative":          {from + "and b32 $r1 $r1 0xfffffffc; add b32 $r3 b32 s[0x14] $r1" + within, false},
	} {
		t.Run(name, func(t *testing.T) {
			params := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, first), second)
			params = binary.LittleEndian.AppendUint32(params, 5)
			require.Equal(t, tt.want, lowered(t, tt.text).OverwritesOn(params, [3]int{64, 1, 1}, global))
		})
	}
}
