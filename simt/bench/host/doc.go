// Package host measures what the processor achieves without a simulator, for comparison.
//
// [Build] compiles a C program (c/host.c) with the system's compiler. [Host.Operations] times an
// operation on 32 lanes in a plain loop, which no simulator that keeps registers as rows can beat
// by much; [Host.Run] runs one of the benchmark's algorithms on one core and answers its results
// too, so that a test can compare them with the simulated ones.
package host
