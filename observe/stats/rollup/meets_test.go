package rollup

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
)

func TestMeets(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []Meet // of the instructions that lanes part at, in order
	}{
		{"an if with an else", `
	(e $c0) bra other
	bra end
other:
	nop
end:
	exit nop`, []Meet{MeetHigher}},
		{"a loop", `
loop:
	nop
	(e $c0) bra loop
	exit nop`, []Meet{MeetHigher}},
		{"a loop tested at its top", `
loop:
	(e $c0) bra end
	bra loop
end:
	exit nop`, []Meet{MeetHigher}},
		{"a side moved to the end", `
	(e $c0) bra moved
back:
	nop
	exit nop
moved:
	bra back`, []Meet{MeetLower}},
		{"a meeting place before the branch", `
	bra first
meet:
	exit nop
first:
	(e $c0) bra meet
	bra meet`, []Meet{MeetLower}},
		{"an early end", `
	(e $c0) ret
	exit nop`, []Meet{MeetEnd}},
		{"a call of a function after it: listing 1", `
	(e $c0) bra end
	call f
end:
	exit nop
f:
	(e $c0) bra back
	nop
back:
	ret`, []Meet{MeetCalls, MeetHigher}},
		{"a call of a function before it", `
	bra start
f:
	ret
start:
	(e $c0) bra end
	call f
end:
	exit nop`, []Meet{MeetHigher}},
		{"a call of a function that calls one after it", `
	bra start
f:
	call g
	ret
start:
	(e $c0) bra end
	call f
end:
	exit nop
g:
	ret`, []Meet{MeetCalls}},
	} {
		t.Run(c.name, func(t *testing.T) {
			img, err := asm.Read(".module sm_13\n.kernel k registers=1" + c.text)
			require.NoError(t, err)
			var found []Meet
			for _, m := range meetsOf(decoder.Kernel(img.Arch, img.Kernels[0].Code)) {
				if m != MeetNone {
					found = append(found, m)
				}
			}
			require.Equal(t, c.want, found)
		})
	}
	require.Empty(t, meetsOf(nil))
}
