package kernels

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
)

// entry is one kernel of testdata/corpus/corpus.json; README.md there describes the format.
type entry struct {
	Name   string  `json:"name"`
	File   string  `json:"file"`
	Kernel string  `json:"kernel"`
	Does   string  `json:"does"`
	Block  [3]int  `json:"block"`
	Grid   [2]int  `json:"grid"`
	Issues uint64  `json:"issues"`
	Params []param `json:"params"`
	Runs   []run   `json:"runs"`
}

type param struct {
	Name   string `json:"name"`
	Offset int    `json:"offset"`
	Words  int    `json:"words"`
	Buffer bool   `json:"buffer"`
}

type run struct {
	Give map[string]string `json:"give"`
	End  string            `json:"end"`
	PC   uint32            `json:"pc"`
}

// faults maps the expected ends of faulting runs to faults.
var faults = map[string]simt.FaultKind{
	"misaligned":   simt.FaultMisaligned,
	"out of range": simt.FaultIllegalAddress,
	"endless":      simt.FaultLivelock,
}

func loadCorpus(t *testing.T) []entry {
	t.Helper()
	f, err := os.Open("../../../testdata/corpus/corpus.json")
	require.NoError(t, err)
	defer f.Close()
	d := json.NewDecoder(f)
	d.DisallowUnknownFields()
	var entries []entry
	require.NoError(t, d.Decode(&entries))
	return entries
}

// words returns the words that the run gives, by name.
func (r *run) words(t *testing.T) map[string][]uint32 {
	t.Helper()
	given := map[string][]uint32{}
	for name, text := range r.Give {
		for _, s := range strings.Fields(text) {
			w, err := strconv.ParseUint(s, 16, 32)
			require.NoError(t, err)
			given[name] = append(given[name], uint32(w))
		}
	}
	return given
}

// TestCorpusTable checks, without the corpus, that the table is complete, in order, and has a
// reference for every run without a fault.
func TestCorpusTable(t *testing.T) {
	entries := loadCorpus(t)
	require.True(t, slices.IsSortedFunc(entries, func(a, b entry) int { return strings.Compare(a.Name, b.Name) }))
	names, files := map[string]bool{}, map[string]bool{}
	for _, e := range entries {
		require.False(t, names[e.Name], e.Name)
		names[e.Name], files[e.File] = true, true
		require.NotEmpty(t, e.Does, e.Name)
		require.NotEmpty(t, e.Runs, e.Name)
		endsWell := false
		for _, r := range e.Runs {
			require.True(t, r.End == "" || faults[r.End] != 0, "%s ends %q", e.Name, r.End)
			endsWell = endsWell || r.End == ""
		}
		_, known := references[e.Name]
		require.Equal(t, endsWell && !onlyEnds[e.Name], known, "reference of %s", e.Name)
	}
	require.Len(t, files, 57)
	for name := range maps.Keys(references) {
		require.True(t, names[name], "reference of %s", name)
	}
}
