package code

import (
	"jacquard/decoder"
	"jacquard/tesla"
)

// encodeAll places the items and encodes them. Two short instructions that follow each other share
// the place of a long one, if no label leads to the second.
func (e *emitter) encodeAll() error {
	for i := range e.items {
		if x := &e.items[i]; x.to != nil {
			e.items[e.place(x)].label = true
		}
	}
	e.at = make([]uint32, len(e.items))
	e.words = make([]uint32, 0, 2*len(e.items))
	for i := 0; i < len(e.items); i++ {
		e.at[i] = uint32(4 * len(e.words))
		x := &e.items[i]
		if x.to != nil {
			e.words = append(e.words, 0, 0)
			continue
		}
		if i+1 < len(e.items) && e.pair(x, &e.items[i+1]) {
			i++
			e.at[i] = uint32(4*len(e.words) - 4)
			continue
		}
		w0, w1, err := e.encode(x.in, 8)
		if err != nil {
			return e.fail(x.in, err)
		}
		e.words = append(e.words, w0, w1)
	}
	return e.aim()
}

// aim encodes the instructions that name places.
func (e *emitter) aim() error {
	for i := range e.items {
		x := &e.items[i]
		if x.to == nil {
			continue
		}
		x.in.Target = e.at[e.place(x)]
		w0, w1, err := e.encode(x.in, 8)
		if err != nil {
			return e.fail(x.in, err)
		}
		e.words[e.at[i]/4], e.words[e.at[i]/4+1] = w0, w1
	}
	return nil
}

// pair appends two instructions in their short forms, if they have them.
func (e *emitter) pair(x, y *item) bool {
	if y.label || y.to != nil || !mayBeShort(&x.in) || !mayBeShort(&y.in) {
		return false
	}
	a, _, err := e.encode(x.in, 4)
	if err != nil {
		return false
	}
	b, _, err := e.encode(y.in, 4)
	if err != nil {
		return false
	}
	e.words = append(e.words, a, b)
	return true
}

// encode encodes an instruction in 4 or 8 bytes, trying first the form of the last instruction with
// the same operation.
func (e *emitter) encode(in tesla.Instruction, size uint8) (w0, w1 uint32, err error) {
	in.Size = size
	if size == 4 || in.Op == tesla.OpIAdd || in.Op == tesla.OpFAdd {
		e.zeros(&in)
	}
	form := &e.forms[in.Op][size/8]
	in.Form = *form
	w0, w1, err = decoder.Encode(e.f.Arch, in)
	if err == nil && *form == 0 {
		*form = decoder.Decode(e.f.Arch, w0, w1).Form
	}
	return w0, w1, err
}

// zeros replaces the register that reads as zero by one that short forms can name.
func (e *emitter) zeros(in *tesla.Instruction) {
	if e.f.registersUsed > zeroShortReg {
		return
	}
	for i := range in.Src {
		if o := &in.Src[i]; o.Kind == tesla.Reg && o.Index == zeroReg {
			o.Index = zeroShortReg
		}
	}
}

// mayBeShort reports whether it is worth while to try a short form.
func mayBeShort(in *tesla.Instruction) bool {
	if in.Guard.Cond != tesla.CondAlways || in.Marker != tesla.MarkerNone || in.CDst != tesla.NoCond ||
		in.Idle != 0 || in.Dst.Index >= lowRegs && in.Dst.Kind == tesla.Reg {
		return false
	}
	if in.Op.Accumulates() {
		return in.Dst == in.Src[2] || in.Src[2].Kind == tesla.Reg && in.Src[2].Index == in.Dst.Index
	}
	return in.Op.HasShort() && in.Src[0].Kind != tesla.Imm && in.Src[0].Kind != tesla.Const && in.Src[1].Kind != tesla.Imm && in.Round == 0
}
