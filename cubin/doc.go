// Package cubin reads files and memory that hold machine code for sm_10 .. sm_13 into an [Image].
//
// [Open] and [Read] recognise a text cubin (CUDA 1.0 .. 2.3), an ELF cubin (3.0 .. 6.5), PTX, or a
// fat binary with the same module for several architectures ([Contents]). [Contents.Select] picks
// the entry for a device as the driver would, and [Entry.Image] reads it. [Parse] does all of that
// for a single file. [Format] writes a text cubin, [FormatELF] an ELF cubin, [FormatFatBinary] a fat
// binary.
//
// For any data the result is an Image or a typed error, never a panic. Memory use is bounded by a
// small multiple of the length of the data, or of the most that its compression can hold.
//
// Reading order: image.go defines the result; container.go recognises containers and contents.go
// lists their entries. Text cubins: lex.go, text.go and blocks.go; format.go writes them. ELF
// cubins: elf.go takes files apart, elfmodule.go, elfinfo.go and elfline.go make modules of them;
// formatelf.go, formatinfo.go and formatline.go write them, and formatfile.go lays out the file. Fat
// binaries: fatflat.go, fatstruct.go, compression.go; formatflat.go writes them. memory.go reads a
// program's memory and checks every range, and limits.go bounds the numbers of a module. Package
// cubintest has writers for tests.
//
// The package knows files only. Devices, addresses and launches belong to the driver.
package cubin
