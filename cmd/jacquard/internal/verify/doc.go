// Package verify checks the simulator's arithmetic against golden vectors: CSV files with
// a row for every operation, its operands and the result that hardware gives.
//
// [File] reads one file and checks each row twice: with the scalar reference of the row's
// operation, and by executing it. For the latter, rows that one instruction serves are
// dealt out to the lanes of real warps, and every way to encode the instruction has its
// turn: operands in registers and halves of them, in shared and constant memory (a word
// for each thread, or one for all), within the instruction; under a guard, and with some
// lanes gone elsewhere. What must not be written is looked at as well.
//
// [Programs] makes kernels of rows for any device: what they leave there are vectors of that
// device.
//
// Reading order: row.go and file.go (rows and their text form), report.go and check.go (a file),
// family.go (which operations there are), scalar.go (the reference), forms.go (which instruction a
// row asks for), variant.go (where its operands are), machine.go (the kernel around it),
// lanes.go (rows in lanes), program.go (kernels for any device).
package verify
