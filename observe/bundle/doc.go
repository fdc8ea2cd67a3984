// Package bundle writes and reads recordings of a CUDA program's launches: the code, the shape, the
// parameters, the textures, the memory before and the memory after. A bundle needs neither the
// program nor the simulator: any tool that can load a cubin and launch a kernel can replay it and
// compare.
//
// A [Recorder] appends to a file as launches happen. It writes only pages that changed since they
// were last written. It finds them by their hashes, which take a five-hundredth of the program's
// memory; it keeps no copy. However the program ends, the file is good up to the last launch that
// ended. A [Reader] returns one launch after the other, with the memory before it.
//
// A reader holds at most 96 MiB, or four times the file, unless its MostMemory says otherwise
// (limits.go).
//
// docs/bundle-format.md defines the format byte by byte. Reading order: launch.go (the recorded
// data), options.go, format.go (frames), recorder.go and pages.go, untouched_linux.go (pages not to
// read), finish.go (the end of a recording), reader.go and state.go, errors.go.
package bundle
