package decoder

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

// FuzzDecode checks that decoding and printing never fail, and that every instruction that executes
// can be encoded and decoded again.
func FuzzDecode(f *testing.F) {
	f.Add(uint8(0), uint32(shortMov), uint32(0))
	f.Add(uint8(1), uint32(longNop0), uint32(longNop1))
	f.Add(uint8(2), uint32(0x10000401), uint32(0x600002c0))
	f.Add(uint8(3), uint32(0xe0000001), uint32(0x40000780))
	f.Fuzz(func(t *testing.T, arch uint8, w0, w1 uint32) {
		a := tesla.Archs[int(arch)%len(tesla.Archs)]
		in := Decode(a, w0, w1)
		require.Equal(t, !executes(in), strings.HasPrefix(in.String(), "???"), "%s", in)
		if executes(in) {
			requireEncodes(t, a, in)
		}
	})
}
