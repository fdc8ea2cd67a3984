// Package rollup sums up the statistics of a run: by kernel, launch, class of instructions,
// operation, instruction, exactness, or all together.
//
// rollup.go sums up, write.go prints, against.go compares two runs, and kernels.go prints the table
// of static and dynamic instructions.
package rollup
