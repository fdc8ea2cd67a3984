package player

import (
	"errors"
	"fmt"
	"html/template"
	"io"
	"math/bits"
	"slices"

	"jacquard/observe/findings"
	"jacquard/observe/flowchart"
	"jacquard/observe/trace"
	"jacquard/simt/check"
)

const (
	mostPlays   = 12        // launches on a page of findings
	mostVisited = 200_000   // steps of each
	mostSearch  = 1_000_000 // steps of each that are searched for places
)

// OfFindings returns a player for a page of findings: it plays the blocks of a trace in which they
// are, and knows the step of each place. It is nil if the trace has none of them. The trace must stay
// open until the page is written.
func OfFindings(f *trace.File, r *findings.Report) (*findings.Player, error) {
	v := visits{at: map[visited]visit{}}
	for _, n := range v.launches(r) {
		l := f.Launch(n)
		if l == nil || len(v.plays) == mostPlays {
			continue
		}
		if err := v.search(f, l, r); err != nil {
			return nil, err
		}
	}
	if len(v.plays) == 0 {
		return nil, nil
	}
	script := Bytes() + Script() + asset("findings.js")
	return &findings.Player{
		Style: template.CSS(flowchart.InlineStyle) + Style(), Markup: Markup(), Script: template.JS(script), Policy: HashOf(script),
		Data: func(w io.Writer) error { return WriteData(w, mostVisited, v.plays) },
		Visit: func(f *check.Finding, s *check.Site) string {
			if at, ok := v.of(f.Launch, s); ok {
				return fmt.Sprint(at.play, at.block, at.warp, at.time)
			}
			return ""
		},
	}, nil
}

// visits are the steps of places.
type visits struct {
	plays []Play
	at    map[visited]visit
}

// visited is a place of a finding: an instruction, and one of the threads there.
type visited struct {
	launch int
	block  [2]int
	warp   int
	pc     uint32
	lane   int // the first
	addr   int64
}

// visit is a step of a play.
type visit struct {
	play, block, warp int
	time              uint64
	exact             bool // the address is the place's
}

// place returns a place of a finding; ok is false if it is none of a kernel.
func place(launch int, s *check.Site) (p visited, ok bool) {
	if launch < 0 || s.Device == nil || len(s.Where) == 0 || s.Where[0].Lanes == 0 {
		return p, false
	}
	t := &s.Where[0]
	p = visited{launch, t.Block, t.Warp, s.Device.PC, bits.TrailingZeros32(uint32(t.Lanes)), -1}
	if s.Addr != nil {
		p.addr = int64(*s.Addr)
	}
	return p, true
}

// of returns the step of a place.
func (v *visits) of(launch int, s *check.Site) (at visit, ok bool) {
	p, ok := place(launch, s)
	if ok {
		at, ok = v.at[p]
	}
	return at, ok
}

// launches returns the launches of findings, those of errors first.
func (v *visits) launches(r *findings.Report) (list []int) {
	for _, level := range []check.Level{check.Error, check.Note} {
		for i := range r.Findings {
			if f := &r.Findings[i]; f.Level == level && f.Launch >= 0 && !slices.Contains(list, f.Launch) {
				list = append(list, f.Launch)
			}
		}
	}
	return list
}

// search finds the steps of the places in a launch, and adds a play of their blocks. A step that
// faults is none of a trace: the last step of the warp stands for it.
func (v *visits) search(f *trace.File, l *trace.Launch, r *findings.Report) error {
	wanted, known := map[[2]int][]visited{}, map[visited]bool{} // wanted by block and pc
	last := map[[2]int]uint64{}                                 // steps, by block and warp
	filter := &trace.Filter{Launches: []trace.Range{{First: uint64(l.Number), Last: uint64(l.Number)}}, First: mostSearch}
	for i := range r.Findings {
		x := &r.Findings[i]
		for _, s := range append([]check.Site{x.At}, x.With...) {
			p, ok := place(x.Launch, &s)
			if !ok || p.launch != l.Number || known[p] {
				continue
			}
			known[p] = true
			n := p.block[1]*l.Grid[0] + p.block[0]
			key := [2]int{n, int(p.pc)}
			wanted[key] = append(wanted[key], p)
			filter.Blocks = append(filter.Blocks, trace.Range{First: uint64(n), Last: uint64(n)})
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	for s, err := range f.Steps(filter) {
		if errors.As(err, new(*trace.LimitError)) {
			break
		}
		if err != nil {
			return err
		}
		for _, p := range wanted[[2]int{s.Block, int(l.Kernel.PCs[s.Index])}] {
			v.meet(p, s)
		}
		for k := range s.N {
			last[[2]int{s.Block, int(s.Warp[k])}] = s.Time
		}
	}
	for p := range known {
		block := p.block[1]*l.Grid[0] + p.block[0]
		time, there := last[[2]int{block, p.warp}]
		if _, met := v.at[p]; !met && there && l.Error != "" {
			v.at[p] = visit{len(v.plays), block, p.warp, time, false}
		}
	}
	if len(last) > 0 {
		v.plays = append(v.plays, Play{fmt.Sprintf("launch %d", l.Number), []Run{{File: f, Filter: filter}}})
	}
	return nil
}

// meet notes a step of the instruction of a place: the first one there, or better the first one with
// its address.
func (v *visits) meet(p visited, s *trace.Step) {
	k := slices.Index(s.Warp[:s.N], uint8(p.warp))
	if k < 0 || s.Active[k]>>p.lane&1 == 0 || v.at[p].exact {
		return
	}
	exact := slices.ContainsFunc(s.Values, func(x trace.Value) bool {
		return x.Kind == trace.Address && x.Warp == p.warp && int64(x.Row[p.lane]) == p.addr
	})
	if _, known := v.at[p]; !known || exact {
		v.at[p] = visit{len(v.plays), s.Block, p.warp, s.Time, exact}
	}
}
