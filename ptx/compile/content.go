package compile

import (
	"encoding/binary"
	"maps"
	"slices"

	"jacquard/cubin"
	"jacquard/ptx"
	"jacquard/ptx/compile/optimize"
	"jacquard/ptx/compile/ssabuild"
)

// content is the initial bytes of a variable, and the addresses among them that are known when the
// module is loaded, by place.
type content struct {
	bytes    []byte
	pointers map[int]*pointer
}

// pointer is the address of a variable in global memory. The text may give it byte by byte.
type pointer struct {
	of     *ptx.Var
	addend uint32
	parts  uint8 // bytes that the text gives
}

// contentOf returns the initial content of a variable. Addresses in constant memory are known.
func (l *moduleLayout) contentOf(v *ptx.Var) (content, error) {
	c := content{pointers: map[int]*pointer{}}
	if v.Init == nil {
		return c, nil
	}
	c.bytes = slices.Clone(v.Init.Bytes)
	for _, r := range v.Init.Refs {
		of, ok := r.Of.(*ptx.Var)
		fn, isFunction := r.Of.(*ptx.Func)
		switch {
		case isFunction:
			store(c.bytes[r.Offset:r.Offset+r.Bytes], (uint64(l.functions[fn])+uint64(r.Addend))>>r.Shift)
		case ok && of.Space == ptx.Const:
			at := uint64(l.constants[of]) + uint64(r.Addend)
			if r.Generic {
				at += uint64(optimize.Window(ptx.Const))
			}
			store(c.bytes[r.Offset:r.Offset+r.Bytes], uint64(uint32(at))>>r.Shift)
		case ok && of.Space == ptx.Global && !isTexture(of):
			if !c.point(r, of) {
				return c, refused(v, "a word with two addresses in initial content is not supported")
			}
		default:
			return c, refused(v, "in initial content only the addresses of functions and of variables in .global and "+
				".const are supported")
		}
	}
	for _, at := range slices.Sorted(maps.Keys(c.pointers)) {
		p := c.pointers[at]
		if at < 0 || at+4 > len(c.bytes) || p.parts&0xf != 0xf {
			return c, refused(v, "a part of an address in initial content is not supported")
		}
		binary.LittleEndian.PutUint32(c.bytes[at:], p.addend)
	}
	return c, nil
}

func refused(v *ptx.Var, why string) error {
	return &ssabuild.Error{Pos: v.Pos, Message: v.Name + ": " + why}
}

// store writes the lower bytes of a value.
func store(to []byte, value uint64) {
	copy(to, binary.LittleEndian.AppendUint64(nil, value))
}

// point notes an address, or some bytes of it. What lies above 32 bits is zero. It reports false if
// there is another one.
func (c *content) point(r ptx.Ref, of *ptx.Var) bool {
	first := r.Shift / 8
	clear(c.bytes[r.Offset : r.Offset+r.Bytes])
	p := c.pointers[r.Offset-first]
	if p == nil {
		p = &pointer{of: of, addend: uint32(r.Addend)}
		c.pointers[r.Offset-first] = p
	}
	p.parts |= uint8((1<<r.Bytes - 1) << first)
	return p.of == of && p.addend == uint32(r.Addend)
}

// hasConstantAddress reports whether memory may hold generic addresses of constant memory when a
// kernel of the module begins: from the first content, or written by a kernel that ran before.
func hasConstantAddress(m *ptx.Module) bool {
	return slices.ContainsFunc(moduleVariables(m), func(v *ptx.Var) bool {
		return v.Init != nil && slices.ContainsFunc(v.Init.Refs, isConstantAddress)
	}) || slices.ContainsFunc(m.Items, func(item ptx.Item) bool {
		f, ok := item.(*ptx.Func)
		return ok && slices.ContainsFunc(f.Body, makesConstantAddress)
	})
}

func isConstantAddress(r ptx.Ref) bool {
	of, ok := r.Of.(*ptx.Var)
	return ok && of.Space == ptx.Const && r.Generic
}

func makesConstantAddress(s ptx.Stmt) bool {
	in, ok := s.(*ptx.Instr)
	return ok && in.Op == ptx.OpCvta && in.Space == ptx.Const && in.Mods&ptx.To == 0
}

// pointersOf puts the addresses of a variable's content into an image. in is the index of the
// variable among the global ones, or -1 if it begins at an offset of bank 0.
func (l *moduleLayout) pointersOf(im *cubin.Image, c content, in, offset int) {
	for _, at := range slices.Sorted(maps.Keys(c.pointers)) {
		of := l.globals[c.pointers[at].of]
		im.Pointers = append(im.Pointers, cubin.Pointer{In: in, Offset: offset + at, Of: of})
	}
}
