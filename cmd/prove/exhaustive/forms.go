package main

import (
	"unsafe"

	"jacquard/simt/engine/translate/host"
	"jacquard/simt/engine/translate/hostcode"
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
)

// forms makes the fast forms of operations on one word: code for the host's vector instructions, or
// the portable kernels.
type forms struct {
	simd string // as host.Find names it
	vector.Level
}

// newForms returns the forms for vector instructions; "" is the host's best.
func newForms(simd string) (f forms, err error) {
	f.simd, err = host.Find(simd)
	f.Level = map[string]vector.Level{host.AVX2: vector.AVX2, host.AVX512: vector.AVX512}[f.simd]
	return f, err
}

// emitter emits an operation on two parts of a row. It reports false if there is no vector code.
type emitter func(b *vector.Builder, x [2]vector.Vec) (d [2]vector.Vec, ok bool)

// each is the emitter of a body that computes one part.
func each(body func(b *vector.Builder, x vector.Vec) vector.Vec) emitter {
	return func(b *vector.Builder, x [2]vector.Vec) ([2]vector.Vec, bool) {
		return [2]vector.Vec{body(b, x[0]), body(b, x[1])}, true
	}
}

// both is the emitter of a body that computes two parts.
func both(body func(b *vector.Builder, x [2]vector.Vec) [2]vector.Vec) emitter {
	return func(b *vector.Builder, x [2]vector.Vec) ([2]vector.Vec, bool) { return body(b, x), true }
}

// frame is the context of vector code.
type frame struct {
	mode    vector.Mode
	row     row
	scratch [vector.ScratchBytes]byte
}

// row returns the form of an operation on one row.
func (f forms) row(kernel lane.Unary, emit emitter) func(d, a *row) {
	if f.Level != 0 {
		if entry, ok := f.compile(emit); ok {
			return func(d, a *row) {
				c := frame{mode: vector.ModeFloat, row: *a}
				entry.Call(unsafe.Pointer(&c))
				*d = c.row
			}
		}
	}
	s := &lane.Sel{Full: true}
	s.Add(0, lane.All)
	return func(d, a *row) { kernel(lane.RowsOf(d, 0), lane.RowsOf(a, 0), s) }
}

// compile makes a function of a body.
func (f forms) compile(emit emitter) (entry hostcode.Entry, ok bool) {
	a := x86.New(f.Level == vector.AVX512)
	b := vector.New(a, f.Level)
	b.Scratch = x86.At(x86.RDI, int32(unsafe.Offsetof(frame{}.scratch)))
	for part := 0; part < f.Parts(); part += 2 {
		var at [2]x86.Operand
		var x [2]vector.Vec
		for i := range x {
			at[i] = x86.At(x86.RDI, int32(unsafe.Offsetof(frame{}.row))+int32(4*(part+i)*f.Lanes()))
			x[i] = b.Load(at[i])
		}
		d, ok := emit(b, x)
		if !ok {
			return entry, false
		}
		for i := range d {
			b.Store(at[i], d[i])
			b.Free(x[i], d[i])
		}
	}
	a.Ret()
	b.FlushCold()
	code, err := hostcode.Load(a.Finish())
	if err != nil {
		panic("exhaustive: " + err.Error()) // host.Find says that the host can
	}
	return code.Entry(0), true
}
