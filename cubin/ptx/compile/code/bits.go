package code

import "math/bits"

// set is a set of small numbers.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }
func (s set) add(i int)      { s[i>>6] |= 1 << (i & 63) }

// each calls visit for the members, lowest first.
func (s set) each(visit func(i int)) {
	for w, m := range s {
		for ; m != 0; m &= m - 1 {
			visit(w*64 + bits.TrailingZeros64(m))
		}
	}
}

// addRange adds from to to-1.
func (s set) addRange(from, to int32) {
	for w := from >> 6; w <= (to-1)>>6; w++ {
		s[w] |= within(w, from, to)
	}
}

// clash reports whether the set has a member from from to to-1.
func (s set) clash(from, to int32) bool {
	for w := from >> 6; w <= (to-1)>>6; w++ {
		if s[w]&within(w, from, to) != 0 {
			return true
		}
	}
	return false
}

// within returns the bits of word w for numbers from from to to-1.
func within(w, from, to int32) uint64 {
	mask := ^uint64(0)
	if first := from - w<<6; first > 0 {
		mask <<= first
	}
	if last := to - w<<6; last < 64 {
		mask &= 1<<last - 1
	}
	return mask
}
