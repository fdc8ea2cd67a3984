// Package host measures the speed of the processor without a simulator, for comparison.
//
// [Build] compiles a C program (c/host.c) with the system's compiler. [Host.Operations] times an
// operation on 32 lanes in a plain loop; no simulator that keeps registers as rows can be much
// faster. [Host.Run] runs one of the benchmark's algorithms on one core. It also returns the
// results, so that a test can compare them with the simulated ones.
package host
