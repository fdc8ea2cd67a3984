package trace

import (
	"errors"
	"io"

	"jacquard/observe/trace/codec"
)

// Copy writes a trace of the issues that a filter selects, with the values that keep names.
// Launches keep their numbers.
func (f *File) Copy(w io.Writer, filter *Filter, keep Values) error {
	r, err := NewRecorder(struct{ io.Writer }{w}, Options{}, nil) // w stays open
	if err != nil {
		return err
	}
	c := copier{Encoder: new(codec.Encoder), recorder: r, kernels: map[*Kernel]*Kernel{}, launch: -1}
	c.Encoder.States = keep.States && f.States
	for _, k := range f.Kernels {
		c.kernels[k] = keep.only(k)
	}
	for _, l := range f.Launches {
		if filter.Launch(l.Number, l.Kernel.Name) {
			number, err := r.kernel(c.kernels[l.Kernel])
			if err == nil {
				err = r.announce(number, l)
			}
			if err != nil {
				return errors.Join(err, r.Close())
			}
		}
	}
	for s, err := range f.Steps(filter) {
		if err != nil {
			return errors.Join(err, r.Close())
		}
		c.step(s, c.kernels[f.Launch(s.Launch).Kernel])
	}
	c.endPart()
	c.packer.flush(r)
	for _, l := range f.Launches {
		if l.Ended && filter.Launch(l.Number, l.Kernel.Name) {
			r.end(l.Number, l.Error)
		}
	}
	r.seal()
	return r.Close()
}

// only returns the kernel with the values in v alone.
func (v Values) only(k *Kernel) *Kernel {
	less := *k
	less.Values = make([][]Slot, len(k.Values))
	for i, slots := range k.Values {
		for _, s := range slots {
			if v.has(s.Kind) {
				less.Values[i] = append(less.Values[i], s)
			}
		}
	}
	less.Prepare()
	return &less
}

// copier writes the steps of a file.
type copier struct {
	*codec.Encoder
	packer
	recorder      *Recorder
	kernels       map[*Kernel]*Kernel // from the file's to the copy's
	launch, block int                 // of the current part; launch is -1 without one
}

// step adds a step of kernel k.
func (c *copier) step(s *Step, k *Kernel) {
	if s.Launch != c.launch || s.Block != c.block ||
		c.Size() >= partBytes || s.Time-c.Head.First >= partRounds {
		c.endPart()
		if s.Launch != c.launch {
			c.packer.flush(c.recorder)
		}
		if c.launch != s.Launch || c.block != s.Block {
			c.Begin()
		}
		c.launch, c.block = s.Launch, s.Block
		c.Start(k, s.Block, s.Mixed, s.Time)
	}
	c.Step(s)
}

// endPart hands over the current part, if there is one.
func (c *copier) endPart() {
	if c.launch >= 0 {
		p := c.Take(c.recorder.buffers)
		c.packer.add(c.recorder, c.launch, &p)
	}
}
