// Package bundle writes and reads recordings of what a CUDA program had its device do: for every
// launch the code, the shape, the parameters, the textures, the memory that it could read, and what
// it left there. A bundle needs neither the program nor the simulator to be of use: whoever can
// load a cubin and launch a kernel can run it again and compare.
//
// A [Recorder] appends to a file as launches happen. Memory is written as pages that changed since
// they were last written, which the recorder knows by their hashes, so that it keeps a
// five-hundredth of the program's memory and no copy of it. Whatever ends the program, the file is
// good up to the last launch that ended. A [Reader] returns one launch after the other, with the
// memory as it was before.
//
// A reader holds at most 96 MiB, or four times the file, unless its MostMemory says otherwise:
// limits.go.
//
// docs/bundle-format.md has the format byte by byte. Reading order: launch.go (what is recorded),
// options.go, format.go (frames), recorder.go and pages.go, reader.go and state.go, errors.go.
package bundle
