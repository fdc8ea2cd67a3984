package schedule

import (
	"runtime"
	"sync/atomic"
	"unsafe"
)

// copyPiece is how many bytes a helper copies at a time. Blocks of fewer than two are copied before
// one wakes up; and beyond a few cores memory is what takes the time.
const (
	copyPiece   = 512 << 10
	mostCopiers = 4
)

// Copy copies src to dst as the copy of Go does, which may overlap; large blocks by up to so many
// cores, 0 for all there are.
func (c *Pool) Copy(dst, src []byte, cores int) {
	n := min(len(dst), len(src))
	pieces := n / copyPiece
	if pieces < 2 || cores == 1 || overlap(dst[:n], src[:n]) {
		copy(dst, src)
		return
	}
	if cores == 0 {
		cores = runtime.GOMAXPROCS(0)
	}
	cores = min(cores, mostCopiers, pieces)
	var next atomic.Int64
	c.share(cores-1, func(int) {
		for {
			end := int(next.Add(copyPiece))
			first := end - copyPiece
			if first >= n {
				return
			}
			copy(dst[first:min(end, n)], src[first:n])
		}
	})
}

// overlap reports whether blocks of the same length share a byte.
func overlap(a, b []byte) bool {
	x, y := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return max(x, y)-min(x, y) < uintptr(len(a))
}
