// Package accuracy runs functions of the device mathematics on the simulator and compares their
// results with the truth.
//
// Reading order:
//
//	kernel.go      a kernel for each function, compiled by clang and by our compiler
//	run.go         kernels on the simulator
//	truth.go       the exact truth about the functions of mathematics
//	inputs.go      arguments
//	segment.go     arguments near each other
//	polynomial.go  the truth for these
//	measure.go     errors in ulp
//	page.go        the table of docs/libdevice.md
package accuracy
