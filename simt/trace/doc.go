// Package trace records what a launch did, one warp-instruction after the other, and reads it
// again.
//
// A [Recorder] is attached to launches and writes a .jqt file while they run; a [File] reads one.
// The file holds the kernels' code, so a reader prints disassembly without the cubin, and
// an index by launch, block and warp, so it reads no more than it needs. A file whose writer was
// killed is readable up to the last frame.
//
// A reader takes at most 256 MiB, whatever the file says, and bounded time: limits.go.
//
// docs/trace-format.md describes the format byte by byte. Read options.go for what can be
// recorded, recorder.go and observe.go for how, strand.go and predict.go for why it is small, order.go for why
// it is the same whoever runs the blocks; then reader.go, gather.go and steps.go.
package trace
