// Package bench measures how fast the simulator runs kernels.
//
// A [Workload] is a kernel with generated inputs, large enough to give many blocks work;
// [Workloads] lists them. The last are programs in small: kernels that behave like the slow ones of
// real programs. [Classes] are kernels that repeat one class of instructions. [Workload.Prepare]
// makes a launch. [Bench.Run] repeats it and returns the fastest, a [Result]. Statistics are on, as
// for users; [Bench.Costs] measures the costs of statistics, observers, traces and other divergence
// policies. A [Rival] compares results with the host without a simulator: a plain loop over lanes,
// and the same algorithm in C. A [Suite] takes many measurements, and [Report] makes tables of
// them.
//
// Reading order: workload.go, small.go, bench.go, compare.go, costs.go, classes.go, suite.go,
// report.go. nbody.go is a kernel written by hand with code.go.
package bench
