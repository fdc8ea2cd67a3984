// Package api is the description of the CUDA driver interface that libcuda offers: its functions,
// types, structures and constants, as tables a person can read and edit.
//
// The tables are csv files: api.csv (one row per exported symbol), types.csv (handles, scalars,
// callbacks), structs.csv (structure fields in declaration order), enums.csv (enumerations that
// only C programs need), and libcuda/driver's constants.csv (the values that the driver works
// with). [Load] reads and checks them; cmd/gen/api prints the C entry points, the linker's version
// script, the headers and the documentation table.
//
// Read function.go first, then constants.go and types.go, then table.go, which ties them together.
//
// The unsuffixed functions are the interface before CUDA 3.2: their device pointers and sizes are
// 32 bits wide, even in a 64-bit process. The functions named _v2 take pointer-wide ones. Both work
// on the same objects.
package api
