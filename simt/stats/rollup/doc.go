// Package rollup sums up the statistics of a run: by kernel, launch, class of instructions,
// operation, instruction, exactness, or all together.
//
// rollup.go sums, column.go says what is shown, write.go prints; against.go sets two runs beside
// each other, kernels.go prints the table of static and dynamic instructions.
package rollup
