package rollup_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/observe/stats"
	"jacquard/observe/stats/rollup"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// launches returns two launches of kernel a and one of b, whose code is longer.
func launches(t testing.TB) []*stats.Launch {
	t.Helper()
	short := []uint32{
		0x10018005, 0x00000003, // mov b32 $r1 0x1
		0xf0000001, 0xe0000001, // exit
	}
	long := append([]uint32{0x20000409, 0x04008780}, short...) // add b32 $r2 $r2 $r2
	var list []*stats.Launch
	for i, c := range []struct {
		name    string
		code    []uint32
		threads int
	}{{"a", short, 32}, {"b", long, 8}, {"a", short, 64}} {
		k := simt.Kernel{Name: c.name, Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, c.code), Registers: 4, Shared: 16}
		p, err := simt.Lower(k)
		require.NoError(t, err)
		s, err := simt.Run(&simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{c.threads, 1, 1}, Global: mem.NewSpace(1 << 20)})
		require.NoError(t, err)
		s.Elapsed = 1e6
		l := &stats.Launch{Number: i, Policy: "nvidia", Device: "gtx280", Kernel: stats.Describe(&k), Stats: *s}
		l.Kernel.Number = map[string]int{"a": 0, "b": 1}[c.name]
		list = append(list, l)
	}
	return list
}

func table(t testing.TB, by string) *rollup.Table {
	t.Helper()
	r := rollup.New(by)
	require.NotNil(t, r)
	for _, l := range launches(t) {
		r.Add(l)
	}
	return r
}

// By any dimension, nothing is lost or counted twice.
func TestSums(t *testing.T) {
	for _, by := range rollup.Dimensions() {
		r := table(t, by)
		var issues, threads, lanes uint64
		static := 0
		for _, row := range r.Rows {
			require.Len(t, row.Key, len(r.Keys))
			issues += row.Counts.Issues
			threads += row.Counts.Threads
			lanes += row.Counts.Active[32]*32 + row.Counts.Active[8]*8
			static += row.Static
		}
		require.EqualValues(t, 2+3+4, issues, by)
		require.EqualValues(t, 2*32+3*8+2*64, threads, by)
		require.Equal(t, threads, lanes, by)
		require.Equal(t, issues, r.Totals[0].Counts.Issues, by)
		require.Equal(t, threads, r.Totals[0].Counts.Threads, by)
		require.Equal(t, 3, r.Totals[0].Launches, by)
		require.Equal(t, 5, r.Totals[0].Static, by)
		require.InDelta(t, 3e-3, r.Totals[0].Seconds, 1e-12, by)
		if by == "launch" {
			require.Equal(t, 2+3+2, static) // each launch counts its kernel's code
		} else {
			require.Equal(t, 5, static, by)
		}
	}
	require.Nil(t, rollup.New("colour"))
}

func TestTable(t *testing.T) {
	r := table(t, "class")
	require.False(t, r.Sort("colour"))
	require.True(t, r.Sort("issues"))
	var b strings.Builder
	require.NoError(t, r.WriteTable(&b))
	require.Equal(t, `class    launches  static  issues  threads  lanes  off  divergent  transactions  bytes  conflicts
move            3       2       4      104  26.00    0          0             0      0          0
control         3       2       4      104  26.00    0          0             0      0          0
integer         1       1       1        8   8.00    0          0             0      0          0
total           3       5       9      216  24.00    0          0             0      0          0
`, b.String())
	r.Top(1)
	b.Reset()
	require.NoError(t, r.WriteTable(&b))
	require.Contains(t, b.String(), "total, with 2 more ")
	require.NotContains(t, b.String(), "integer")
}

func TestFiles(t *testing.T) {
	r := table(t, "kernel")
	var b bytes.Buffer
	require.NoError(t, r.WriteCSV(&b))
	rows, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 3)
	at := map[string]string{}
	for i, name := range rows[0] {
		at[name] = rows[1][i]
	}
	require.Equal(t, "nvidia", at["policy"])
	require.Equal(t, "gtx280", at["device"])
	require.Equal(t, "", at["launch"], "of two launches")
	require.Equal(t, "1", at["grid_x"])
	require.Equal(t, "", at["block_x"], "of 32 threads and of 64")
	require.Equal(t, "a", at["kernel"])
	require.Equal(t, "6", at["issues"])
	require.Equal(t, "2", at["launches"])
	require.Equal(t, "6", at["active_lanes_32"])
	require.Equal(t, "6", at["warp_instructions"])
	require.Equal(t, "3", at["pc_arbitrations"])

	require.NoError(t, r.WriteJSON(&b))
	var object map[string]any
	require.NoError(t, json.NewDecoder(&b).Decode(&object))
	require.Equal(t, "a", object["kernel"])
	require.EqualValues(t, 1, object["block_y"])
	require.NotContains(t, object, "block_x")
	require.EqualValues(t, 6, object["issues"])
	require.Len(t, object["active_lanes"], 33)
}

// Rows of different policies are apart, and each policy has a total.
func TestPolicies(t *testing.T) {
	r := table(t, "kernel")
	for _, l := range launches(t) {
		l.Policy = "mimd"
		r.Add(l)
	}
	var b strings.Builder
	require.NoError(t, r.WriteTable(&b))
	var words []string
	for line := range strings.Lines(b.String()) {
		words = append(words, strings.Join(strings.Fields(line)[:2], " "))
	}
	require.Equal(t, []string{"policy kernel", "nvidia a", "nvidia b", "mimd a", "mimd b", "nvidia total", "mimd total"}, words)

	// A roll-up of one policy is held against the rows of that policy.
	b.Reset()
	same, err := r.WriteAgainst(&b, table(t, "kernel"))
	require.NoError(t, err)
	require.False(t, same)
	require.Regexp(t, `(?m)^nvidia +a .* 6 +6 +1\.000 `, b.String())
	require.Regexp(t, `(?m)^mimd +a .* 6 +- +- `, b.String())
	require.Regexp(t, `(?m)^mimd +total .* 9 +- +- `, b.String())

	// Roll-ups of one policy each are held against each other.
	other := rollup.New("kernel")
	for _, l := range launches(t) {
		l.Policy = "mimd"
		other.Add(l)
	}
	same, err = table(t, "kernel").WriteAgainst(&b, other)
	require.NoError(t, err)
	require.True(t, same)
}

// Files of rows by launch and by instruction have each column once.
func TestColumnsOnce(t *testing.T) {
	for _, by := range rollup.Dimensions() {
		var b bytes.Buffer
		require.NoError(t, table(t, by).WriteCSV(&b))
		rows, err := csv.NewReader(&b).ReadAll()
		require.NoError(t, err)
		seen := map[string]bool{}
		for _, name := range rows[0] {
			require.False(t, seen[name], "%s twice by %s", name, by)
			seen[name] = true
		}
		for _, row := range rows {
			require.Len(t, row, len(rows[0]), by)
		}
	}
}

func TestAgainst(t *testing.T) {
	a, b := table(t, "kernel"), rollup.New("kernel")
	all := launches(t)
	b.Add(all[0])
	all[1].Kernel.Name = "c"
	b.Add(all[1])
	var out strings.Builder
	same, err := a.WriteAgainst(&out, b)
	require.NoError(t, err)
	require.False(t, same)
	lines := strings.Split(out.String(), "\n")
	require.Regexp(t, `^a .* 6 +2 +0\.333 +192 +64 +0\.333 +32\.00 +32\.00$`, lines[1])
	require.Regexp(t, `^b .* 3 +- +- +24 +- +- +8\.00 +-$`, lines[2])
	require.Regexp(t, `^c .* - +3 +- +- +24 +- +- +8\.00$`, lines[3])
	require.Regexp(t, `^total .* 9 +5 +0\.556 `, lines[4])

	same, err = a.WriteAgainst(&out, table(t, "kernel"))
	require.NoError(t, err)
	require.True(t, same)
}

func TestKernelTable(t *testing.T) {
	var k rollup.KernelTable
	run := &stats.Run{Policies: []string{"nvidia"}, Launches: launches(t)}
	k.Add("p|q", run)
	for _, l := range run.Launches {
		l.Kernel.Arch = tesla.SM12
	}
	k.Add("p|q", run)
	run.Policies = []string{"mimd"}
	for _, l := range run.Launches {
		l.Policy = "mimd"
		l.Kernel.Arch = tesla.SM13
	}
	k.Add("p|q", run)
	for _, l := range run.Launches {
		l.Kernel.Arch = tesla.SM12
		if l.Kernel.Name == "b" {
			l.Stats.ByInstruction[0].Issues++
		}
	}
	k.Add("p|q", run)
	var b strings.Builder
	require.NoError(t, k.WriteMarkdown(&b))
	require.Contains(t, b.String(), `| program | kernel | architecture | policy | static | launches | dynamic | issues | threads | active lanes |
|---|---|---|---|---:|---:|---:|---:|---:|---:|
| p\|q | a | sm_13, sm_12 | nvidia, mimd | 2 | 2 | 6 | 6 | 192 | 32.00 |
|  | b | sm_13, sm_12 | nvidia | 3 | 1 | 3 | 3 | 24 | 8.00 |
|  | b | sm_13 | mimd | 3 | 1 | 3 | 3 | 24 | 8.00 |
|  | b | sm_12 | mimd | 3 | 1 | 4 | 4 | 24 | 6.00 |

*dynamic*: issues without those of `, b.String())
}
