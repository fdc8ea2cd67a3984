// Package clang holds tests of the compiler alone: the kernels of testdata/clang, which clang made
// of CUDA C++ and OpenCL C, give what bodies in Go give.
//
// Reading order: kernel_test.go (a kernel and its input), then a file for each source, which holds
// the bodies, machine_test.go (the two machines), clang_test.go (the tests),
// engines_test.go (the engines of the simulator on the same kernels).
package clang
