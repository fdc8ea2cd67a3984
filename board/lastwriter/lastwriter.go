package lastwriter

import (
	"fmt"

	"jacquard/simt"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// Writer is the last write to a piece of memory in the reference order.
type Writer struct {
	Block  [2]int
	Thread [3]int
	Warp   int // of the block
	Lane   int
	Time   uint64 // rounds since the block's wave began
	PC     uint32 // byte address in the kernel
	Text   string // the instruction

	// Others is the number of other threads that wrote there. Unless all writes are atomics,
	// hardware decides which write is the last.
	Others int
}

// String gives the place and the instruction: "block (1,0), thread (3,0,0), pc 0x48: mov b32
// g14[$r2] $r0".
func (w *Writer) String() string {
	s := fmt.Sprintf("block (%d,%d), thread (%d,%d,%d), pc 0x%x: %s",
		w.Block[0], w.Block[1], w.Thread[0], w.Thread[1], w.Thread[2], w.PC, w.Text)
	if w.Others > 0 {
		s += fmt.Sprintf(" (and %d more threads wrote there)", w.Others)
	}
	return s
}

// Find runs l on before, which it changes. It returns the last write to the size bytes at address,
// nil if no thread wrote there. If the launch faults, all writes count that it left in memory, even
// writes of other blocks of the wave after the fault.
func Find(l *simt.Launch, before *mem.Space, address uint32, size int) *Writer {
	again := l.Again(before)
	from := uint64(address)
	f := &finder{address: from, end: from + uint64(size), shape: l.Block, threads: map[[2]int]bool{}}
	again.Observer = f
	simt.Run(&again) // the error is the first run's
	if f.last == nil {
		return nil
	}
	f.last.Others = len(f.threads) - 1
	return f.last
}

// finder observes all blocks, in the order in which they run: the last write that it is told of is
// the last.
type finder struct {
	address, end uint64
	shape        [3]int

	last    *Writer
	threads map[[2]int]bool // threads that wrote: number of the block, number in the block
}

func (f *finder) Block(b *simt.Block) simt.BlockObserver { return &blockFinder{f, b} }

type blockFinder struct {
	f *finder
	b *simt.Block
}

func (o *blockFinder) End() {}

// Issue looks for writes to the finder's memory.
func (o *blockFinder) Issue(i *simt.Issue) {
	class := i.Instruction.Op.Class()
	if i.Instruction.Bad != tesla.OK || !i.Instruction.Op.HandsOver(1) || class != tesla.ClassGlobal && class != tesla.ClassAtomic {
		return
	}
	size := uint64(mem.Size(i.Instruction.Type))
	for w := range i.Warps() {
		if w.Addresses == nil {
			continue
		}
		for l, at := range w.Addresses {
			if at := uint64(at); w.Executed>>l&1 != 0 && at < o.f.end && at+size > o.f.address {
				o.f.wrote(o.b, i, w.Warp, l)
			}
		}
	}
}

// wrote records a write.
func (f *finder) wrote(b *simt.Block, i *simt.Issue, warp, l int) {
	n := warp*lane.Width + l
	f.threads[[2]int{b.Number(), n}] = true
	x, y := f.shape[0], f.shape[1]
	f.last = &Writer{
		Block: b.Index(), Thread: [3]int{n % x, n / x % y, n / (x * y)}, Warp: warp, Lane: l,
		Time: i.Time, PC: i.PC, Text: i.Instruction.String(),
	}
}
