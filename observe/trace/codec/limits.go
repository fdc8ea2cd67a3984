package codec

import (
	"math/bits"

	"jacquard/simt/branch"
)

// Limits of a reader, for any file. A recorder stays below them.
const (
	MostContents = 96 << 20 // bytes of kernels, launches and frames in the reader's memory
	MostPayload  = 1 << 23  // bytes of compressed data, or of words, per frame of issues
	MostParts    = 1 << 14  // per frame
	MostString   = 1 << 14  // bytes of a name or message

	mostKernel   = 1 << 23 // bytes of a kernel's description
	mostLaunch   = 1 << 16 // bytes of the description of a launch, or of an end
	mostCode     = 1 << 17 // instructions of a kernel: a mebibyte of code
	mostRows     = 1 << 17 // values of all instructions of a kernel
	mostValues   = 1 << 4  // per instruction
	mostTime     = 1 << 56 // rounds
	mostRegister = 128     // registers that an instruction can name
)

// Approximate bytes in a reader's memory per frame, instruction and row.
const (
	FrameSize       = 64
	instructionSize = 192
	rowSize         = 16
)

// IndexEntry is the bytes per frame of an index: the frame's offset and header.
const IndexEntry = 8 + HeaderSize

// most returns the most bytes of words of a frame of kind k, and of other data after decompression.
func (k Kind) most() (words, raw uint32) {
	switch k {
	case IssuesFrame:
		return MostPayload, MostPayload
	case KernelFrame:
		return 0, mostKernel
	case LaunchFrame, EndFrame:
		return 0, mostLaunch
	case IndexFrame:
		return 0, MostContents / FrameSize * IndexEntry
	}
	return 0, 0
}

// Work is a budget of a reader; one unit takes about the time of one issue. A nil Work is
// unlimited.
type Work struct{ left uint64 }

// NewWork returns a budget of n, nil if n is 0.
func NewWork(n uint64) *Work {
	if n == 0 {
		return nil
	}
	return &Work{n}
}

// Do takes n from w. It reports false if w holds less.
func (w *Work) Do(n int) bool {
	if w == nil {
		return true
	}
	if uint64(n) > w.left {
		w.left = 0
		return false
	}
	w.left -= uint64(n)
	return true
}

// Cost returns the work of reading the frame.
func (h *Header) Cost() int { return 64 + int(h.Raw)/16 + int(h.Words)/256 }

// cost returns the work of starting a part with these warps.
func (l *layout) cost(warps branch.WarpSet) int {
	return 1 + bits.OnesCount16(uint16(warps))*(l.places+l.rows)/64
}
