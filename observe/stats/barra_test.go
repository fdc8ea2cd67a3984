package stats_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/observe/stats"
	"jacquard/simt"
	"jacquard/simt/mem"
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
	require.Equal(t, `8,"add b32 $r2 $r2 $r2",3,72,1,0,0,0,0,0,0,2,1,0,0,0,0,0,0,0,0,0,0,0,0`, lines[2])
	text, err = os.ReadFile(prefix + "a_b-0123.csv")
	require.NoError(t, err)
	require.Contains(t, string(text), `8,"add b32 $r2 $r2 $r2",1,32,`)
	left, err := filepath.Glob(prefix + "*")
	require.NoError(t, err)
	require.Len(t, left, 2)
}

// Kernels with names too long for a file have their beginning and a hash.
func TestBarraLongNames(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "p-")
	w, err := stats.Target{Path: prefix, Kind: stats.Barra}.Create(run())
	require.NoError(t, err)
	long := strings.Repeat("n", 300)
	for _, name := range []string{long + "a", long + "b", long + "a", "short"} {
		require.NoError(t, w.Add(launch(t, name, 32)))
	}
	require.NoError(t, w.Close())
	files, err := filepath.Glob(prefix + "*")
	require.NoError(t, err)
	require.Len(t, files, 3)
	for _, path := range files {
		require.Less(t, len(filepath.Base(path)), 200)
	}
}

// Coalescing is counted per half-warp, whatever the first lane. Barra counted every access as
// uncoalesced whose first lane was not lane 0.
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

// "Exec. scalar" counts lanes that pass the guard, for a branch the lanes that take it. It counts
// none where the guard bits say never: compilers leave those in joinat, breakaddr, bar and plain
// joins.
func TestBarraCountsLanes(t *testing.T) {
	// upper holds in lanes 16 to 31
	always, upper := tesla.Guard{}, tesla.Guard{Cond: tesla.CondLG}
	reg := func(n uint8) tesla.Operand { return tesla.Operand{Kind: tesla.Reg, Index: n} }
	plain := func(op tesla.Op, guard tesla.Guard) tesla.Instruction {
		return tesla.Instruction{Op: op, Size: 8, Guard: guard}
	}
	mov := plain(tesla.OpMov, upper)
	mov.Type, mov.Dst, mov.Src[0] = tesla.B32, reg(2), reg(0)
	bra := plain(tesla.OpBra, upper)
	bra.Target = 0x38
	jump := func(op tesla.Op, to uint32) tesla.Instruction {
		in := plain(op, always)
		in.Target = to
		return in
	}
	code := []uint32{
		0x100f8005, 0x00000003, // 0x00: mov b32 $r1 0xf
		0x300101fd, 0x6c0107c8, // 0x08: set $c0 # g s32 $r0 $r1
		0xa0000003 | 0x38/4<<11, 0x00000000, // 0x10: joinat 0x38
	}
	for _, in := range []tesla.Instruction{mov, bra, jump(tesla.OpBra, 0x38)} { // 0x18, 0x20, 0x28
		w0, w1, err := decoder.Encode(tesla.SM13, in)
		require.NoError(t, err)
		code = append(code, w0, w1)
	}
	code = append(code,
		0xf0000001, 0xe0000001, // 0x30: never reached
		0xf0000001, 0xe0000002, // 0x38: join nop, never
		0xf0000001, 0xe0000000, // 0x40: nop, never
		0xf0000001, 0xe0000780, // 0x48: nop
		0x861ffe03, 0x00000000, // 0x50: bar
		0xf0000001, 0xe0000781, // 0x58: exit nop
	)
	k := simt.Kernel{Name: "k", Arch: tesla.SM13, Registers: 4, Shared: 32, Code: decoder.Kernel(tesla.SM13, code)}
	require.Equal(t, "joinat 0x38", k.Code[2].String())
	p, err := simt.Lower(k)
	require.NoError(t, err)
	s, err := simt.Run(&simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{32, 1, 1}, Global: mem.NewSpace(1 << 20)})
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
	var got []string
	// The columns are Executed, Exec. scalar; Branch taken, not taken, mixed, Jump.
	for _, r := range rows[1:] {
		got = append(got, r[0]+" "+strings.Join(r[2:4], "/")+" "+strings.Join(r[13:17], " "))
	}
	require.Equal(t, []string{
		"0 1/32 0 0 0 0", "8 1/32 0 0 0 0",
		"16 1/0 0 0 0 0",  // joinat
		"24 1/16 0 0 0 0", // a mov of the upper lanes
		"32 1/16 0 0 1 1", // a branch of the upper lanes
		"40 1/16 1 0 0 1", // a branch of the lower lanes
		"48 0/0 0 0 0 0",
		// a join that sends the warp back to the lower lanes, and one that lets it go on
		"56 2/32 0 0 0 1",
		"64 1/0 0 0 0 0", "72 1/32 0 0 0 0",
		"80 1/0 0 0 0 0", // bar
		"88 1/32 0 0 0 0",
	}, got)
}
