// Package meeting writes random kernels whose lanes part and meet again: ifs, switches, loops with
// several exits, jumps into shared tails, ends of threads and functions, with barriers, votes and
// exchanges between lanes where all threads come. A program is a tree. One evaluator tells what
// each thread stores, thread by thread; two writers make PTX and CUDA C of the same tree. The
// package does not know package compile: the definitions of PTX and CUDA count.
//
// Reading order: program.go (the tree), generate.go, uniform.go (where all threads come),
// evaluate.go, crosslane.go (votes and exchanges), repair.go, ptx.go, cuda.go, shrink.go.
package meeting
