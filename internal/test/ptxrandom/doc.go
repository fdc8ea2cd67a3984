// Package ptxrandom writes PTX kernels for tests of the compiler. Equal seeds make equal kernels. A
// kernel has no races and no undefined results: whoever runs it must find the same bytes in memory.
//
// Reading order: kernel.go (a kernel and its launch), registers.go, operands.go, templates.go
// (instructions that compute), convert.go, memory.go, control.go, call.go.
package ptxrandom
