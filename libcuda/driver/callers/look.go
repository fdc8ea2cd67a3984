package callers

import (
	"runtime"
	"unsafe"
)

// Looked reports whether the program reads the result of a call, or may: the code behind the call
// reads the register of the result before it gets another value. Where a function returns the
// result, the code behind that function's call decides.
//
// A result that the program keeps in a variable counts as read. So does any that this function
// cannot follow.
func (c *Call) Looked() bool {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "386" {
		return true
	}
	s := search{code: memory, wide: runtime.GOARCH == "amd64"}
	for _, pc := range c.behind {
		switch s.from(pc) {
		case used:
			return true
		case unused:
			return false
		}
	}
	return true
}

// memory returns the code of the process at pc. Its pages are there as long as the file is.
func memory(pc uintptr) []byte {
	const most, page = 16, 4096 // the longest instruction
	n := most
	if left := page - pc%page; left < most && !Readable(pc+left) {
		n = int(left)
	}
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), pc)), n)
}

// fate is what becomes of a result.
type fate uint8

const (
	unused fate = iota
	returned
	used
)

// search follows code from a return address.
type search struct {
	code func(pc uintptr) []byte
	wide bool // 64-bit code
	seen map[uintptr]bool
}

// from returns what the code from pc on does with a result.
func (s *search) from(pc uintptr) fate {
	s.seen = map[uintptr]bool{}
	return s.follow(pc)
}

// follow goes on at pc, unless the search has been there.
func (s *search) follow(pc uintptr) fate {
	const most = 200 // instructions; compilers do not keep a result there for longer
	for !s.seen[pc] {
		s.seen[pc] = true
		i, ok := decode(s.code(pc), s.wide)
		if !ok || i.reads || len(s.seen) > most {
			return used
		}
		pc += uintptr(i.size)
		switch i.goes {
		case returns:
			return returned
		case calls, stops:
			return unused
		case jumps:
			pc += uintptr(i.to)
		case branches:
			if f := s.follow(pc + uintptr(i.to)); f == used {
				return used
			} else if g := s.follow(pc); g > f {
				return g
			} else {
				return f
			}
		}
		if i.writes {
			return unused
		}
	}
	return unused
}
