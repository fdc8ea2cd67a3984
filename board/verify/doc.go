// Package verify checks the simulator's arithmetic against golden vectors: CSV files with
// a row for every operation, its operands and the result that hardware gives.
//
// [File] reads one file and checks each row twice: with the scalar reference of the row's
// operation, and by executing it. Rows of one instruction are dealt out to the lanes of real
// warps, once for every way to encode the instruction: operands in registers and their halves, in
// shared and constant memory (one word per thread, or one for all), and within the instruction;
// under a guard, and in divergent code. Registers, flags and memory that the instruction must not
// write are compared, too.
//
// [Programs] makes kernels of rows for any device: they leave vectors of that device.
//
// Reading order: row.go and file.go (rows and their text form), report.go and check.go (a file),
// family.go (which operations there are), scalar.go (the reference), forms.go (which instruction a
// row asks for), variant.go (where its operands are), machine.go (the kernel around it),
// lanes.go (rows in lanes), program.go (kernels for any device).
package verify
