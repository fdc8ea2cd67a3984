package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/bits"

	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// What a reader takes, whatever the file says: 256 MiB altogether. Nearly half is for what there is
// to know of kernels, launches and frames, a quarter for parts whose turn comes later; the rest is
// for the frame that is read. What a recorder writes stays below all of them but the first.
const (
	mostContents = 96 << 20 // bytes of kernels, launches and frames, as a reader has them
	mostHeld     = 64 << 20 // bytes of parts that wait for their turn

	mostPayload  = 1 << 23 // bytes of a frame of issues that are compressed, or that are not
	mostParts    = 1 << 14 // of a frame
	mostKernel   = 1 << 23 // bytes of a kernel's description
	mostLaunch   = 1 << 16 // bytes of the description of a launch, or of its end
	mostCode     = 1 << 17 // instructions of a kernel: a mebibyte of code
	mostRows     = 1 << 17 // values of all instructions of a kernel
	mostValues   = 1 << 4  // of an instruction
	mostString   = 1 << 14 // bytes of a name or message
	mostTime     = 1 << 56 // rounds
	mostRegister = 128     // that an instruction can name
)

// mostWork is what Steps goes through at most, unless File.MostWork says otherwise.
const mostWork = 1 << 30

// LimitError is a trace that asks for more than its reader was given to do. What was read is good.
type LimitError struct{ Work uint64 }

// Error says how much there was.
func (e *LimitError) Error() string {
	return fmt.Sprintf("trace: reading takes more than the work of %d warp-instructions", e.Work)
}

// most returns how many bytes a frame of a kind may have, those that are not compressed, and the
// others after decompression.
func (k kind) most() (words, raw uint32) {
	switch k {
	case kindSteps:
		return mostPayload, mostPayload
	case kindKernel:
		return 0, mostKernel
	case kindLaunch, kindEnd:
		return 0, mostLaunch
	case kindIndex:
		return 0, mostContents / frameSize * indexEntry
	}
	return 0, 0
}

// checkSize says what is wrong with the sizes of a frame, "" if nothing is.
func (h *header) checkSize() string {
	words, raw := h.kind.most()
	compressed := uint64(h.stored) - uint64(h.words) // zstd adds a little to what it cannot compress
	if h.words > h.stored || h.words > words || h.raw > raw || compressed > uint64(h.raw)+uint64(h.raw)/64+64 {
		return fmt.Sprintf("a frame of %d bytes, of which %d are words and the rest becomes %d: larger than any", h.stored, h.words, h.raw)
	}
	return ""
}

// contents are the bytes that there still are for what a reader has to know of a file.
type contents struct{ left int64 }

// take takes n bytes for what stands at an offset.
func (c *contents) take(n int, offset int64) error {
	if c.left -= int64(n); c.left < 0 {
		return &FormatError{offset, fmt.Sprintf("more kernels, launches and frames than the %d MiB that there are for them", mostContents>>20)}
	}
	return nil
}

// Bytes that a reader has for a frame, a launch and an instruction, about.
const (
	frameSize       = 64
	launchSize      = 384
	instructionSize = 192
	rowSize         = 16
)

// check refuses a kernel that no recorder writes.
func (j *kernelJSON) check() error {
	switch {
	case len(j.Name) > mostString:
		return fmt.Errorf("a kernel with a name of %d bytes", len(j.Name))
	case j.Registers < 0 || j.Registers > mostRegister:
		return fmt.Errorf("a kernel with %d registers", j.Registers)
	case len(j.Code) > mostCode:
		return fmt.Errorf("a kernel of %d instructions: want at most %d", len(j.Code), mostCode)
	}
	return nil
}

// check refuses a launch that no device runs.
func (j *launchJSON) check(k *Kernel) error {
	l := simt.LimitsOf(k.Arch)
	threads := 1
	for i, n := range j.Block {
		if n < 1 || n > l.BlockDim[i] {
			return fmt.Errorf("a launch of blocks of %v threads: no device runs them", j.Block)
		}
		threads *= n
	}
	for i, n := range j.Grid {
		if n < 1 || n > l.GridDim[i] {
			return fmt.Errorf("a launch of a grid of %v blocks: no device runs it", j.Grid)
		}
	}
	switch {
	case threads > l.ThreadsPerBlock:
		return fmt.Errorf("a launch of blocks of %v threads: no device runs them", j.Block)
	case j.Shared < 0 || j.Shared > l.Shared:
		return fmt.Errorf("a launch with %d bytes of shared memory: no device has them", j.Shared)
	case len(j.Params) > 2*l.Params:
		return fmt.Errorf("a launch with %d bytes of parameters: want at most %d", len(j.Params)/2, l.Params)
	case len(j.Policy) > mostString:
		return fmt.Errorf("a launch with a policy whose name has %d bytes", len(j.Policy))
	}
	return nil
}

// warps returns the warps that a block of the launch has.
func (l *Launch) warps() branch.WarpSet {
	threads := l.Block[0] * l.Block[1] * l.Block[2]
	return branch.WarpSet(1<<((threads+lane.Width-1)/lane.Width) - 1)
}

// check says what is wrong with a frame of issues of the launch, "" if nothing is.
func (l *Launch) check(fr *frame) string {
	if uint64(fr.block)+uint64(fr.blocks) >= uint64(l.Grid[0])*uint64(l.Grid[1]) || fr.warps&^l.warps() != 0 {
		return "issues of blocks or warps that their launch does not have"
	}
	return ""
}

// work is what a reader may still do, in about the time that an issue takes. Nil is no limit.
type work struct{ left, most uint64 }

func newWork(most uint64) *work {
	if most == 0 {
		return nil
	}
	return &work{most, most}
}

// do takes n from it. It reports false if there is not so much.
func (w *work) do(n int) bool {
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

// costs of what is not issues.
func (h *header) cost() int { return 64 + int(h.raw)/16 + int(h.words)/256 }

func (l *layout) cost(warps branch.WarpSet) int {
	return 1 + bits.OnesCount16(uint16(warps))*(l.places+l.rows)/64
}

// texts and indices are lists with an element for each instruction at most, whose memory is taken at
// once.
type (
	texts   []string
	indices []int
)

// UnmarshalJSON refuses more texts than a kernel has instructions.
func (t *texts) UnmarshalJSON(data []byte) error { return elements(data, (*[]string)(t)) }

// UnmarshalJSON refuses more indices than a kernel has instructions.
func (x *indices) UnmarshalJSON(data []byte) error { return elements(data, (*[]int)(x)) }

func elements[T any](data []byte, list *[]T) error {
	n := bytes.Count(data, []byte{','}) + 1
	if n > mostCode {
		return fmt.Errorf("a kernel of more than %d instructions", mostCode)
	}
	*list = make([]T, 0, n)
	return json.Unmarshal(data, list)
}
