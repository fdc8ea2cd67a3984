package simt_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/internal/test/vectors"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

var illegalWords = flag.Int("illegal", 600, "encodings that TestIllegal tries on each device and engine")

// The encodings of the decoder's vectors, with bits or a field changed, and any bits: encodings
// that no device has fault as illegal instructions on every engine, and do no harm where lanes
// jump around.
func TestIllegal(t *testing.T) {
	list, err := vectors.Read("../decoder/testdata/decode-vectors.csv.gz")
	require.NoError(t, err)
	for _, arch := range tesla.Archs {
		r := rand.New(rand.NewPCG(9, uint64(arch)))
		refused := 0
		for range *illegalWords {
			w := changed(r, list[r.IntN(len(list))].Words)
			for _, h := range wholeHosts {
				if simt.CheckEngine(h.host) == nil {
					refused += illegal(t, arch, h.host, w)
				}
			}
		}
		require.Greater(t, refused, *illegalWords/2)
	}
}

// An instruction with an address register that no other instruction names: a kernel has the
// registers of its legal instructions.
func TestIllegalAddressRegister(t *testing.T) {
	for _, h := range wholeHosts {
		if simt.CheckEngine(h.host) == nil {
			require.Equal(t, 1, illegal(t, tesla.SM12, h.host, [2]uint32{0x490f4e8c, 0x490f4e8c}))
		}
	}
}

// shortMov is a short instruction without an effect: mov b32 $r0 $r0.
const shortMov = 0x10008000

// changed returns an encoding with some bits, a field or all of it changed.
func changed(r *rand.Rand, w [2]uint32) [2]uint32 {
	bits := uint64(w[0]) | uint64(w[1])<<32
	switch at, field := r.IntN(64), uint64(1)<<(1+r.IntN(7))-1; r.IntN(4) {
	case 0:
		bits = r.Uint64()
	case 1:
		for range 1 + r.IntN(4) {
			bits ^= 1 << r.IntN(64)
		}
	case 2:
		bits |= field << at
	default:
		bits = bits&^(field<<at) | r.Uint64()&field<<at
	}
	return [2]uint32{uint32(bits), uint32(bits >> 32)}
}

// illegal runs an encoding, unless it is legal, and then jumps around it. It returns 1 if the device
// refused the encoding, or else 0.
func illegal(t *testing.T, arch tesla.Arch, h simt.Host, w [2]uint32) int {
	t.Helper()
	launch := func(words []uint32) (*simt.Program, error) {
		p, err := simt.Lower(simt.Kernel{Name: "k", Arch: arch, Code: decoder.Kernel(arch, words), Registers: 4, Shared: 32, Local: 16, Host: h})
		require.NoError(t, err)
		_, err = simt.Run(&simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{32, 1, 1}, Global: mem.NewSpace(1 << 20), Watchdog: 1000})
		return p, err
	}
	text := fmt.Sprintf("%v %08x %08x on %v", arch, w[0], w[1], h)
	rest := []uint32{shortMov, shortMov, exitNop0, exitNop1} // a long instruction may begin at w[1]
	_, err := launch(code(bra(24, always), w[:], rest))
	require.NoError(t, err, "not executed: %s", text)
	p, err := launch(code(w[:], rest))
	r := p.Refusals()
	if len(r) == 0 || r[0].PC != 0 { // a legal instruction, which may do what it likes
		return 0
	}
	var f *simt.Fault
	require.ErrorAs(t, err, &f, text)
	require.Zero(t, f.PC, text)
	if r[0].Unsupported {
		require.NotEqual(t, simt.FaultIllegalInstruction, f.Kind, text)
		return 1
	}
	require.Equal(t, simt.FaultIllegalInstruction, f.Kind, text)
	return 1
}
