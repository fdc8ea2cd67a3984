package watch

import (
	"slices"

	"jacquard/simt/machine"
)

// present returns the elements of a list that are not nil.
func present[T comparable](list []T) []T {
	var none T
	return slices.DeleteFunc(slices.Clone(list), func(x T) bool { return x == none })
}

// Tee makes one Observer of several, and calls them in their order. It leaves out nil observers;
// without any other it returns nil.
func Tee(observers ...Observer) Observer {
	list := present(observers)
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return tee(list)
}

type tee []Observer

func (t tee) Block(b *Block) BlockObserver {
	var list teeBlock
	for _, o := range t {
		list = append(list, o.Block(b))
	}
	if list = present(list); len(list) == 0 {
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

// TeeRecorders makes one Recorder of several, as Tee does for Observers. Each recorder gets the
// values that it Keeps.
func TeeRecorders(recorders ...Recorder) Recorder {
	list := present(recorders)
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return &teeRecorder{all: list}
}

type teeRecorder struct {
	all   []Recorder
	keeps [][]bool // by recorder
}

func (t *teeRecorder) Keeps() (sum []bool) {
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

func (t *teeRecorder) States() bool {
	return slices.ContainsFunc(t.all, Recorder.States)
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

// kept is a recorder of a block with the instructions that it Keeps.
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

func (t teeBlockRecorder) Keep(w int, v *Values) {
	for _, r := range t {
		if r.keeps != nil {
			some := v.Only(r.keeps)
			r.Keep(w, &some)
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
