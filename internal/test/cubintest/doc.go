// Package cubintest writes ELF cubins and fat binaries for tests, in the layouts of NVIDIA's tools.
//
// elf.go writes ELF cubins ([ELF]), flat.go the container of CUDA 4.0 and later ([Flat]), and
// memory.go the structs that programs hand to the driver, in a memory of their own ([Memory]).
package cubintest
