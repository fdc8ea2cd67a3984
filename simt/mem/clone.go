package mem

// Clone returns a Space with the same allocations and mappings at the same addresses. content
// returns their bytes with slack, as many as there are: a copy of data, or what stood there at
// another time.
func (s *Space) Clone(content func(addr uint32, data []byte) []byte) *Space {
	c := &Space{capacity: s.capacity, used: s.used, next: s.next}
	for _, a := range s.live {
		data := content(a.base, a.whole())
		if len(data) != cap(a.data) {
			panic("mem: a clone's allocation has another size")
		}
		b := &allocation{base: a.base, data: split(data, len(data)-len(a.data)), charge: a.charge}
		c.live = append(c.live, b)
		c.enter(b, b)
	}
	return c
}
