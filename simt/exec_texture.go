package simt

import (
	"fmt"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// lowerTexFetch lowers a fetch by integer coordinate. Only one coordinate is modelled:
// what tex1Dfetch compiles to. Sources and results share registers.
func lowerTexFetch(l *lowerer, u *uop, in *tesla.Instruction) {
	if in.Tex.Coords != 1 {
		l.refuse(u, FaultUnsupported, fmt.Sprintf("texture fetch with %d coordinates is not modelled", in.Tex.Coords))
		return
	}
	u.exec, u.memory = execTexFetch, true
}

func execTexFetch(b *Block, u *uop, s *lane.Sel) bool {
	var unbound mem.Texture
	x := &unbound
	if unit := int(u.ins.Tex.Unit); unit < len(b.g.l.Textures) {
		x = &b.g.l.Textures[unit]
	}
	base := int(u.ins.Dst.Index)
	for k := range s.N {
		w := int(s.Warp[k])
		var d mem.Data
		at := base
		for i := range d {
			if u.ins.Tex.Mask>>i&1 == 0 {
				continue
			}
			d[i] = b.scratchRow(tmpData+i, w)
			if at < b.p.Kernel.Registers {
				d[i] = &b.regs[at*b.warps+w]
			}
			at++
		}
		coord := *b.reg(int32(base)).At(w)
		if v := x.Fetch(b.g.l.Global, &coord, s.Mask[k], &d); v != nil {
			return b.raiseAccess(w, v)
		}
	}
	return true
}
