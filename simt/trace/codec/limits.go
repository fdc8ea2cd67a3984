package codec

import (
	"math/bits"

	"jacquard/simt/branch"
)

// What a reader takes of one file, whatever the file says. What a recorder writes stays below.
const (
	MostContents = 96 << 20 // bytes of kernels, launches and frames, as a reader has them
	MostPayload  = 1 << 23  // bytes of a frame of issues that are compressed, or that are not
	MostParts    = 1 << 14  // of a frame
	MostString   = 1 << 14  // bytes of a name or message

	mostKernel   = 1 << 23 // bytes of a kernel's description
	mostLaunch   = 1 << 16 // bytes of the description of a launch, or of its end
	mostCode     = 1 << 17 // instructions of a kernel: a mebibyte of code
	mostRows     = 1 << 17 // values of all instructions of a kernel
	mostValues   = 1 << 4  // of an instruction
	mostTime     = 1 << 56 // rounds
	mostRegister = 128     // that an instruction can name
)

// Bytes that a reader has for a frame, an instruction and a row, about.
const (
	FrameSize       = 64
	instructionSize = 192
	rowSize         = 16
)

// IndexEntry is the bytes that an index has per frame: where the frame begins, and its header.
const IndexEntry = 8 + HeaderSize

// most returns how many bytes of words a frame of a kind has at most, and how many others after
// decompression.
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

// Work is what a reader may still do, in about the time that an issue takes. A nil Work is no
// limit.
type Work struct{ left uint64 }

// NewWork returns a Work of n, nil if n is 0.
func NewWork(n uint64) *Work {
	if n == 0 {
		return nil
	}
	return &Work{n}
}

// Do takes n from w. It reports false if w has less.
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

// Cost is the work that reading the frame takes.
func (h *Header) Cost() int { return 64 + int(h.Raw)/16 + int(h.Words)/256 }

// cost is the work that starting a part of these warps takes.
func (l *layout) cost(warps branch.WarpSet) int {
	return 1 + bits.OnesCount16(uint16(warps))*(l.places+l.rows)/64
}
