package mem

import "jacquard/simt/lane"

// Local memory lies in device memory, word by word: word k of the lanes of a warp is 128 bytes
// in the order of lanes, which begin at a multiple of 128, as [Local] has them. Lanes at one
// offset make one run.
//
// Unverified: that elements of 64 and 128 bits are served word by word; reading a profiler's
// counters on a board would settle it.

// addLocal counts an access to local memory of size bytes a lane that survey found to be p.
func (t *Traffic) addLocal(addr *lane.Row, m lane.Mask, size uint32, p pattern) {
	words := max(1, size/4)
	if p == broadcast && size >= 4 {
		for range words {
			t.addRun(0, m, 4)
		}
		return
	}
	for k := range words {
		var at lane.Row
		for i, a := range addr {
			at[i] = (a/4+k)*4*lane.Width + 4*uint32(i) + a%4
		}
		t.add(&at, m, min(size, 4), scattered)
	}
}

// CountLocal counts an access to local memory of size bytes a lane that nobody checks. m may be
// empty.
func (t *Traffic) CountLocal(addr *lane.Row, m lane.Mask, size uint32) {
	t.addLocal(addr, m, size, scattered)
}
