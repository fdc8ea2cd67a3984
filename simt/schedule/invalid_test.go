package schedule

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/internal/test/vectors"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// Every encoding that the reference disassembler calls invalid on a device faults there as an
// illegal instruction, under any guard.
func TestInvalidEncodingsFault(t *testing.T) {
	list, err := vectors.Read("../../decoder/testdata/" + vectors.Forms)
	require.NoError(t, err)
	space := mem.NewSpace(1 << 20)
	n := 0
	for _, v := range list {
		words := v.Words[:]
		if v.Short {
			words[1] = 0xf0000002 // a neighbour
		}
		for _, arch := range tesla.Archs {
			if v.On[arch].Valid {
				continue
			}
			n++
			p, err := lower(program.Kernel{Name: "k", Arch: arch, Code: decoder.Kernel(arch, words), Registers: 8, Shared: 64})
			require.NoError(t, err)
			_, err = Run(&Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{32, 1, 1}, Global: space, Watchdog: 100})
			var fault *machine.Fault
			require.ErrorAs(t, err, &fault, "%s on %s", &v, arch)
			require.Equal(t, machine.FaultIllegalInstruction, fault.Kind, "%s on %s: %v", &v, arch, fault)
			require.Zero(t, fault.PC)
		}
	}
	require.Equal(t, 9188, n)
}
