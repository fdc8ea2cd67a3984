// Package bench measures how fast the simulator runs kernels.
//
// A [Workload] is a kernel with generated inputs, large enough that all of a few hundred
// blocks have work; [Workloads] lists them. [Classes] are kernels that execute one kind of
// instruction over and over. [Workload.Prepare] makes a launch, and [Bench.Run] launches it again
// and again and answers the fastest launch, a [Result]. Statistics are on, as users have them;
// [Bench.Costs] measures the costs of statistics, observers, traces and other divergence policies.
// A [Rival] sets results against the host without a simulator: a plain loop over lanes, the same
// algorithm in C. A [Suite] takes many measurements, and [Report] makes tables of them.
//
// Reading order: workload.go, workloads.go, bench.go, compare.go, costs.go, classes.go, suite.go,
// report.go. nbody.go is a kernel of our own, written with code.go.
package bench
