package check

import (
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func at(pc uint32) Site { return Site{Role: "read", Device: &Point{PC: pc, Text: "nop"}} }

// Alike findings become one, with the example of the lowest launch. The order of adding does not
// show.
func TestFindings(t *testing.T) {
	race := Finding{Kind: KindRace, What: "read-write", Space: "shared", Level: Error, Kernel: "k", Launch: 3, Count: 2, Text: "third", At: at(0x10), With: []Site{at(0x20)}}
	earlier, other, place, memory := race, race, race, race
	earlier.Launch, earlier.Text = 1, "first"
	other.With = []Site{at(0x28)}
	place.At = at(8)
	memory.Kind, memory.What, memory.With = KindMemory, "null", nil
	host := Finding{Kind: KindLeak, What: "device", Level: Error, Launch: -1, Count: 1, At: Site{Call: "cudaMalloc", Stack: []Frame{{File: "a.cu", Line: 3}}}}
	var want []Finding
	for _, order := range [][]Finding{{race, earlier, other, place, memory, host}, {host, memory, place, other, earlier, race}} {
		var l Findings
		for _, f := range order {
			l.Add(f)
		}
		list := l.List()
		if want == nil {
			want = list
		}
		require.Equal(t, want, list)
	}
	earlier.Count = 4
	require.Equal(t, []Finding{earlier, memory, place, other, host}, want)
}

func TestFindingsOfSeveral(t *testing.T) {
	var l Findings
	var wait sync.WaitGroup
	for g := range 4 {
		wait.Go(func() {
			for i := range 100 {
				l.Add(Finding{Kind: KindInit, Launch: g, Count: 1, At: at(uint32(i % 10))})
			}
		})
	}
	wait.Wait()
	list := l.List()
	require.Len(t, list, 10)
	for _, f := range list {
		require.EqualValues(t, 40, f.Count)
		require.Zero(t, f.Launch)
	}
}

func TestSet(t *testing.T) {
	for text, want := range map[string][]Kind{
		"off": nil, "all": Kinds(), "race": {KindRace}, "leak,memory": {KindMemory, KindLeak}, "off,api": {KindAPI},
	} {
		s, err := ParseSet(text)
		require.NoError(t, err)
		require.Equal(t, SetOf(want...), s)
		require.Equal(t, len(want), len(s.Kinds()))
		for _, k := range Kinds() {
			require.Equal(t, slices.Contains(want, k), s.Has(k))
		}
		again, err := ParseSet(s.String())
		require.NoError(t, err)
		require.Equal(t, s, again)
	}
	_, err := ParseSet("races")
	require.EqualError(t, err, `unknown kind "races"`)
}

// A finding survives JSON.
func TestJSON(t *testing.T) {
	addr, value := uint32(0x40), uint64(7)
	f := Finding{Kind: KindRace, Level: Note, Launch: -1, Count: 1, At: Site{Role: "write", Addr: &addr, Value: &value, Size: 4,
		Where: []Thread{{Block: [2]int{1, 2}, Warp: 3, Lanes: 0xffff0000}}}}
	data, err := json.Marshal(f)
	require.NoError(t, err)
	var back Finding
	require.NoError(t, json.Unmarshal(data, &back))
	require.Equal(t, f, back)
	require.ErrorContains(t, json.Unmarshal([]byte(`{"level":"worse"}`), &back), `unknown level "worse": want note or error`)
}
