// Package main is the simulator's shared library, libjacquard.so.1, which libcuda.so.1 loads.
//
// C programs load libcuda.so.1, a small C library (entry). The first call loads libjacquard.so.1
// and starts the Go runtime. A call then goes through four layers:
//
//  1. The exported C function (entry/exports_gen.c) puts its arguments into the calling thread's
//     gate (gate.h) and waits in C.
//  2. The simulator's thread for that gate (serve.c) unpacks the arguments (servers_gen.c).
//  3. The Go function in the file of the call's chapter converts the arguments, calls the driver
//     and stores the results.
//  4. The driver (jacquard/libcuda/driver) does everything else.
//
// No Go code runs on a thread of the program, and no signal handler of the program runs on a thread
// of the simulator: keeper.c, mask.c and signals.c ensure that, and docs/design/0026 gives the
// reason. The program's functions, and its OpenGL (programgl.go, entry/gl.c), run on the program's
// thread that made the call. The only other logic here is the interrupt key (interrupt.go).
//
// The tables in api list the symbols. From them go generate makes the entry points, the servers,
// the linker's version script, include/cuda.h and docs/api.md.
//
// docs/architecture.md follows a launch from cuLaunchKernel to the first lane.
//
// Reading order: api, gate.h, entry/entry.c, serve.c, boundary.go, then any chapter. lib.mk builds
// both libraries. The runtime library, libcudart, is in runtime, and uses the driver alone.
package main
