package player

import (
	"cmp"
	"errors"
	"fmt"

	"jacquard/observe/trace"
	"jacquard/simt/lane"
)

// Run is a trace, and the part of it that a page plays: of the first launch that the filter selects.
type Run struct {
	File   *trace.File
	Filter *trace.Filter
}

// errNothing reports a filter that selects no step.
var errNothing = errors.New("the trace has no such steps")

// runWriter writes the steps of a run.
type runWriter struct {
	chunks chunkWriter
	launch *trace.Launch
	names  numbering     // of values
	open   map[int]*warp // of the block at hand, by number
	order  []*warp       // the same, in the order of their first steps
	index  []byte        // records of finished warps
	last   int           // the block of the last record
	steps  int
	more   bool // steps were left out
}

// write writes the pieces of a run as elements of a page, up to most steps of its first launch, then
// the head and the index. head completes the head.
func (r *Run) write(c chunkWriter, most int, complete func(*head)) error {
	w := &runWriter{chunks: c, open: map[int]*warp{}}
	block := 0
	for s, err := range r.File.Steps(r.Filter) {
		if w.launch != nil && errors.As(err, new(*trace.LimitError)) {
			w.more = true
			break
		}
		if err != nil {
			return err
		}
		if w.launch == nil {
			w.launch = r.File.Launch(s.Launch)
		}
		if s.Launch != w.launch.Number || w.steps+s.N > most || w.chunks.written > mostData {
			w.more = true
			break
		}
		if s.Block != block {
			w.finish()
			block = s.Block
		}
		w.steps += s.N
		for k := range s.N {
			w.add(s, k)
		}
	}
	if w.launch == nil {
		return errNothing
	}
	w.finish()
	w.chunks.flush()
	h := newHead(w.launch)
	h.Names, h.More, h.Steps, h.Chunks = w.names.all, w.more, w.steps, w.chunks.count
	complete(h)
	w.chunks.json("head", h)
	w.chunks.element("index", w.index)
	return w.chunks.err
}

// add adds the step of the warp at position k.
func (w *runWriter) add(s *trace.Step, k int) {
	at := w.open[int(s.Warp[k])]
	if at == nil {
		at = newWarp(s.Block, int(s.Warp[k]))
		w.open[at.number] = at
		w.order = append(w.order, at)
	}
	p := &at.piece
	at.begin(s, k, &w.names)
	state := -1
	switch {
	case s.Mixed && len(s.States) > 0: // the state of the whole block
		state = p.texts.number(cmp.Or(s.States[0].Text(true, hex), "nothing"))
	case k < len(s.States):
		state = p.texts.number(cmp.Or(s.States[k].Text(false, hex), "nothing"))
	}
	var values []*trace.Value
	note := -1
	for i := range s.Values {
		v := &s.Values[i]
		if v.Warp != int(s.Warp[k]) || v.Lanes == 0 {
			continue
		}
		values = append(values, v)
		if v.Kind == trace.Address {
			if cost := access(&w.launch.Kernel.Code[s.Index], w.launch.Kernel.Arch, &v.Row, v.Lanes); cost != nil {
				note = p.texts.number(marshal(cost))
			}
		}
	}
	at.step(s, k, state, note, values, &w.names)
	if p.full() {
		w.end(at)
	}
}

// end ends the piece of a warp.
func (w *runWriter) end(at *warp) {
	if at.piece.steps > 0 {
		chunk, offset := w.chunks.add(at.piece.bytes())
		at.end(chunk, offset)
	}
}

// finish ends the warps of a block.
func (w *runWriter) finish() {
	for _, at := range w.order {
		w.end(at)
		w.index = at.record(w.index, &w.last)
	}
	clear(w.open)
	w.order = w.order[:0]
}

// numbering numbers words in the order of their first use.
type numbering struct {
	all   []string
	known map[string]int
}

func (n *numbering) number(word string) int {
	at, ok := n.known[word]
	if !ok {
		if n.known == nil {
			n.known = map[string]int{}
		}
		at = len(n.all)
		n.known[word] = at
		n.all = append(n.all, word)
	}
	return at
}

func hex(m lane.Mask) string { return fmt.Sprintf("%08x", uint32(m)) }
