// Package bench measures how fast the simulator runs kernels.
//
// A [Workload] is a kernel with generated inputs, large enough that all of a few hundred
// blocks have work; [Workloads] lists them. [Workload.Prepare] loads it and [Bench.Run]
// launches it again and again and answers the median launch. Statistics are on, as users
// have them. [Workload.Compare] sets the result against the same algorithm in C. Reading order:
// workload.go, workloads.go, bench.go, compare.go.
package bench
