// Package carrier finds the device code in a file: a cubin or fat binary itself, or the ones
// inside a program, a library, an object file or an archive of Linux or Windows.
//
// [Find] reads a file. It takes archives apart (archive.go) and finds the fat binaries of CUDA 4.0
// and later by their magic number, anywhere in the file. The older ones are structs of pointers, so
// the file is laid out as linker and loader would do it (layout.go), with its relocations applied:
// ELF (elf.go), COFF and PE (coff.go).
//
// A file may be hostile. The bytes that are laid out, the relocations applied and the bytes read from
// candidates are all bounded by the length of the file.
package carrier
