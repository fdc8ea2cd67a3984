// Package cubintest writes ELF cubins and fat binaries for tests, in the shapes that the tools of
// their time wrote.
//
// elf.go writes ELF cubins ([ELF]), flat.go the container of CUDA 4.0 and later ([Flat]), memory.go
// the structs that programs hand to the driver, with a memory to keep them in ([Memory]).
package cubintest
