package asm

import (
	"fmt"
	"slices"

	"jacquard/cubin"
	"jacquard/decoder"
)

func (a *arguments) startKernel() {
	a.finish()
	k := cubin.Kernel{
		Name: a.text(a.words[0]), Registers: a.number("registers", 0), Shared: a.number("shared", 16),
		Local: a.number("local", 0), Barriers: a.number("barriers", 0),
	}
	if w, ok := a.named["threads"]; ok {
		if _, err := fmt.Sscanf(w.Text, "%dx%dx%d", &k.MaxThreads[0], &k.MaxThreads[1], &k.MaxThreads[2]); err != nil {
			a.failf(w, "expected XxYxZ; found %q", w.Text)
		}
	}
	a.sizes = Pairs
	if w, ok := a.named["sizes"]; ok {
		n := slices.Index(sizeNames[:], w.Text)
		if n < 0 {
			a.failf(w, "expected pairs or long; found %q", w.Text)
		}
		a.sizes = Sizes(max(n, 0))
	}
	a.img.Kernels = append(a.img.Kernels, k)
	a.kernel = &a.img.Kernels[len(a.img.Kernels)-1]
	a.labels, a.data = map[string]labelled{}, nil
}

func (a *arguments) params() { a.kernel.Params = []cubin.Param{} }

func (a *arguments) param() {
	a.kernel.Params = append(a.kernel.Params, cubin.Param{Offset: a.number("offset", 0), Size: a.number("bytes", 4), Padded: a.number("padded", 0) != 0})
}

func (a *arguments) texture() {
	a.kernel.Textures = append(a.kernel.Textures, cubin.Texture{Sampler: a.number("sampler", 0), Unit: a.number("unit", 0)})
}

// finish lays out the last kernel and encodes it.
func (r *source) finish() {
	if r.kernel == nil {
		return
	}
	for _, l := range r.labels {
		if l.index < len(r.code) {
			r.code[l.index].label = true
		}
	}
	sizes, starts := r.layout()
	for i := range r.code {
		words, err := r.encode(i, sizes[i], starts)
		if err != nil {
			r.errs = append(r.errs, err)
		}
		r.kernel.Code = append(r.kernel.Code, words...)
		if r.name != "" {
			r.kernel.Lines = append(r.kernel.Lines, cubin.Line{Offset: starts[i], File: r.name, Line: r.code[i].line})
		}
	}
	r.code, r.kernel = nil, nil
}

// layout returns the sizes of instructions in bytes, and their addresses followed by the end's.
func (r *source) layout() (sizes []uint8, starts []uint32) {
	pc := uint32(0)
	for i := range r.code {
		var next *item
		if i+1 < len(r.code) {
			next = &r.code[i+1].item
		}
		size := r.sizes.size(&r.code[i].item, next, int(pc/4))
		sizes, starts = append(sizes, size), append(starts, pc)
		pc += uint32(size)
	}
	return sizes, append(starts, pc)
}

// encode returns the words of an instruction with size bytes.
func (r *source) encode(i int, size uint8, starts []uint32) ([]uint32, error) {
	x := &r.code[i]
	if x.raw != nil {
		return x.raw, nil
	}
	r.line = x.line
	if size == 8 && starts[i]%8 != 0 {
		return nil, r.fail(x.column, "a long instruction at 0x%x, which is no multiple of 8: one before it must be {long}", starts[i])
	}
	e := *x.of(size)
	if e.label != "" {
		l, ok := r.labels[e.label]
		if !ok {
			return nil, r.fail(x.target, "label %s is nowhere", e.label)
		}
		e.in.Target = starts[l.index]
		w0, w1, ok := decoder.EncodeAs(r.img.Arch, e.in)
		if !ok {
			return nil, r.fail(x.target, "label %s is too far away", e.label)
		}
		e.w = uint64(w1)<<32 | uint64(w0)
	}
	e.w ^= x.bits
	return []uint32{uint32(e.w), uint32(e.w >> 32)}[:size/4], nil
}
