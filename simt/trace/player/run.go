package player

import (
	"cmp"
	"fmt"
	"math/bits"

	"jacquard/cubin/plain"
	"jacquard/simt/lane"
	"jacquard/simt/trace"
)

// Run is a trace, and the part of it that a page plays.
type Run struct {
	File   *trace.File
	Filter *trace.Filter
}

// run is what the page's script gets of a Run. Names are short because there are many steps.
type run struct {
	Policy string   `json:"policy"`
	Title  string   `json:"title"`
	Code   []line   `json:"code"`
	Warps  []*warp  `json:"warps"`
	Texts  []string `json:"texts"` // that steps name by number
	More   bool     `json:"more"`  // steps were left out

	known map[string]int
}

// line is an instruction.
type line struct {
	PC     string `json:"pc"`
	Text   string `json:"text"`
	Source string `json:"source,omitempty"` // the place of its source, if it is known
}

// warp is the steps of a warp, each list with an entry per step.
type warp struct {
	Name     string  `json:"name"` // block and warp
	Lanes    int     `json:"lanes"`
	Time     []int   `json:"time"`
	Index    []int   `json:"index"` // of the instruction in Code
	Active   []int64 `json:"active"`
	Executed []int64 `json:"executed"`
	Vetoed   []int   `json:"vetoed"` // steps that the join marker sent elsewhere
	State    []int   `json:"state"`  // of Texts, -1 if it was not recorded
	Memory   []int   `json:"memory"` // of Texts, -1 without an access
	Values   []value `json:"values"` // in the order of steps
}

// value is what a step writes or accesses.
type value struct {
	Step  int       `json:"step"`
	Name  string    `json:"name"`
	Lanes int64     `json:"lanes"` // that executed
	Row   []*uint32 `json:"row"`   // null for the others
}

// read returns the first launch of a run, at most so many steps of all its warps.
func read(r *Run, most int) (*run, error) {
	out := &run{known: map[string]int{}}
	var launch *trace.Launch
	warps, steps := map[[2]int]*warp{}, 0
	for s, err := range r.File.Steps(r.Filter) {
		if err != nil {
			return nil, err
		}
		if launch == nil {
			launch = r.File.Launch(s.Launch)
			out.begin(launch)
		}
		if s.Launch != launch.Number || steps+s.N > most {
			out.More = true
			break
		}
		steps += s.N
		for k := range s.N {
			at := [2]int{s.Block, int(s.Warp[k])}
			w := warps[at]
			if w == nil {
				w = newWarp(launch, at)
				warps[at] = w
				out.Warps = append(out.Warps, w)
			}
			out.add(w, launch.Kernel, s, k)
		}
	}
	if launch == nil {
		return nil, fmt.Errorf("the trace has no such steps")
	}
	return out, nil
}

// begin takes the code of the launch.
func (r *run) begin(l *trace.Launch) {
	r.Policy = l.Policy
	r.Title = plain.Sprintf("%s (%s), grid %dx%d, block %dx%dx%d", l.Kernel.Name, l.Kernel.Arch,
		l.Grid[0], l.Grid[1], l.Block[0], l.Block[1], l.Block[2])
	for i, in := range l.Kernel.Code {
		from := l.Kernel.Source.At(i)
		r.Code = append(r.Code, line{fmt.Sprintf("%04x", l.Kernel.PCs[i]), in.String(), from.String()})
	}
}

// newWarp returns the warp of a block without steps.
func newWarp(l *trace.Launch, at [2]int) *warp {
	return &warp{
		Name:   fmt.Sprintf("block (%d,%d), warp %d", at[0]%l.Grid[0], at[0]/l.Grid[0], at[1]),
		Vetoed: []int{}, Values: []value{},
	}
}

// add adds the step of the warp at position k.
func (r *run) add(w *warp, kernel *trace.Kernel, s *trace.Step, k int) {
	number := len(w.Time)
	w.Time = append(w.Time, int(s.Time))
	w.Index = append(w.Index, s.Index)
	w.Active = append(w.Active, int64(s.Active[k]))
	w.Executed = append(w.Executed, int64(s.Executed[k]))
	w.Lanes = max(w.Lanes, bits.Len32(uint32(s.Active[k])))
	if s.Vetoed>>s.Warp[k]&1 != 0 {
		w.Vetoed = append(w.Vetoed, number)
	}
	state := -1
	switch {
	case s.Mixed && len(s.States) > 0: // that of the whole block
		state = r.text(cmp.Or(s.States[0].Text(true, hex), "nothing"))
	case k < len(s.States):
		state = r.text(cmp.Or(s.States[k].Text(false, hex), "nothing"))
	}
	w.State = append(w.State, state)
	note := -1
	for i := range s.Values {
		v := &s.Values[i]
		if v.Warp != int(s.Warp[k]) || v.Lanes == 0 {
			continue
		}
		w.Values = append(w.Values, value{number, v.Name(), int64(v.Lanes), words(v)})
		if v.Kind == trace.Address {
			if text := access(&kernel.Code[s.Index], kernel.Arch, &v.Row, v.Lanes); text != "" {
				note = r.text(text)
			}
		}
	}
	w.Memory = append(w.Memory, note)
}

// text returns the number of a text.
func (r *run) text(s string) int {
	n, ok := r.known[s]
	if !ok {
		n = len(r.Texts)
		r.known[s] = n
		r.Texts = append(r.Texts, s)
	}
	return n
}

func hex(m lane.Mask) string { return fmt.Sprintf("%08x", uint32(m)) }

// words returns the lanes of a value, nil for those that did not execute.
func words(v *trace.Value) []*uint32 {
	row := make([]*uint32, bits.Len32(uint32(v.Lanes)))
	for l := range row {
		if v.Lanes>>l&1 != 0 {
			word := v.Row[l] // the next step overwrites the row
			row[l] = &word
		}
	}
	return row
}
