package interp

import (
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/mem/texture"
	"jacquard/tesla"
)

var textures = bindings{
	tesla.OpTexFetch: bindExec(execTexFetch),
	tesla.OpTexAuto:  bindExec(execTexSample),
	tesla.OpTexBias:  bindExec(execTexSample),
	tesla.OpTexLod:   bindExec(execTexSample),
	tesla.OpTexSize:  bindExec(execTexSize),
}

// texture returns the texture of a unit; units beyond the launch's are unbound.
func (eng *Engine) texture(unit uint8) *texture.Texture {
	if int(unit) < len(eng.Textures) {
		return &eng.Textures[unit]
	}
	return &texture.Texture{}
}

// texels returns the rows for warp w's results: the destination's registers, or scratch for
// registers that the kernel does not own.
func (eng *Engine) texels(in *tesla.Instruction, w int) (d mem.Data) {
	at := int(in.Dst.Index)
	for i := range d {
		if in.Tex.Mask>>i&1 == 0 {
			continue
		}
		d[i] = eng.scratchRow(tmpData+i, w)
		if at < eng.Program.Kernel.Registers {
			d[i] = eng.RegisterRow(at, w)
		}
		at++
	}
	return d
}

// coords returns warp w's coordinates.
func (eng *Engine) coords(in *tesla.Instruction, w int) texture.Coords {
	c := texture.Coords{Offset: in.Tex.Offset}
	for i := range min(int(in.Tex.Coords), len(c.Rows)) {
		c.Rows[i] = eng.Register(int32(in.Dst.Index) + int32(i)).At(w)
	}
	return c
}

// execTexFetch reads texels at integer coordinates, as tex1Dfetch does.
func execTexFetch(eng *Engine, u *op, s *lane.Sel) bool {
	x := eng.texture(u.Ins.Tex.Unit)
	for k := range s.N {
		w := int(s.Warp[k])
		at, d := eng.coords(u.Ins, w), eng.texels(u.Ins, w)
		if eng.Hook != nil {
			eng.Hook.Fetch(&eng.State, &u.Op, w, s.Mask[k])
		}
		if v := x.Fetch(eng.Global, &at, s.Mask[k], &d); v != nil {
			return eng.RaiseAccess(w, v)
		}
	}
	return true
}

// execTexSample reads a texture at float coordinates, with the sampler's filter.
func execTexSample(eng *Engine, u *op, s *lane.Sel) bool {
	x, how := eng.texture(u.Ins.Tex.Unit), &eng.texture(u.Ins.Tex.Sampler).Sampler
	for k := range s.N {
		w := int(s.Warp[k])
		at, d := eng.coords(u.Ins, w), eng.texels(u.Ins, w)
		if eng.Hook != nil {
			eng.Hook.Fetch(&eng.State, &u.Op, w, s.Mask[k])
		}
		if v := x.Sample(eng.Global, how, &at, s.Mask[k], &d); v != nil {
			return eng.RaiseAccess(w, v)
		}
	}
	return true
}

// execTexSize returns a texture's extent at the level of detail in its register.
func execTexSize(eng *Engine, u *op, s *lane.Sel) bool {
	x := eng.texture(u.Ins.Tex.Unit)
	for k := range s.N {
		w := int(s.Warp[k])
		d := eng.texels(u.Ins, w)
		x.Extent(eng.Register(int32(u.Ins.Dst.Index)).At(w), s.Mask[k], &d)
	}
	return true
}
