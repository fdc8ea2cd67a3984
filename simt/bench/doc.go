// Package bench measures how fast the simulator runs kernels.
//
// A [Workload] is a kernel with generated inputs, large enough that all of a few hundred blocks
// have work; [Workloads] lists them. [Classes] are kernels that execute one kind of instruction
// over and over. [Workload.Prepare] makes a launch, and [Bench.Run] launches it again and again and
// answers the fastest launch, a [Result]. Statistics are on, as users have them; [Bench.Costs]
// shows what they take, and observers, traces and other divergence policies. A [Rival] sets results
// against the host without a simulator: a plain loop over lanes, the same algorithm in C. [Report]
// makes tables of all.
//
// Reading order: workload.go, workloads.go, bench.go, compare.go, costs.go, classes.go, report.go.
// nbody.go is a kernel of our own, written with code.go.
package bench
