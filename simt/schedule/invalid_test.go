package schedule

import (
	"compress/gzip"
	"encoding/csv"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// Every encoding that the reference disassembler calls invalid on a device faults there as an
// illegal instruction, under any guard.
func TestInvalidEncodingsFault(t *testing.T) {
	f, err := os.Open("../../decoder/testdata/decode-vectors.csv.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	rows, err := csv.NewReader(z).ReadAll()
	require.NoError(t, err)
	// In the order of the status letters.
	devices := []tesla.Arch{tesla.SM10, tesla.SM11, tesla.SM13, tesla.SM12}
	space := mem.NewSpace(1 << 20)
	n := 0
	for _, row := range rows[1:] {
		words := []uint32{hexWord(t, row[0]), 0xf0000002} // a short instruction gets a neighbour
		if row[1] != "" {
			words[1] = hexWord(t, row[1])
		}
		for i, status := range row[3] {
			if status != 'x' && status != 'X' {
				continue
			}
			n++
			p, err := lower(program.Kernel{Name: "k", Arch: devices[i], Code: decoder.Kernel(devices[i], words), Registers: 8, Shared: 64})
			require.NoError(t, err)
			_, err = Run(&Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{32, 1, 1}, Global: space, Watchdog: 100})
			var fault *machine.Fault
			require.ErrorAs(t, err, &fault, "%v on %v", row[:4], devices[i])
			require.Equal(t, machine.FaultIllegalInstruction, fault.Kind, "%v on %v: %v", row[:4], devices[i], fault)
			require.Zero(t, fault.PC)
		}
	}
	require.Equal(t, 9188, n)
}

func hexWord(t *testing.T, s string) uint32 {
	t.Helper()
	v, err := strconv.ParseUint(s, 16, 32)
	require.NoError(t, err)
	return uint32(v)
}
