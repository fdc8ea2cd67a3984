// Package verify checks the simulator's arithmetic against golden vectors: CSV files with
// a row for every operation, its operands and the result that hardware gives.
//
// [File] reads one file and evaluates each row with the scalar reference of the row's
// operation. Reading order: row.go (a row and its text form), family.go (which operations
// there are), then a file for each family: integer.go, single.go, double.go, convert.go,
// special.go, atomic.go; report.go counts.
package verify
