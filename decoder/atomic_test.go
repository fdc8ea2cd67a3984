package decoder

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

// An exchange without a result is a reduction: ptxas writes d00e0201,c0c00784 for an
// atomicExch whose result is unused. A compare-and-swap has no such form: a reduction has no
// field for the swap value.
func TestReductionsThatExchange(t *testing.T) {
	for _, c := range []struct {
		w0, w1 uint32
		since  tesla.Arch
		text   string // "" where no architecture has the instruction
	}{
		{0xd00e0201, 0xc0c00784, tesla.SM11, "red exch b32 g14[$r1] $r0"},
		{0xd00e0209, 0xc0800784, tesla.SM12, "red exch b64 g14[$r1] $r2d"},
		{0xd00e0201, 0xc0e00784, 0, ""}, // s32
		{0xd00e0201, 0xc0400784, 0, ""}, // u16
		{0xd00e0201, 0xc0c00788, 0, ""}, // compare and swap
	} {
		for _, arch := range tesla.Archs {
			in := Decode(arch, c.w0, c.w1)
			if c.text == "" || arch < c.since {
				require.True(t, strings.HasPrefix(in.String(), "???"), "%s: %s", arch, in)
				require.NotEqual(t, tesla.OK, in.Bad)
				continue
			}
			require.Equal(t, c.text, in.String(), arch)
			require.Equal(t, tesla.OpRed, in.Op)
			require.Equal(t, tesla.AtomExch, in.Atom)
			in.Form = 0
			w0, w1, err := Encode(arch, in)
			require.NoError(t, err)
			require.Equal(t, [2]uint32{c.w0, c.w1}, [2]uint32{w0, w1})
		}
	}
}
