// Package main is the shared library: libcuda.so.1, the place where C programs enter the simulator.
//
// A call goes through three layers. The exported C function (exports_gen.c) asks entry.c for the calling thread's
// number, and answers an error in a forked child, where a Go runtime cannot run. The Go function behind it, in the
// file of the call's chapter, converts the arguments, calls the driver and stores the results. The driver
// (jacquard/libcuda/driver) does everything else.
//
// There is no logic and no state here, with two exceptions that only C can see to: the numbering of threads
// (entry.c) and the interrupt key (interrupt.go). The tables in api say which symbols there are; go generate makes
// from them the entry points, the linker's version script libcuda.map, include/cuda.h and docs/api.md.
//
// Reading order: api, entry.c, boundary.go, then any chapter. lib.mk has the commands that build the library.
package main
