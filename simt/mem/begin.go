package mem

// Begin has the next allocation lie at addr, a multiple of 4096, or behind it, if there is room. It is meant for a Space
// without allocations.
func (s *Space) Begin(addr uint32) { s.next = max(addr>>pageBits, firstPage) }
