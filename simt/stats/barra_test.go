package stats_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/simt/stats"
	"jacquard/tesla"
)

// Barra's files hold the sums of all launches of a kernel; kernels of one name do not mix.
func TestBarra(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "p-")
	w, err := stats.Target{Path: prefix, Kind: stats.Barra}.Create(run())
	require.NoError(t, err)
	other := launch(t, "a/b", 32)
	other.Kernel.Hash = "0123"
	for _, l := range []*stats.Launch{launch(t, "a/b", 40), other, launch(t, "a/b", 32)} {
		require.NoError(t, w.Add(l))
	}
	require.NoError(t, w.Close())
	text, err := os.ReadFile(prefix + "a_b.csv")
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	require.True(t, strings.HasPrefix(lines[0], `"Address","Name","Executed","Exec. scalar",`))
	require.Equal(t, `8,"add b32 $r2 $r2 $r2",3,72,1,0,0,0,0,0,0,1,1,0,0,0,0,0,0,0,0,0,0,0,0`, lines[2])
	text, err = os.ReadFile(prefix + "a_b-0123.csv")
	require.NoError(t, err)
	require.Contains(t, string(text), `8,"add b32 $r2 $r2 $r2",1,32,`)
	left, err := filepath.Glob(prefix + "*")
	require.NoError(t, err)
	require.Len(t, left, 2)
}

// Coalescing goes by half-warps, whichever lane is the first: Barra took every access whose first
// lane was not lane 0 to be uncoalesced.
func TestBarraCoalescing(t *testing.T) {
	for _, c := range []struct {
		name                 string
		base                 uint32
		coalesced, scattered string
	}{{"a segment", 0, "8", "0"}, {"one element off", 4, "0", "8"}} {
		t.Run(c.name, func(t *testing.T) {
			space := mem.NewSpace(1 << 20)
			addr, err := space.Alloc(4096)
			require.NoError(t, err)
			k := simt.Kernel{Name: "k", Arch: tesla.SM13, Registers: 4, Shared: 32, Code: decoder.Kernel(tesla.SM13, []uint32{
				0x30020009, 0xc4100780, // shl b32 $r2 $r0 0x2
				0x2000c809, 0x04208780, // add b32 $r2 b32 s[0x10] $r2
				0xd00e0405, 0x80c00780, // ld b32 $r1 g14[$r2]
				0xf0000001, 0xe0000001, // exit
			})}
			p, err := simt.Lower(k)
			require.NoError(t, err)
			base := addr + c.base
			s, err := simt.Run(&simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{50, 1, 1}, Global: space,
				Params: []byte{byte(base), byte(base >> 8), byte(base >> 16), byte(base >> 24)}})
			require.NoError(t, err)
			prefix := filepath.Join(t.TempDir(), "p-")
			w, err := stats.Target{Path: prefix, Kind: stats.Barra}.Create(run())
			require.NoError(t, err)
			require.NoError(t, w.Add(&stats.Launch{Kernel: stats.Describe(&k), Stats: *s}))
			file, err := os.Open(prefix + "k.csv")
			require.NoError(t, err)
			defer file.Close()
			rows, err := csv.NewReader(file).ReadAll()
			require.NoError(t, err)
			require.Equal(t, "Gather global", rows[0][17])
			require.Equal(t, []string{c.scattered, c.coalesced, "0", "0"}, rows[3][17:21])
			require.Equal(t, []string{"1", "1"}, rows[3][11:13], "the address and the data")
		})
	}
}
