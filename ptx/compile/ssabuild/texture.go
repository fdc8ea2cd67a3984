package ssabuild

import (
	"slices"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// coordinates are how many a geometry takes.
var coordinates = map[ptx.Geom]int{ptx.Geom1D: 1, ptx.Geom2D: 2, ptx.Geom3D: 3}

// fetch is a fetch whose texture is in a register.
type fetch struct {
	v      *ir.Value
	handle *ir.Value
	pos    ptx.Pos
}

// tex builds a fetch from a texture reference: four components, of f32 or 32-bit integers.
func (b *builder) tex(in *ptx.Instr) {
	n := coordinates[in.Geom]
	if n == 0 {
		b.fail("textures of this geometry need compute capability 2.0")
		return
	}
	v := b.f.New(ir.Tex, ir.Tuple)
	list := elementsOf(&in.Args[len(in.Args)-1])
	for i := range min(n, len(list)) {
		v.AddArg(b.value(&list[i], in.From))
	}
	v.Geom, v.Sym, v.From, v.Sub, v.Count, v.Mask, v.Line = in.Geom, b.texture(v, &in.Args[1]), in.From, in.Type, 4, 15, b.line
	b.at.Add(v)
	out := b.elements(v)
	texel := elementsOf(&in.Args[0])
	for i := range texel {
		b.assign(&texel[i], ptx.B32, out[i], nil)
	}
}

// texture returns the texture that an operand of fetch v names. Clang names it by a register, whose
// value is known for certain only when all loops are complete: nil then, and bindTextures finds it.
func (b *builder) texture(v *ir.Value, o *ptx.Operand) *ptx.Var {
	if o.Var != nil && o.Var.Space != ptx.Reg {
		return o.Var
	}
	b.fetches = append(b.fetches, fetch{v, b.value(o, ptx.B64), b.pos})
	return nil
}

// bindTextures finds the textures that are in registers.
func (b *builder) bindTextures() {
	for _, x := range b.fetches {
		from := sources(x.handle, map[*ir.Value]bool{})
		if len(from) == 1 && from[0].Op == ir.Symbol && from[0].Sym.Type == ptx.TexRef {
			x.v.Sym = from[0].Sym
			continue
		}
		b.pos = x.pos
		b.fail("bindless textures need compute capability 3.0: " +
			"the texture of a fetch must be one .texref, known at compile time")
	}
}

// sources returns the values that may be in v, through phis and copies; one for each symbol.
func sources(v *ir.Value, seen map[*ir.Value]bool) []*ir.Value {
	if seen[v] {
		return nil
	}
	seen[v] = true
	if v.Op != ir.Phi && v.Op != ir.Copy {
		return []*ir.Value{v}
	}
	var list []*ir.Value
	for _, a := range v.Args {
		for _, s := range sources(a, seen) {
			if !slices.ContainsFunc(list, func(o *ir.Value) bool {
				return o.Op == ir.Symbol && s.Op == ir.Symbol && o.Sym == s.Sym
			}) {
				list = append(list, s)
			}
		}
	}
	return list
}
