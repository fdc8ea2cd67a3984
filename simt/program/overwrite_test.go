package program

import (
	"testing"

	"github.com/stretchr/testify/require"
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
			require.Equal(t, got != nil, p.Overwrites)
		})
	}
}
