package mirror

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/board/otherdriver"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

// The other driver's first device stands for a device without a match.
func TestDevice(t *testing.T) {
	m := &Mirror{devices: []otherdriver.Device{{Name: "first"}, {Name: "second"}}}
	for ours, want := range map[driver.Device]string{0: "first", 1: "second", 2: "first", 3: "first"} {
		require.Equal(t, want, m.device(ours).Name, ours)
	}
}

func TestRelease(t *testing.T) {
	for version, want := range map[int]string{4000: "4.0", 6050: "6.5", 10020: "10.2", 12080: "12.8"} {
		require.Equal(t, want, release(version))
	}
}

// A difference is printed, kept, and written to the report at once, because the program may not
// reach its end.
func TestDiffer(t *testing.T) {
	var out bytes.Buffer
	path := filepath.Join(t.TempDir(), "r.jsonl")
	m := &Mirror{out: &out, options: knobs.Crosscheck{Report: path}}
	require.False(t, m.found())
	m.report.Launches, m.report.Compared = 3, 2
	m.differ(&Difference{Launch: 3, First: 3, Kernel: "k", Grid: [2]int{1, 1}, Block: [3]int{1, 1, 1}, ResultHere: "A", ResultThere: "B", Message: "why"})
	require.True(t, m.found())
	require.Equal(t, "jacquard: crosscheck: DIFFERENCE at launch 3, kernel k, grid 1x1, block 1x1x1: here A, there B\njacquard: crosscheck:   why\n", out.String())
	m.End()
	require.Contains(t, out.String(), "crosscheck: a difference; 2 of 3 launches ran on both, 0 bytes compared\n")

	data, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	require.Len(t, lines, 2)
	for i, ended := range []bool{false, true} {
		var r Report
		require.NoError(t, json.Unmarshal([]byte(lines[i]), &r))
		require.Equal(t, "k", r.Difference.Kernel)
		require.Equal(t, ended, r.Ended)
	}
}

// A note is printed once, and is in the report.
func TestNotes(t *testing.T) {
	var out bytes.Buffer
	m := &Mirror{out: &out}
	for range 2 {
		m.note("%d surfaces", 1)
	}
	m.note("%d surfaces", 2)
	require.Equal(t, []string{"1 surfaces", "2 surfaces"}, m.report.Notes)
	require.Equal(t, "jacquard: crosscheck: 1 surfaces\njacquard: crosscheck: 2 surfaces\n", out.String())
}

func TestSummary(t *testing.T) {
	r := Report{Launches: 5, Skipped: map[string]int{"no PTX": 2, "a texture": 1}}
	require.Equal(t, []string{"nothing was compared; 0 of 5 launches ran on both, 0 bytes compared", "  1 not compared: a texture", "  2 not compared: no PTX"}, r.lines())
	r = Report{Launches: 5, Compared: 5, Bytes: 64, Pointers: 3}
	require.Equal(t, []string{"no difference; 5 of 5 launches ran on both, 64 bytes compared, 3 words of addresses that mean the same"}, r.lines())
}
