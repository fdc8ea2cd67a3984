package ptx

// pools hand out pointers into larger pieces, so that a text needs few allocations.
type pools struct {
	instrs   pool[Instr]
	operands pool[Operand]
	vars     pool[Var]
	scratch  []Operand // of the instruction that is read
}

// pool hands out pointers to values.
type pool[T any] struct {
	free []T
	size int
}

// many returns a slice of so many zero values, nil for none. Its capacity is its length.
func (p *pool[T]) many(n int) []T {
	if n == 0 {
		return nil
	}
	if n > len(p.free) {
		const first, most = 16, 512
		p.size = min(max(2*p.size, first), most)
		p.free = make([]T, max(n, p.size))
	}
	all := p.free[:n:n]
	p.free = p.free[n:]
	return all
}

// one returns a pointer to a zero value.
func (p *pool[T]) one() *T { return &p.many(1)[0] }

// keep returns a copy of a slice.
func (p *pool[T]) keep(values []T) []T {
	all := p.many(len(values))
	copy(all, values)
	return all
}
