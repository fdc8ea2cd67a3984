// Package libdevice has the table of the device mathematics: the functions named __nv_* that the
// CUDA headers of clang call. "make libdevice" makes bitcode of them, which clang links into device
// code.
//
// functions.csv is the one place that gives for each function its types, its body, and the error
// that NVIDIA publishes for its own version. A body is an expression in C, often a call of a
// builtin of clang or of a function of libclc, or it is in a file of the folder source. Debian's
// libclc is linked when the library is made; nothing of it is in this repository.
//
// Reading order:
//
//	functions.csv      the table
//	table.go           the table in Go
//	source/device.h    what all sources share: read it before the sources
//	source/*.cpp       functions of float, and those that libclc lacks
//	libdevice.mk       how the library is made
//	libdevice.sed      what is changed in its bitcode, and why
//	exact, accuracy    the truth, and the measurement: docs/libdevice.md
package libdevice
