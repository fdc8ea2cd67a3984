package ptx

import (
	"encoding/binary"
	"strconv"
)

// globalVar prints a variable of the module.
func (p *printer) globalVar(v *Var) {
	p.declaration(v)
	p.declarator(v)
	p.put(";\n")
}

// declaration prints what stands before the name of a variable.
func (p *printer) declaration(v *Var) {
	if v.Linkage != Private {
		p.put(".", v.Linkage.String(), " ")
	}
	p.put(".", v.Space.String())
	if v.Bank != 0 {
		p.put("[", strconv.Itoa(v.Bank), "]")
	}
	if v.Managed {
		p.put(" .attribute(.managed)")
	}
	if v.Align != natural(v) {
		p.put(" .align ", strconv.Itoa(v.Align))
	}
	if v.Vector > 1 {
		p.put(" .v", strconv.Itoa(v.Vector))
	}
	p.put(" .", v.Type.String(), " ")
	if v.Pointer != nil {
		p.put(".ptr ")
		if v.Pointer.Space != Generic {
			p.put(".", v.Pointer.Space.String(), " ")
		}
		p.put(".align ", strconv.Itoa(v.Pointer.Align), " ")
	}
}

// declarator prints the name of a variable, its dimensions and its content.
func (p *printer) declarator(v *Var) {
	p.put(v.Name)
	for i, n := range v.Dims {
		if i == 0 && n == 0 {
			p.put("[]")
		} else {
			p.put("[", strconv.Itoa(n), "]")
		}
	}
	if v.Init != nil {
		p.put(" = ")
		p.content(v)
	}
}

// content prints the initial content of a variable, all elements in one pair of braces.
func (p *printer) content(v *Var) {
	if v.Type.Opaque() {
		p.put("{")
		for i, f := range v.Init.Fields {
			p.comma(i)
			p.put(f.Name, " = ", f.Value)
		}
		p.put("}")
		return
	}
	size := v.Type.Bytes()
	scalar := v.Dims == nil && v.Vector <= 1 && len(v.Init.Bytes) == size
	if !scalar {
		p.put("{")
	}
	refs := v.Init.Refs
	for at := 0; at+size <= len(v.Init.Bytes); at += size {
		p.comma(at)
		if len(refs) > 0 && refs[0].Offset == at {
			p.ref(&refs[0])
			refs = refs[1:]
			continue
		}
		p.element(v.Type, v.Init.Bytes[at:at+size])
	}
	if !scalar {
		p.put("}")
	}
}

// comma prints a comma unless at is 0.
func (p *printer) comma(at int) {
	if at > 0 {
		p.put(", ")
	}
}

// element prints a number of initial content.
func (p *printer) element(t Type, bytes []byte) {
	var all [16]byte
	copy(all[:], bytes)
	value := binary.LittleEndian.Uint64(all[:])
	switch {
	case t.Signed() && t != S16x2:
		shift := 64 - t.Bits()
		p.text = strconv.AppendInt(p.text, int64(value<<shift)>>shift, 10)
	case t == F32 || t == F64:
		p.immediate(t, value)
	default:
		p.text = strconv.AppendUint(p.text, value, 10)
	}
}

// ref prints an address of initial content.
func (p *printer) ref(r *Ref) {
	masked := r.Shift != 0 || r.Bytes == 1
	if masked {
		p.printf("0x%X(", byteMask(r.Bytes)<<r.Shift)
	}
	name := ""
	switch x := r.Of.(type) {
	case *Var:
		name = x.Name
	case *Func:
		name = x.Name
	}
	if r.Generic {
		name = "generic(" + name + ")"
	}
	p.put(name)
	p.offset(uint64(r.Addend))
	if masked {
		p.put(")")
	}
}

// offset prints +4 or -4, nothing for 0.
func (p *printer) offset(value uint64) {
	if int64(value) > 0 {
		p.put("+")
	}
	if value != 0 {
		p.text = strconv.AppendInt(p.text, int64(value), 10)
	}
}
