package optimize

import "jacquard/ptx/compile/ir"

// Textures leaves out the components of a fetch that nothing uses.
func Textures(f *ir.Func) {
	used := map[*ir.Value]uint8{}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ir.Element && v.Uses > 0 && v.Args[0].Op == ir.Tex {
				used[v.Args[0]] |= 1 << v.Imm
			}
		}
	}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			switch {
			case v.Op == ir.Tex && used[v] != 0:
				v.Mask = used[v]
				v.Count = ones8(v.Mask)
			case v.Op == ir.Element && used[v.Args[0]] != 0:
				v.Imm = uint64(ones8(used[v.Args[0]] & (1<<v.Imm - 1)))
			}
		}
	}
}

// ones8 counts the bits of a mask.
func ones8(m uint8) uint8 {
	n := uint8(0)
	for ; m != 0; m &= m - 1 {
		n++
	}
	return n
}
