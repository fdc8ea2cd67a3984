package driver

import (
	"jacquard/libcuda/driver/sinks"
	"jacquard/simt/check"
	"jacquard/simt/program"
)

// bounds returns the checker of accesses that the machine does not refuse, for a launch of code b;
// nil if nobody asks for them, or there are none.
func (f *function) bounds(b *body, launch *sinks.Launch) check.Checker {
	d := f.module.ctx.d
	if !d.checks(check.KindMemory) {
		return nil
	}
	bounds := &check.Bounds{Report: func(found check.Finding, u *program.Op) {
		found.Launch, found.Shape = launch.Number, launch.Request.Block
		if unit := int(u.Ins.Tex.Unit); found.Space == "texture" && unit < len(b.textures) && b.textures[unit] != nil {
			found.With = append(found.With, d.site(b.textures[unit].bound.made, "bound"))
		}
		f.module.ctx.checkers.add(found)
	}}
	for _, v := range f.module.image.Constants {
		bounds.Constants = append(bounds.Constants, check.Constant{Name: v.Name, First: uint32(v.Offset), End: uint32(v.Offset + v.Bytes)})
	}
	if !bounds.Looks(launch.Request.Program.Program) {
		return nil
	}
	return bounds
}
