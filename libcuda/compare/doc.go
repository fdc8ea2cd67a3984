// Package compare runs kernels and whole programs under several divergence policies, checks
// that they leave the same memory, and shows what differs: how the lanes were used.
//
// Reading order: row.go (what a comparison says), kernel.go and program.go (how it is
// made), table.go, export.go and chart.go (how it is shown), steps.go (a warp step by step).
package compare
