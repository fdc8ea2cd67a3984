package driver

import (
	"jacquard/libcuda/driver/sinks"
	"jacquard/simt/check"
	"jacquard/simt/program"
)

// checker returns the checker of a launch of code b, nil if nothing is to be looked for.
func (f *function) checker(b *body, launch *sinks.Launch) check.Checker {
	var list []check.Checker
	if f.module.ctx.d.checks(check.KindMemory) {
		if bounds := f.bounds(b, launch); bounds.Looks(launch.Request.Program.Program) {
			list = append(list, bounds)
		}
	}
	return check.Together(list...)
}

// bounds is the checker of accesses that the machine does not refuse.
func (f *function) bounds(b *body, launch *sinks.Launch) *check.Bounds {
	d := f.module.ctx.d
	bounds := &check.Bounds{Report: func(found check.Finding, u *program.Op) {
		found.Launch, found.Shape = launch.Number, launch.Request.Block
		if unit := int(u.Ins.Tex.Unit); found.Space == "texture" && unit < len(b.textures) && b.textures[unit] != nil {
			found.With = append(found.With, d.site(b.textures[unit].bound.made, "bound"))
		}
		d.found(found)
	}}
	for _, v := range f.module.image.Constants {
		bounds.Constants = append(bounds.Constants, check.Constant{Name: v.Name, First: uint32(v.Offset), End: uint32(v.Offset + v.Bytes)})
	}
	return bounds
}
