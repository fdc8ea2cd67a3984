// Package output is what kernels print: formats of C, and the buffer in device memory through which
// printf and assert of compiled kernels reach the host.
//
// Reading order: format.go, convert.go, buffer.go.
package output
