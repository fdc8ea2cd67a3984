// Package programs runs CUDA programs as child processes on builds of the simulator. [Run] runs one
// and judges by its output whether it went well; [Bench] runs a program in several ways and
// measures how fast its kernels ran.
//
// Reading order: setup.go, run.go, verdict.go, bench.go, table.go.
package programs
