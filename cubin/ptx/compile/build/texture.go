package build

import (
	"jacquard/cubin/ptx"
	"jacquard/cubin/ptx/compile/ir"
)

// coordinates are how many a geometry takes.
var coordinates = map[ptx.Geom]int{ptx.Geom1D: 1, ptx.Geom2D: 2, ptx.Geom3D: 3}

// tex builds a fetch from a texture reference: four components, of f32 or 32-bit integers.
func (b *builder) tex(in *ptx.Instr) {
	n := coordinates[in.Geom]
	if n == 0 {
		b.fail("textures of this geometry need compute capability 2.0")
		return
	}
	o := &in.Args[1]
	if o.Var == nil || o.Var.Space == ptx.Reg {
		b.fail("bindless textures need compute capability 3.0")
		return
	}
	v := b.f.New(ir.Tex, ir.Tuple)
	list := in.Args[len(in.Args)-1:]
	if list[0].Kind == ptx.List {
		list = list[0].List
	}
	for i := range min(n, len(list)) {
		v.AddArg(b.value(&list[i], in.From))
	}
	v.Geom, v.Sym, v.From, v.Sub, v.Count, v.Mask, v.Line = in.Geom, o.Var, in.From, in.Type, 4, 15, b.line
	b.at.Add(v)
	out := b.elements(v)
	for i := range in.Args[0].List {
		b.assign(&in.Args[0].List[i], ptx.B32, out[i], nil)
	}
}
