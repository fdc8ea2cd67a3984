// Package ptxas is the assembler of the toolkit, under the command line of NVIDIA's: it compiles PTX
// to machine code for sm_10 to sm_13.
//
// Reading order: options.go, ptxas.go, demote.go.
package ptxas
