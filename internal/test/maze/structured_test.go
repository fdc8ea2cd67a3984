package maze

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/tesla"
)

// Lanes leave a place in every way that its surroundings have, also by a return.
func TestWaysOut(t *testing.T) {
	for name, in := range map[string]struct {
		scope
		want []tesla.Op
	}{
		"anywhere":       {scope{}, []tesla.Op{tesla.OpRet}},
		"under a break":  {scope{breaks: true}, []tesla.Op{tesla.OpBreak, tesla.OpRet}},
		"in a knot":      {scope{knot: &knot{}}, []tesla.Op{tesla.OpBra, tesla.OpRet}},
		"in a loop":      {scope{loop: new(asm.Label)}, []tesla.Op{tesla.OpBra, tesla.OpRet}},
		"in all of them": {scope{breaks: true, knot: &knot{}, loop: new(asm.Label)}, []tesla.Op{tesla.OpBra, tesla.OpBreak, tesla.OpRet}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWriter(rand.New(rand.NewPCG(1, 2)))
			w.PlaceHere() // the head of the loop
			for range 100 {
				w.leave(in.scope, tesla.Guard{})
			}
			if in.knot != nil {
				w.Place(in.knot.jumps...)
			}
			seen := map[tesla.Op]bool{}
			for _, in := range w.instructions() {
				seen[in.Op] = true
			}
			require.Len(t, seen, len(in.want))
			for _, op := range in.want {
				require.True(t, seen[op], op)
			}
		})
	}
}
