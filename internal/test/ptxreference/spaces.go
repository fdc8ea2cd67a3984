package ptxreference

import "jacquard/ptx"

// Generic addresses are global addresses, except in four windows of 16 MB, which show the other
// spaces from their offset 0 on.
const (
	windowSize   = 1 << 24
	paramWindow  = 0xfc000000
	constWindow  = 0xfd000000
	localWindow  = 0xfe000000
	sharedWindow = 0xff000000
	windowsStart = paramWindow
	windowsEnd   = sharedWindow + windowSize
)

// windowOf returns the generic address of offset 0 of a space; 0 for global memory. ok is false for
// a space without generic addresses.
func windowOf(s ptx.Space) (base uint64, ok bool) {
	switch s {
	case ptx.Global:
		return 0, true
	case ptx.Param:
		return paramWindow, true
	case ptx.Const:
		return constWindow, true
	case ptx.Local:
		return localWindow, true
	case ptx.Shared:
		return sharedWindow, true
	}
	return 0, false
}

// spaceOf returns the space that a generic address lies in.
func spaceOf(address uint64) ptx.Space {
	switch {
	case address < windowsStart || address >= windowsEnd:
		return ptx.Global
	case address >= sharedWindow:
		return ptx.Shared
	case address >= localWindow:
		return ptx.Local
	case address >= constWindow:
		return ptx.Const
	}
	return ptx.Param
}

// specific turns a generic address into one of its space.
func specific(s ptx.Space, address uint64) (ptx.Space, uint64) {
	if s != ptx.Generic {
		return s, address
	}
	s = spaceOf(address)
	base, _ := windowOf(s)
	return s, address - base
}

// bytes returns n bytes of a space as the thread sees it.
func (t *thread) bytes(s ptx.Space, address uint64, n int, write bool) ([]byte, error) {
	space, offset := specific(s, address)
	var b []byte
	switch space {
	case ptx.Global:
		b = t.block.program.memory.Bytes(offset, n)
	case ptx.Shared:
		b = window(t.block.shared, offset, n)
	case ptx.Local:
		b = window(t.local, offset, n)
	case ptx.Const:
		b = window(t.block.program.constant, offset, n)
	case ptx.Param:
		b = window(t.block.params, offset, n)
	}
	switch {
	case n > 0 && offset%uint64(n) != 0:
		return nil, t.fault(Fault, "%d bytes at misaligned %s address %#x", n, spaceName(s), address)
	case b == nil:
		return nil, t.fault(Fault, "%d bytes at %s address %#x", n, spaceName(s), address)
	case write && (space == ptx.Const || space == ptx.Param):
		return nil, t.fault(Fault, "a store to %s address %#x", spaceName(s), address)
	}
	return b, nil
}

func spaceName(s ptx.Space) string {
	switch s {
	case ptx.Generic:
		return "generic"
	case ptx.Const:
		return "const"
	case ptx.Global:
		return "global"
	case ptx.Local:
		return "local"
	case ptx.Param:
		return "param"
	case ptx.Shared:
		return "shared"
	}
	return "unknown"
}
