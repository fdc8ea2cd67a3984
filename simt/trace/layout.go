package trace

import "math/bits"

// layout is what writer and reader of a kernel's issues share.
type layout struct {
	decides []bool  // by instruction: a branch, which some lanes may take and some not
	places  int     // for what followed a stretch: a power of two
	slots   []int32 // by instruction: the place of its first value among all
	rows    int     // values of all instructions
}

// mostPlaces bounds what a part of few issues begins with. Stretches that end half as many instructions apart share a place.
const mostPlaces = 1 << 9

// lay makes the kernel's layout.
func (k *Kernel) lay() {
	l := layout{decides: k.Decides, places: min(mostPlaces, 1<<bits.Len(uint(2*len(k.Code))))}
	for _, v := range k.Values {
		l.slots = append(l.slots, int32(l.rows))
		l.rows += len(v)
	}
	k.layout = l
}
