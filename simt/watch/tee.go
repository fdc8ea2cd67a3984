package watch

import (
	"jacquard/simt/lane"
	"jacquard/simt/machine"
)

// Tee makes one Observer of several, which are told in their order. Those that are nil are left
// out; without any Tee returns nil.
func Tee(observers ...Observer) Observer {
	var list tee
	for _, o := range observers {
		if o != nil {
			list = append(list, o)
		}
	}
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return list
}

type tee []Observer

func (t tee) Block(b *Block) BlockObserver {
	var list teeBlock
	for _, o := range t {
		if one := o.Block(b); one != nil {
			list = append(list, one)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

type teeBlock []BlockObserver

func (t teeBlock) Issue(i *Issue) {
	for _, o := range t {
		o.Issue(i)
	}
}

func (t teeBlock) End() {
	for _, o := range t {
		o.End()
	}
}

// TeeRecorders makes one Recorder of several, as Tee does of Observers. A recorder is told of the
// values that it asks for alone.
func TeeRecorders(recorders ...Recorder) Recorder {
	var list teeRecorder
	for _, r := range recorders {
		if r != nil {
			list.all = append(list.all, r)
		}
	}
	switch len(list.all) {
	case 0:
		return nil
	case 1:
		return list.all[0]
	}
	return &list
}

type teeRecorder struct {
	all   []Recorder
	keeps [][]bool // by recorder: what Keeps answered
}

// Keeps asks each for the values that it wants.
func (t *teeRecorder) Keeps() []bool {
	var sum []bool
	t.keeps = nil
	for _, r := range t.all {
		keeps := r.Keeps()
		t.keeps = append(t.keeps, keeps)
		if keeps != nil && sum == nil {
			sum = make([]bool, len(keeps))
		}
		for i, k := range keeps {
			sum[i] = sum[i] || k
		}
	}
	return sum
}

func (t *teeRecorder) Block(b *Block) BlockRecorder {
	var list teeBlockRecorder
	for i, r := range t.all {
		if one := r.Block(b); one != nil {
			list = append(list, kept{one, t.keeps[i]})
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

func (t *teeRecorder) Fault(f *machine.Fault, block int) {
	for _, r := range t.all {
		r.Fault(f, block)
	}
}

// kept is a recorder of a block with the instructions whose values it wants.
type kept struct {
	BlockRecorder
	keeps []bool
}

type teeBlockRecorder []kept

func (t teeBlockRecorder) Run(w int, list []Stretch) {
	for _, r := range t {
		r.Run(w, list)
	}
}

func (t teeBlockRecorder) Keep(b *Block, index, w int, executed lane.Mask, addresses *lane.Row) {
	for _, r := range t {
		if r.keeps != nil && r.keeps[index] {
			r.Keep(b, index, w, executed, addresses)
		}
	}
}

func (t teeBlockRecorder) Reached(time uint64) {
	for _, r := range t {
		r.Reached(time)
	}
}

func (t teeBlockRecorder) End(f *machine.Fault) {
	for _, r := range t {
		r.End(f)
	}
}
