// Package trace records every warp-instruction of a launch in a file, and reads the file.
//
// A [Recorder] is attached to launches and writes a .jqt file while they run; a [File] reads one.
// The file has the kernels' code, so a reader prints disassembly without the cubin, and an index by
// launch, block and warp, so a reader reads no more than it needs. A file whose writer was killed
// is readable up to the last frame. A reader takes at most 256 MiB, whatever the file says, and
// bounded time.
//
// Package codec has the format. Read options.go for what can be recorded, recorder.go and
// observe.go for how, order.go for why the file does not depend on workers; then reader.go,
// gather.go and steps.go.
package trace
