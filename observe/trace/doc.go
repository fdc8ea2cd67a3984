// Package trace records every warp-instruction of a launch in a file, and reads the file.
//
// A [Recorder] is attached to launches and writes a .jqt file while they run; a [File] reads one.
// The file holds the code of the kernels, so a reader prints disassembly without the cubin. It has
// an index by launch, block and warp, so a reader reads no more than it needs. If the writer is
// killed, the file is readable up to the last complete frame. A reader takes at most 256 MiB for
// any file, and bounded time.
//
// Package codec defines the format. Read options.go for what can be recorded, recorder.go and
// observe.go for the writer, and order.go for why the file does not depend on workers; then
// reader.go, gather.go and steps.go.
package trace
