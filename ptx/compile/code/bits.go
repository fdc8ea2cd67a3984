package code

import "math/bits"

// set is a set of small numbers.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }
func (s set) add(i int)      { s[i>>6] |= 1 << (i & 63) }

// window is a set that is filled and emptied again and again. Its cost grows with the distance of
// its members, not with the numbers that it has room for.
type window struct {
	set
	low, high int // the words that may have members: low..high-1
}

func (w *window) has(i int32) bool { return w.set.has(int(i)) }

func (w *window) add(i int32) {
	at := int(i >> 6)
	if w.low == w.high {
		w.low, w.high = at, at+1
	}
	w.low, w.high = min(w.low, at), max(w.high, at+1)
	w.set.add(int(i))
}

func (w *window) remove(i int32) { w.set[i>>6] &^= 1 << (i & 63) }

// takeRuns empties the set and returns its members as runs, in ascending order.
func (w *window) takeRuns() (list []run) {
	for at := w.low; at < w.high; at++ {
		for word := w.set[at]; word != 0; {
			first := bits.TrailingZeros64(word)
			n := bits.TrailingZeros64(^(word >> first))
			word &^= (1<<n - 1) << first
			from := int32(64*at + first)
			to := from + int32(n) - 1
			if k := len(list); k > 0 && list[k-1].last == from-1 {
				list[k-1].last = to
			} else {
				list = append(list, run{from, to})
			}
		}
		w.set[at] = 0
	}
	w.low, w.high = 0, 0
	return list
}
