package player

import (
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
)

// readRun is a run as a page has it.
type readRun struct {
	head
	warps map[[2]int]*readWarp // by block and number
}

type readWarp struct {
	lanes, sum, change int
	steps              []readStep
	pieces, changes    int
	known              int // registers at the starts of pieces
}

type readStep struct {
	active, executed lane.Mask
	vetoed           bool
	time             uint64
	index            int
	state, memory    string
	values           map[string]lane.Row
}

// reader reads numbers and words. It fails the test at the end of its bytes.
type reader struct {
	t    testing.TB
	data []byte
}

func (r *reader) take(n int) []byte {
	r.t.Helper()
	require.LessOrEqual(r.t, n, len(r.data))
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

func (r *reader) number() int {
	r.t.Helper()
	v, n := binary.Uvarint(r.data)
	require.Positive(r.t, n)
	r.take(n)
	return int(v)
}

func (r *reader) word() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }

func (r *reader) row(m lane.Mask) (row lane.Row) {
	var base, stride uint32
	kind := r.take(1)[0]
	switch kind {
	case rowUniform:
		base = r.word()
	case rowAffine:
		base, stride = r.word(), r.word()
	}
	for l := range lane.Width {
		switch {
		case m>>l&1 == 0:
		case kind == rowWords:
			row[l] = r.word()
		default:
			row[l] = base + uint32(l)*stride
		}
	}
	return row
}

// elementOf returns the text of an element of a page.
func elementOf(t testing.TB, page, id string) string {
	t.Helper()
	m := regexp.MustCompile(`<script type="[^"]*" id="` + id + `">([^<]*)</script>`).FindStringSubmatch(page)
	require.NotNil(t, m, id)
	return m[1]
}

func inflate(t testing.TB, page, id string) []byte {
	t.Helper()
	data, err := io.ReadAll(flate.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(elementOf(t, page, id)))))
	require.NoError(t, err)
	return data
}

// readPage reads the runs of the only play of a page.
func readPage(t testing.TB, page string) (all []*readRun) {
	t.Helper()
	var plays []contents
	require.NoError(t, json.Unmarshal([]byte(elementOf(t, page, "plays")), &plays))
	require.Len(t, plays, 1)
	for _, id := range plays[0].Runs {
		run := &readRun{warps: map[[2]int]*readWarp{}}
		require.NoError(t, json.Unmarshal([]byte(elementOf(t, page, id+"-head")), &run.head))
		index := &reader{t, inflate(t, page, id+"-index")}
		chunks := map[int][]byte{}
		steps := 0
		for block := 0; len(index.data) > 0; {
			block += index.number()
			at := [2]int{block, index.number()}
			w := &readWarp{lanes: index.number()}
			run.warps[at] = w
			count := index.number()
			w.sum, w.change, w.pieces = index.number(), index.number()-1, index.number()
			time := 0
			for chunk, i := 0, 0; i < w.pieces; i++ {
				chunk += index.number()
				if chunks[chunk] == nil {
					chunks[chunk] = inflate(t, page, id+"-"+string(rune('0'+chunk)))
				}
				offset := index.number()
				first := len(w.steps)
				w.piece(&reader{t, chunks[chunk][offset:]}, index.number(), run.Names)
				time += index.number()
				require.EqualValues(t, w.steps[first].time, time)
			}
			require.Len(t, w.steps, count)
			steps += count
			w.overview(index)
		}
		require.Equal(t, run.Steps, steps)
		require.Len(t, chunks, run.Chunks)
		all = append(all, run)
	}
	return all
}

// piece reads a piece.
func (w *readWarp) piece(r *reader, steps int, names []string) {
	r.word()
	for n := r.number(); n > 0; n-- {
		w.known++
		require.Less(r.t, r.number(), len(names))
		require.Less(r.t, r.number(), len(w.steps))
		r.row(lane.Mask(r.word()))
	}
	from := len(w.steps)
	var states, notes []int
	for i := range steps {
		var s, before readStep
		state := -1
		if i > 0 {
			before = w.steps[len(w.steps)-1]
			state = states[i-1]
		}
		flags := int(r.take(1)[0])
		without := func(flag int) bool { return flags&flag == 0 }
		if s.active = before.active; without(sameActive) {
			s.active = lane.Mask(r.word())
		}
		if s.executed = s.active; without(sameExecuted) {
			s.executed = lane.Mask(r.word())
		}
		s.vetoed = !without(isVetoed)
		if s.time = before.time + 1; without(nextTime) {
			s.time = before.time + uint64(r.number())
		}
		if s.index = before.index + 1; without(nextIndex) {
			s.index = r.number()
		}
		if without(sameState) {
			state = r.number() - 1
		}
		note := -1
		if !without(hasMemory) {
			note = r.number()
		}
		states, notes = append(states, state), append(notes, note)
		if !without(hasValues) {
			s.values = map[string]lane.Row{}
			for n := r.number(); n > 0; n-- {
				name := names[r.number()]
				s.values[name] = r.row(s.executed)
			}
		}
		w.steps = append(w.steps, s)
	}
	var texts []string
	require.NoError(r.t, json.Unmarshal(r.take(r.number()), &texts))
	for i := range steps {
		if states[i] >= 0 {
			w.steps[from+i].state = texts[states[i]]
		}
		if notes[i] >= 0 {
			w.steps[from+i].memory = texts[notes[i]]
		}
	}
}

// overview checks the index of a long warp's pieces against their steps.
func (w *readWarp) overview(index *reader) {
	t := index.t
	o := &reader{t, index.take(index.number())}
	if w.pieces == 1 {
		require.Empty(t, o.data)
		return
	}
	sum := 0
	for from := 0; len(o.data) > 0; {
		sum += o.number()
		w.changes += o.number()
		steps := w.steps[from:min(from+pieceSteps, len(w.steps))]
		for l := range lane.Width {
			first := -1
			for _, s := range steps {
				if s.active>>l&1 != 0 {
					first = s.index
					break
				}
			}
			require.Equal(t, first, o.number()-1)
		}
		want, got := map[int]int{}, map[int]int{}
		for _, s := range steps {
			want[s.index]++
		}
		at := 0
		for n := o.number(); n > 0; n-- {
			at += o.number()
			got[at] = o.number()
		}
		require.Equal(t, want, got)
		for bin := 0; bin < len(steps); bin += binSteps {
			lanes := o.take(lane.Width)
			for l := range lanes {
				n := 0
				for _, s := range steps[bin:min(bin+binSteps, len(steps))] {
					n += int(s.active >> l & 1)
				}
				require.EqualValues(t, n, lanes[l])
			}
		}
		from += len(steps)
	}
	require.Equal(t, w.sum, sum)
}
