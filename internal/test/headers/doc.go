// Package headers holds tests of toolkit/include, the headers of CUDA C++, and of the examples in
// testdata/cuda.
//
// The programs of testdata call every family of functions and compare what kernels compute with a
// second body, on the host. They want "make toolkit", which wants clang; clang_test.go wants clang
// alone, in as many releases as the machine has.
//
// Reading order: programs_test.go (programs that run), clang_test.go (releases of clang, standards
// of C++), names_test.go (macros of programs), plain_test.go (C and C++ that is no CUDA).
package headers
