// Package carrier finds the device code that a file carries: a cubin or fat binary itself, or those
// inside an executable, a shared library, an object file or an archive.
//
// [Find] reads a file. The later fat binaries are found by their magic number, wherever in a file
// they are; the older ones are structs of pointers, for which an ELF program is laid out as the
// loader would (program.go).
package carrier
