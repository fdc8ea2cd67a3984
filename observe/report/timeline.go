package report

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"html/template"
	"io"
	"math/bits"
	"slices"
	"strings"

	"jacquard/observe/player"
	"jacquard/observe/trace"
	"jacquard/simt"
	"jacquard/simt/lane"
)

// Timeline shows when warps issued, and with how many lanes, from a trace of the run.
type Timeline struct {
	Maps []laneMap
	All  int // launches of the report's kernels in the trace

	file *trace.File
}

// Limits of a timeline, so that a browser can show it.
const (
	mostMaps    = 12
	mostWarps   = 64
	mostColumns = 4096    // that a reader can zoom to
	mostDrawn   = 320     // columns of the whole
	mostIssues  = 1 << 26 // read per launch
	mostPlayed  = 1_000_000
)

// laneMap is one launch: one row per warp, one column per number of rounds.
type laneMap struct {
	Launch, Blocks int
	Kernel, Shape  string
	KernelID       string // of its view
	Warps          int    // per block
	Lanes          int    // of a warp
	Columns        uint64 // rounds per column of the data
	Rounds         uint64 // rounds per column of the picture
	End            uint64 // after the last round
	Shown          int    // blocks
	Cut            bool   // the launch has more blocks or issues than were read
	SVG            template.HTML

	data []byte // zoomed into by the script
}

// Title names the launch.
func (m *laneMap) Title() string { return fmt.Sprintf("Launch %d: %s", m.Launch, m.Kernel) }

// AddTrace adds a timeline and a player from a trace of the run, with the launches of the report's
// kernels. The trace must stay open until the page is written. A trace without such launches is an
// error; a trace of another run is an *OtherRunError.
func (r *Report) AddTrace(f *trace.File) error {
	if err := r.sameRun(f); err != nil {
		return err
	}
	var launches []*trace.Launch
	for _, l := range f.Launches {
		if r.has(l.Kernel.Name) {
			launches = append(launches, l)
		}
	}
	if len(launches) == 0 {
		return errors.New("the trace has no launch of a kernel that the report is about")
	}
	t := &Timeline{All: len(launches), file: f}
	slices.SortStableFunc(launches, func(a, b *trace.Launch) int { return cmp.Compare(b.Count, a.Count) })
	launches = launches[:min(len(launches), mostMaps)]
	slices.SortFunc(launches, func(a, b *trace.Launch) int { return a.Number - b.Number })
	for _, l := range launches {
		m, err := mapLanes(f, l)
		if err != nil {
			return err
		}
		if m != nil {
			if k := r.kernelOf(l.Kernel); k != nil { // damaged statistics may lack it
				m.KernelID = k.ID()
			}
			t.Maps = append(t.Maps, *m)
		}
	}
	r.Timeline = t
	return nil
}

// mapLanes draws the first blocks of a launch; nil if none of their issues were recorded.
func mapLanes(f *trace.File, l *trace.Launch) (*laneMap, error) {
	warps := (l.Block[0]*l.Block[1]*l.Block[2] + lane.Width - 1) / lane.Width
	if warps < 1 || l.Grid[0]*l.Grid[1] < 1 {
		return nil, nil
	}
	if f.MostWork == 0 || f.MostWork > mostIssues {
		f.MostWork = mostIssues
	}
	cut := false
	blocks := min(l.Grid[0]*l.Grid[1], max(1, mostWarps/warps))
	d := &binned{lanes: cmp.Or(simt.WarpLanes(l.Policy), lane.Width), rounds: 1, most: mostColumns, rows: make([][]bin, blocks*warps)}
	only := &trace.Filter{
		Launches: []trace.Range{{First: uint64(l.Number), Last: uint64(l.Number)}},
		Blocks:   []trace.Range{{First: 0, Last: uint64(blocks - 1)}},
	}
	for s, err := range f.Steps(only) {
		if cut = errors.As(err, new(*trace.LimitError)); cut {
			break
		}
		if err != nil {
			return nil, err
		}
		for k := range s.N {
			if s.Block >= blocks || int(s.Warp[k]) >= warps {
				continue
			}
			d.issue(s.Block*warps+int(s.Warp[k]), s.Time, s.Index, bits.OnesCount32(uint32(s.Active[k])))
		}
	}
	if d.end == 0 {
		return nil, nil
	}
	m := &laneMap{
		Launch: l.Number, Kernel: l.Kernel.Name, Blocks: l.Grid[0] * l.Grid[1], Shown: blocks, Cut: cut,
		Shape:   "grid " + shape(l.Grid[0], l.Grid[1]) + ", block " + shape(l.Block[0], l.Block[1], l.Block[2]),
		Columns: d.rounds, End: d.end, Warps: warps, Lanes: d.lanes, data: d.bytes(),
	}
	for d.most = mostDrawn; (d.end-1)/d.rounds >= uint64(d.most); {
		d.widen()
	}
	m.Rounds, m.SVG = d.rounds, d.draw(warps, fmt.Sprintf("Active lanes over time in launch %d of %s", l.Number, l.Kernel.Name))
	return m, nil
}

// bin is one warp in one column.
type bin struct {
	issues, lanes uint64
	index         int // the instruction of the first issue
}

// add adds a later bin.
func (b *bin) add(o bin) {
	if b.issues == 0 {
		b.index = o.index
	}
	b.issues += o.issues
	b.lanes += o.lanes
}

// binned sums up issues by warp and column. Columns widen until all rounds fit.
type binned struct {
	lanes  int    // of a warp
	rounds uint64 // per column
	most   int    // columns
	end    uint64
	rows   [][]bin
}

// bytes returns the columns for the script: for each warp the number of its columns, and for each of
// them issues and, if there are any, the sum of lanes and the instruction.
func (d *binned) bytes() (b []byte) {
	for _, row := range d.rows {
		b = binary.AppendUvarint(b, uint64(len(row)))
		for _, c := range row {
			if b = binary.AppendUvarint(b, c.issues); c.issues > 0 {
				b = binary.AppendUvarint(b, c.lanes)
				b = binary.AppendUvarint(b, uint64(c.index))
			}
		}
	}
	return b
}

// issue adds an issue of a warp.
func (d *binned) issue(row int, time uint64, index, lanes int) {
	for time/d.rounds >= uint64(d.most) {
		d.widen()
	}
	at := int(time / d.rounds)
	for len(d.rows[row]) <= at {
		d.rows[row] = append(d.rows[row], bin{})
	}
	d.rows[row][at].add(bin{1, uint64(lanes), index})
	d.end = max(d.end, time+1)
}

// widen merges every two columns.
func (d *binned) widen() {
	d.rounds *= 2
	for r, row := range d.rows {
		half := row[:0]
		for i := 0; i < len(row); i += 2 {
			b := row[i]
			if i+1 < len(row) {
				b.add(row[i+1])
			}
			half = append(half, b)
		}
		d.rows[r] = half
	}
}

// level is the colour of a bin: by the share of a warp's lanes that are active on average, -1 without
// issues.
func (b bin) level(lanes int) int {
	if b.issues == 0 {
		return -1
	}
	return max(level(ratio(b.lanes, b.issues), float64(lanes)), 0)
}

// draw draws the picture, with that many warps per block.
func (d *binned) draw(warps int, label string) template.HTML {
	const (
		left, wide = 72, 960
		gap        = 4 // between blocks
	)
	thick := 10
	if len(d.rows) > mostWarps/2 {
		thick = 6
	}
	cell := float64(wide) / float64((d.end+d.rounds-1)/d.rounds)
	var paths [levels]strings.Builder
	var texts strings.Builder
	y := 0
	for r, row := range d.rows {
		if r%warps == 0 {
			if r > 0 {
				y += gap
			}
			fmt.Fprintf(&texts, `<text x="%d" y="%d" text-anchor="end">block %d</text>`, left-8, y+thick/2+4, r/warps)
		}
		for from := 0; from < len(row); {
			to := from + 1
			for to < len(row) && row[to].level(d.lanes) == row[from].level(d.lanes) {
				to++
			}
			if l := row[from].level(d.lanes); l >= 0 {
				fmt.Fprintf(&paths[l], "M%.1f %dh%.1f", left+cell*float64(from), y+thick/2, cell*float64(to-from))
			}
			from = to
		}
		y += thick
	}
	var s strings.Builder
	fmt.Fprintf(&s, `<svg class="lane-map" viewBox="0 0 %d %d" role="img" aria-label="%s" data-left="%d" data-wide="%d" data-thick="%d" data-gap="%d">`, left+wide, y+18, template.HTMLEscapeString(label), left, wide, thick, gap)
	for l := range paths {
		if paths[l].Len() > 0 {
			fmt.Fprintf(&s, `<path class="r%d" stroke-width="%d" d="%s"/>`, l, thick-1, &paths[l])
		}
	}
	s.WriteString(texts.String())
	fmt.Fprintf(&s, `<text class="from" x="%d" y="%d">0</text><text class="to" x="%d" y="%[2]d" text-anchor="end">%[4]s rounds</text></svg>`, left, y+13, left+wide, count(d.end))
	return template.HTML(s.String())
}

// Played reports whether the page has a timeline to touch, and a player.
func (r *Report) Played() bool { return r.Timeline != nil && len(r.Timeline.Maps) > 0 }

// write writes the data of the pictures, and of the player: a play for each launch that has a picture.
func (t *Timeline) write(w io.Writer) error {
	var plays []player.Play
	for i := range t.Maps {
		m := &t.Maps[i]
		if err := player.WriteBytes(w, fmt.Sprintf("timeline-%d", i), m.data); err != nil {
			return err
		}
		only := &trace.Filter{Launches: []trace.Range{{First: uint64(m.Launch), Last: uint64(m.Launch)}}}
		plays = append(plays, player.Play{Title: m.Title(), Runs: []player.Run{{File: t.file, Filter: only}}})
	}
	return player.WriteData(w, mostPlayed, plays)
}
