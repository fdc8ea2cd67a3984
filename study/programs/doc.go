// Package programs runs CUDA programs as child processes on builds of the simulator. [Command.Run]
// runs any process to its end, [Run] a program, which is judged by its output; [Bench] runs a program
// in several ways and measures how fast its kernels ran.
//
// Reading order: setup.go, run.go, verdict.go, bench.go, table.go.
package programs
