// Package carrier finds the device code in a file: a cubin or fat binary itself, or those inside an
// executable, a shared library, an object file or an archive.
//
// [Find] reads a file. It finds the fat binaries of CUDA 4.0 and later by their magic number,
// anywhere in the file. The older ones are structs of pointers: an ELF program is laid out as the
// loader would do it (program.go).
package carrier
