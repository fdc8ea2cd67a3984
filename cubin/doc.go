// Package cubin reads the files and memory that hold machine code for sm_10 .. sm_13 into an
// [Image].
//
// [Open] and [Read] tell what is there: a text cubin (CUDA 1.0 .. 2.3), an ELF cubin (3.0 .. 6.5),
// PTX, or a fat binary with the same module for several architectures ([Contents]).
// [Contents.Select] takes what a device runs, as the driver would, and [Entry.Image] reads it.
// [Parse] does all of that for a single file.
//
// Whatever the data, the answer is an Image or a typed error: there is no panic, and no more memory
// is taken than a small multiple of the data's length, or of what its compression can hold.
//
// Reading order: image.go is what every container becomes; container.go tells containers apart and
// contents.go what is in them. Text cubins: lex.go, text.go and blocks.go; format.go writes them.
// ELF cubins: elf.go takes files apart, elfmodule.go and elfinfo.go make modules of
// them. Fat binaries: fatflat.go, fatstruct.go, compression.go. memory.go reads a program's memory
// without going astray, and limits.go says which numbers a module may hold. Package cubintest has
// writers for tests.
//
// The package knows files only. Devices, addresses and launches are the driver's affair.
package cubin
