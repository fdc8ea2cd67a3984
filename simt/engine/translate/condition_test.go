package translate

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/engine"
	"jacquard/simt/engine/interp"
	"jacquard/simt/engine/translate/host"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Every condition holds for the lanes that the interpreter says, on all flags.
func TestConditions(t *testing.T) {
	for _, simd := range []string{host.AVX512, host.AVX2} {
		if _, err := host.Find(simd); err != nil {
			t.Log(err)
			continue
		}
		for cond := tesla.CondAlways; cond < 0x20; cond++ {
			if cond.String() == "" || cond > tesla.CondNever && cond < 0x10 || cond > 0x13 && cond < 0x1c {
				continue // no such condition
			}
			text := fmt.Sprintf("(%v $c0) mov b32 $r5 $r4", cond)
			switch cond {
			case tesla.CondAlways:
				text = "mov b32 $r5 $r4"
			case tesla.CondNever:
				text = "(never) mov b32 $r5 $r4"
			}
			p := accessProgram(t, simd, text)
			want, err := interp.Compile(p)
			require.NoError(t, err)
			got, err := CompileHot(p)
			require.NoError(t, err)
			a, b := newAccessSide(t, p, want), newAccessSide(t, p, got)
			r := rand.New(rand.NewPCG(1, uint64(cond)))
			for range 20 {
				for i := range lane.Width {
					for n := range uint32(2) {
						a.st.RegisterRow(4+int(n), 1)[i], b.st.RegisterRow(4+int(n), 1)[i] = n, n
					}
				}
				flags := lane.Flags{Z: lane.Mask(r.Uint32()), S: lane.Mask(r.Uint32()), C: lane.Mask(r.Uint32()), O: lane.Mask(r.Uint32())}
				a.st.Flags[0][1], b.st.Flags[0][1] = flags, flags
				s := lane.Sel{Full: true}
				s.Add(1, lane.All)
				a.eng.Run(&s, 0, 1)
				b.eng.(engine.Runner).RunOn(&engine.Turn{Warp: 1, Lanes: lane.All, Stop: -1, Room: 100})
				require.Equal(t, *a.st.RegisterRow(5, 1), *b.st.RegisterRow(5, 1), "%s, %+v", text, flags)
				require.Zero(t, b.slow, text)
			}
		}
	}
}
