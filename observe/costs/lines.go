package costs

import (
	"slices"

	"jacquard/simt"
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// lineBytes is the size of a cache line, which the port serves in one access to all lanes of a
// warp that want it: C. Collange, "Stack-less SIMT reconvergence at low cost" (2011), section 4.2.
const lineBytes = 128

// lines is a list of lines of device memory that an issue touches. It is memory that issues share.
type lines struct{ list []uint64 }

// replays returns how often an access to device memory is issued again, until all lanes are served:
// once for each line but the first. A lane that is not served keeps its pc, which is the least then,
// so its access comes before anything else. Lanes are served together if they want one line, of one
// element or of several.
func (l *lines) replays(u *program.Op, i *simt.Issue) uint64 {
	l.list = l.list[:0]
	for w := range i.Warps() {
		if w.Addresses != nil {
			l.touch(u, w)
		}
	}
	slices.Sort(l.list)
	return uint64(max(0, len(slices.Compact(l.list))-1))
}

// touch adds the lines of one home warp. Word k of the lanes of a warp is one line of local memory:
// see mem.Traffic.
func (l *lines) touch(u *program.Op, w simt.WarpIssue) {
	for n := range lane.Width {
		if w.Executed>>n&1 == 0 {
			continue
		}
		at := w.Addresses[n]
		switch u.Space {
		case program.SpaceGlobal:
			l.list = append(l.list, uint64(at/lineBytes))
		case program.SpaceLocal:
			for word := range uint32(u.Words) {
				l.list = append(l.list, uint64(w.Warp)<<32|uint64(at/4+word))
			}
		}
	}
}
