package view

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/bits"

	"jacquard/observe/trace"
	"jacquard/simt/lane"
)

// Timeline writes a trace in the JSON format of Chrome's trace viewer, which Perfetto reads too:
// one process per block, one track per warp, one slice per run of issues with the same lanes, one
// microsecond per round. Launches follow each other.
func Timeline(out io.Writer, f *trace.File, filter *trace.Filter) error {
	t := timeline{w: bufio.NewWriter(out), launch: -1, block: -1}
	t.w.WriteString(`{"displayTimeUnit":"ns","otherData":{"writer":"jacquard","time":"one microsecond is one round of issues"},"traceEvents":[`)
	for s, err := range f.Steps(filter) {
		if err != nil {
			return err
		}
		if s.Launch != t.launch || s.Block != t.block {
			t.begin(f, s)
		}
		for k := range s.N {
			t.issue(s, k)
		}
	}
	t.flush()
	t.w.WriteString("\n]}\n")
	if t.err != nil {
		return t.err
	}
	return t.w.Flush()
}

// timeline writes the events of one block after another.
type timeline struct {
	w             *bufio.Writer
	kernel        *trace.Kernel
	launch, block int
	process       int
	base, end     uint64 // when the launch begins and ends
	warps         [lane.MaxWarps]slice
	written       bool
	err           error
}

// slice is a stretch of a warp's issues.
type slice struct {
	begin, end  uint64 // the rounds; no slice if equal
	active      lane.Mask
	first, last int // indices of instructions
	issues      int
	state       []entry // at the first; nil if not known
}

// event is one object of the format.
type event struct {
	Name string         `json:"name"`
	Kind string         `json:"ph"`
	Time uint64         `json:"ts"`
	Dur  uint64         `json:"dur,omitempty"`
	PID  int            `json:"pid"`
	TID  int            `json:"tid"`
	Args map[string]any `json:"args,omitempty"`
}

func (t *timeline) write(e event) {
	data, err := json.Marshal(e)
	if err != nil {
		t.err = err
		return
	}
	if t.written {
		t.w.WriteByte(',')
	}
	t.written = true
	t.w.WriteByte('\n')
	t.w.Write(data)
}

// begin starts a block.
func (t *timeline) begin(f *trace.File, s *trace.Step) {
	t.flush()
	if s.Launch != t.launch {
		t.base = t.end
	}
	l := f.Launch(s.Launch)
	t.launch, t.block, t.kernel = s.Launch, s.Block, l.Kernel
	t.process++
	name := fmt.Sprintf("launch %d %s block %d (%d,%d)", l.Number, l.Kernel.Name, s.Block, s.Block%l.Grid[0], s.Block/l.Grid[0])
	t.write(event{Name: "process_name", Kind: "M", PID: t.process, Args: map[string]any{"name": name}})
	for w := range (l.Block[0]*l.Block[1]*l.Block[2] + lane.Width - 1) / lane.Width {
		t.write(event{Name: "thread_name", Kind: "M", PID: t.process, TID: w, Args: map[string]any{"name": fmt.Sprintf("warp %d", w)}})
	}
}

// issue extends its warp's slice, or writes it and begins another.
func (t *timeline) issue(s *trace.Step, k int) {
	w := s.Warp[k]
	at := t.base + s.Time
	c := &t.warps[w]
	if c.begin == c.end || c.end != at || c.active != s.Active[k] {
		t.stretch(int(w))
		*c = slice{begin: at, active: s.Active[k], first: s.Index, state: entries(s, k)}
	}
	c.end, c.last = at+1, s.Index
	c.issues++
	t.end = max(t.end, at+1)
}

// stretch writes a warp's slice, if it has one.
func (t *timeline) stretch(w int) {
	c := &t.warps[w]
	if c.begin == c.end {
		return
	}
	args := map[string]any{
		"mask": fmt.Sprintf("%08x", uint32(c.active)), "issues": c.issues,
		"first": t.place(c.first), "last": t.place(c.last),
	}
	if c.state != nil {
		args["state"] = c.state
	}
	t.write(event{
		Name: fmt.Sprintf("%d lanes", bits.OnesCount32(uint32(c.active))), Kind: "X", Time: c.begin, Dur: c.end - c.begin, PID: t.process, TID: w,
		Args: args,
	})
	*c = slice{}
}

// place describes an instruction.
func (t *timeline) place(index int) string {
	return fmt.Sprintf("%04x: %v", t.kernel.PCs[index], t.kernel.Code[index])
}

// flush writes the slices of a block.
func (t *timeline) flush() {
	for w := range t.warps {
		t.stretch(w)
	}
}
