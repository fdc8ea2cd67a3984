package player

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/trace"
	"jacquard/simt/lane"
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
		if out, err := exec.Command("go", "build", "-o", built.folder, "../../cmd/jacquard").CombinedOutput(); err != nil {
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
	run := exec.Command(tool(t), "run", "--test", "../../testdata/mesa-kernels/"+kernel, "--arch", "sm_13",
		"--policy", policy, "--trace", path+options)
	out, err := run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	f, err := trace.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

// written returns a page, and what its script gets.
func written(t testing.TB, most int, runs ...Run) (page string, data []*readRun) {
	t.Helper()
	var out strings.Builder
	require.NoError(t, Write(&out, "a <title>", most, runs))
	return out.String(), readPage(t, out.String())
}

// The page has each step of a trace, with lanes, state, values and cost.
func TestData(t *testing.T) {
	for _, c := range []struct {
		kernel, policy string
		pieces         int // of the first warp
	}{{"reduce", "nvidia", 1}, {"nested", "nvidia", 2}, {"collatz", "dwf", 1}} {
		t.Run(c.kernel, func(t *testing.T) {
			f := recorded(t, c.kernel, c.policy, ":values=all+state")
			page, data := written(t, 1_000_000, Run{f, &trace.Filter{}})
			require.True(t, strings.Contains(page, "<h1>a &lt;title&gt;</h1>"))
			require.False(t, strings.Contains(page, "://"), "nothing is fetched")
			require.Len(t, data, 1)
			r := data[0]
			require.Equal(t, c.policy, r.Policy)
			require.False(t, r.More)
			require.Equal(t, c.pieces, r.warps[[2]int{}].pieces)
			steps := map[[2]int]int{}
			values, notes, changes := 0, 0, map[[2]int]int{}
			for s, err := range f.Steps(&trace.Filter{}) {
				require.NoError(t, err)
				for k := range s.N {
					at := [2]int{s.Block, int(s.Warp[k])}
					w, i := r.warps[at], steps[at]
					got := &w.steps[i]
					if i > 0 && w.steps[i-1].active != s.Active[k] {
						if changes[at] == 0 {
							require.Equal(t, i, w.change)
						}
						changes[at]++
					}
					steps[at]++
					require.Equal(t, s.Active[k], got.active)
					require.Equal(t, s.Executed[k], got.executed)
					require.Equal(t, s.Time, got.time)
					require.Equal(t, s.Index, got.index)
					require.Equal(t, s.Vetoed>>s.Warp[k]&1 != 0, got.vetoed)
					state := s.States[min(k, len(s.States)-1)].Text(s.Mixed, hex)
					require.Equal(t, state, strings.TrimPrefix(got.state, "nothing"))
					for i := range s.Values {
						v := &s.Values[i]
						if v.Warp != int(s.Warp[k]) {
							continue
						}
						values++
						require.Equal(t, v.Row, got.values[v.Name()])
						if cost := access(&f.Launches[0].Kernel.Code[s.Index], tesla.SM13, &v.Row, v.Lanes); v.Kind == trace.Address && cost != nil {
							notes++
							require.Equal(t, marshal(cost), got.memory)
						}
					}
				}
			}
			for at, w := range r.warps {
				require.Len(t, w.steps, steps[at])
				if w.pieces > 1 {
					require.Equal(t, changes[at], w.changes)
					require.Positive(t, w.known)
				}
			}
			require.Greater(t, values, 1000)
			require.Greater(t, notes, 5)
			again, _ := written(t, 1_000_000, Run{f, &trace.Filter{}})
			require.True(t, page == again, "equal traces give equal bytes")
		})
	}
}

// Policies stand side by side, and steps beyond the limit are left out.
func TestSideBySide(t *testing.T) {
	a, b := recorded(t, "collatz", "nvidia", ""), recorded(t, "collatz", "dwf", ":values=state")
	_, data := written(t, 100, Run{a, &trace.Filter{}}, Run{b, &trace.Filter{Warps: []trace.Range{{First: 1, Last: 1}}}})
	require.Len(t, data, 2)
	require.True(t, data[0].More)
	require.Equal(t, data[0].Code, data[1].Code)
	require.Contains(t, data[0].Flow, "<svg")
	require.Empty(t, data[1].Flow, "it is that of the first run")
	require.LessOrEqual(t, data[0].Steps, 100)
	require.Greater(t, data[0].Steps, 100-lane.MaxWarps)
	for _, w := range data[0].warps {
		require.Empty(t, w.steps[0].state)
		require.Empty(t, w.steps[0].values)
	}
	require.Len(t, data[1].warps, 1)
	require.NotNil(t, data[1].warps[[2]int{0, 1}])
	mixed := recorded(t, "collatz", "dwf", ":values=state")
	_, data = written(t, 100, Run{mixed, &trace.Filter{}})
	require.Contains(t, data[0].warps[[2]int{}].steps[0].state, "w1:", "of the whole block")
}

// An instruction names its guard, and the registers that it reads besides.
func TestCode(t *testing.T) {
	h := newHead(recorded(t, "nested", "nvidia", "").Launches[0])
	find := func(pc string) line {
		at := slices.IndexFunc(h.Code, func(l line) bool { return l.PC == pc })
		require.GreaterOrEqual(t, at, 0)
		return h.Code[at]
	}
	require.Equal(t, line{PC: "00c0", Text: "(e $c0) bra 0x140", Guard: "(e $c0)", Decides: true}, find("00c0"))
	require.Equal(t, line{PC: "0140", Text: "and b32 $r2 $r7 0x2", Reads: []string{"$r7"}}, find("0140"))
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

// The cost of an access follows the architecture's rule, with the transactions and banks.
func TestAccess(t *testing.T) {
	load := &tesla.Instruction{Op: tesla.OpLdGlobal, Type: tesla.B32}
	var straight, strided, same lane.Row
	for l := range lane.Width {
		straight[l], strided[l], same[l] = 0x1000+uint32(4*l), 0x2000+uint32(64*l), 0x40
	}
	require.Equal(t, &cost{4, ruleNew, []half{
		{First: 0, Cost: "1 transaction; 64 of 64 bytes are wanted", Fetch: []fetch{{0x1000, 64}}},
		{First: 16, Cost: "1 transaction; 64 of 64 bytes are wanted", Fetch: []fetch{{0x1040, 64}}},
	}}, access(load, tesla.SM13, &straight, lane.All))
	old := access(load, tesla.SM10, &strided, 0xffff)
	require.Equal(t, ruleOld, old.Rule)
	require.Equal(t, "16 transactions; 64 of 512 bytes are wanted", old.Halves[0].Cost)
	require.Equal(t, fetch{0x2040, 32}, old.Halves[0].Fetch[1])
	store := &tesla.Instruction{Op: tesla.OpStShared, Type: tesla.B32}
	collide := access(store, tesla.SM13, &strided, 0xffff0000).Halves
	require.Len(t, collide, 1)
	require.Equal(t, "16 steps; bank 0 serves 16 times", collide[0].Cost)
	require.Equal(t, 16, collide[0].First)
	require.Len(t, collide[0].Bank[0].Words, 16)
	require.Equal(t, []half{{First: 0, Cost: "1 step; no bank collides", Bank: []bank{{0, 1, []uint32{0x40}}}}}, access(store, tesla.SM13, &same, 0xffff).Halves)
	require.Nil(t, access(&tesla.Instruction{Op: tesla.OpAtom, Type: tesla.B32}, tesla.SM13, &same, 1))
	require.Nil(t, access(load, tesla.SM13, &same, 0))
}

// One word of another bank is broadcast in the second step; elements of 8 bytes want two words.
func TestBanks(t *testing.T) {
	store := &tesla.Instruction{Op: tesla.OpStShared, Type: tesla.B32}
	var addr lane.Row
	for l := range addr {
		addr[l] = 0x14 // bank 5
	}
	addr[0] = 0
	require.Equal(t, []half{{First: 0, Cost: "2 steps; bank 5 serves 2 times", Bank: []bank{{0, 1, []uint32{0}}, {5, 2, []uint32{0x14}}}}},
		access(store, tesla.SM13, &addr, 0xffff).Halves)
	for l := range addr {
		addr[l] = uint32(8 * l)
	}
	wide := access(&tesla.Instruction{Op: tesla.OpStShared, Type: tesla.B64}, tesla.SM13, &addr, 0xffff).Halves[0]
	require.Equal(t, "4 steps; banks 0, 2, 4, 6, 8, 10, 12, 14 serve 2 times each", wide.Cost)
	require.Len(t, wide.Bank, 16)
}
