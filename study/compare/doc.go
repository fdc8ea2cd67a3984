// Package compare runs kernels and whole programs under several divergence policies. It checks that
// all leave the same memory, and shows the differences in lane use.
//
// Reading order: row.go (the result of a comparison), kernel.go and program.go (how to compare),
// table.go, export.go and chart.go (how to show it), steps.go and diagram.go (a warp step by step).
package compare
