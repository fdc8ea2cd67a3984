// Package csmith makes programs of csmith, the generator of random C programs, into CUDA C that one
// thread runs, and into host programs. Both have a runtime of this package: arithmetic that is
// defined for all operands, and a checksum. Csmith itself is Debian's; nothing of it is here.
//
// Reading order: program.go, runtime.h.
package csmith
