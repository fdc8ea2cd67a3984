package translate

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// kept on the heap, as the frames of engines are.
var someFrames []*frame

// Rows of the frame begin with a cache line: a row across two lines costs twice as much. Go puts
// eight bytes of its own before an object of this size.
func TestFrameRows(t *testing.T) {
	for range 8 {
		f := new(frame)
		someFrames = append(someFrames, f)
		require.Zero(t, uintptr(unsafe.Pointer(&f.scratch))%64)
	}
}
