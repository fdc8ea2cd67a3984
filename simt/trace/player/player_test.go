package player

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/simt/trace"
	"jacquard/tesla"
)

// built is the tool, which all tests of a run share.
var built struct {
	once   sync.Once
	folder string
	err    error
}

func TestMain(m *testing.M) {
	status := m.Run()
	if built.folder != "" {
		os.RemoveAll(built.folder)
	}
	os.Exit(status)
}

// tool builds the tool and returns its path.
func tool(t testing.TB) string {
	t.Helper()
	built.once.Do(func() {
		if built.folder, built.err = os.MkdirTemp("", "player"); built.err != nil {
			return
		}
		if out, err := exec.Command("go", "build", "-o", built.folder, "../../../cmd/jacquard").CombinedOutput(); err != nil {
			built.err = errors.New(string(out))
		}
	})
	require.NoError(t, built.err)
	return filepath.Join(built.folder, "jacquard")
}

// recorded returns a trace of a kernel of testdata under a policy.
func recorded(t testing.TB, kernel, policy, options string) *trace.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), policy+".jqt")
	run := exec.Command(tool(t), "run", "--test", "../../../testdata/mesa-kernels/"+kernel, "--arch", "sm_13",
		"--policy", policy, "--trace", path+options)
	out, err := run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	f, err := trace.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

// written returns what a page's script gets.
func written(t testing.TB, most int, runs ...Run) (page string, data []run) {
	t.Helper()
	var out strings.Builder
	require.NoError(t, Write(&out, "a <title>", most, runs))
	m := regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`).FindStringSubmatch(out.String())
	require.NotNil(t, m)
	require.NoError(t, json.Unmarshal([]byte(m[1]), &data))
	return out.String(), data
}

// The page has each step of a trace, with lanes, state, values and cost.
func TestData(t *testing.T) {
	f := recorded(t, "reduce", "nvidia", ":values=all+state")
	page, data := written(t, 1_000_000, Run{f, &trace.Filter{}})
	require.True(t, strings.Contains(page, "<h1>a &lt;title&gt;</h1>"))
	require.False(t, strings.Contains(page, "://"), "nothing is fetched")
	require.Len(t, data, 1)
	r := data[0]
	require.Equal(t, "nvidia", r.Policy)
	require.False(t, r.More)
	at, values, notes := 0, 0, 0
	warps := map[string]*warp{}
	steps := map[string]int{}
	for _, w := range r.Warps {
		warps[w.Name] = w
		notes += len(w.Memory)
		for _, n := range w.Memory {
			if n < 0 {
				notes--
			}
		}
		values += len(w.Values)
	}
	for s, err := range f.Steps(&trace.Filter{}) {
		require.NoError(t, err)
		for k := range s.N {
			name := newWarp(f.Launches[0], [2]int{s.Block, int(s.Warp[k])}).Name
			w, i := warps[name], steps[name]
			steps[name]++
			require.EqualValues(t, s.Active[k], w.Active[i])
			require.EqualValues(t, s.Executed[k], w.Executed[i])
			require.EqualValues(t, s.Time, w.Time[i])
			require.Equal(t, s.Index, w.Index[i])
			require.Equal(t, s.States[k].Text(false, hex), strings.TrimPrefix(r.Texts[w.State[i]], "nothing"))
			at++
		}
	}
	require.EqualValues(t, f.Launches[0].Count, at)
	require.Greater(t, values, at/3)
	require.Greater(t, notes, 100)
	again, _ := written(t, 1_000_000, Run{f, &trace.Filter{}})
	require.True(t, page == again, "equal traces give equal bytes")
}

// Policies stand side by side, and steps beyond the limit are left out.
func TestSideBySide(t *testing.T) {
	a, b := recorded(t, "collatz", "nvidia", ""), recorded(t, "collatz", "dwf", ":values=state")
	_, data := written(t, 100, Run{a, &trace.Filter{}}, Run{b, &trace.Filter{Warps: []trace.Range{{First: 1, Last: 1}}}})
	require.Len(t, data, 2)
	require.True(t, data[0].More)
	require.Equal(t, data[0].Code, data[1].Code)
	steps := 0
	for _, w := range data[0].Warps {
		steps += len(w.Time)
		require.Equal(t, -1, w.State[0])
		require.Empty(t, w.Values)
	}
	require.LessOrEqual(t, steps, 100)
	require.Greater(t, steps, 100-lane.MaxWarps)
	require.Len(t, data[1].Warps, 1)
	require.Equal(t, "block (0,0), warp 1", data[1].Warps[0].Name)
	mixed := recorded(t, "collatz", "dwf", ":values=state")
	_, data = written(t, 100, Run{mixed, &trace.Filter{}})
	require.Contains(t, data[0].Texts[data[0].Warps[0].State[0]], "w1:", "of the whole block")
}

func TestErrors(t *testing.T) {
	f := recorded(t, "vecadd", "nvidia", "")
	one := Run{f, &trace.Filter{}}
	for name, write := range map[string]func() error{
		"no run":   func() error { return Write(&strings.Builder{}, "", 1, nil) },
		"too many": func() error { return Write(&strings.Builder{}, "", 1, []Run{one, one, one, one, one}) },
		"no step":  func() error { return Write(&strings.Builder{}, "", 0, []Run{one}) },
		"no launch": func() error {
			return Write(&strings.Builder{}, "", 1, []Run{{f, &trace.Filter{Kernels: []string{"x"}}}})
		},
	} {
		require.Error(t, write(), name)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	require.Error(t, Write(full, "", 1, []Run{one}))
}

// Costs are told in words, by the rule of the architecture.
func TestAccess(t *testing.T) {
	load := &tesla.Instruction{Op: tesla.OpLdGlobal, Type: tesla.B32}
	var straight, strided, same lane.Row
	for l := range lane.Width {
		straight[l], strided[l], same[l] = 0x1000+uint32(4*l), 0x2000+uint32(64*l), 0x40
	}
	require.Equal(t, "lanes 0 to 15: 1 transaction (1 of 64 bytes); segments of 128 bytes at 0x1000; rule: one per segment that lanes touch, halved while one half of it is used\n"+
		"lanes 16 to 31: 1 transaction (1 of 64 bytes); segments of 128 bytes at 0x1000; rule: one per segment that lanes touch, halved while one half of it is used",
		access(load, tesla.SM13, &straight, lane.All))
	require.Contains(t, access(load, tesla.SM10, &strided, 0xffff),
		"lanes 0 to 15: 16 transactions (16 of 32 bytes); segments of 64 bytes at 0x2000, 0x2040, 0x2080, 0x20c0, 0x2100, 0x2140, 0x2180, 0x21c0 and 8 more; rule: one for the half-warp")
	store := &tesla.Instruction{Op: tesla.OpStShared, Type: tesla.B32}
	require.Equal(t, "lanes 16 to 31: 16 steps: bank 0 has 16 words", access(store, tesla.SM13, &strided, 0xffff0000))
	require.Equal(t, "lanes 0 to 15: 1 step: no bank has two words", access(store, tesla.SM13, &same, 0xffff))
	require.Empty(t, access(&tesla.Instruction{Op: tesla.OpAtom, Type: tesla.B32}, tesla.SM13, &same, 1))
	require.Empty(t, access(load, tesla.SM13, &same, 0))
}
