package slurm_test

import (
	"fmt"

	"jacquard/study"
	"jacquard/study/sweep/slurm"
)

// Seven cells, three for each task of the array: the last task has one.
func ExampleBatch() {
	b := slurm.Batch{Each: 3, Cells: make([]*study.Cell, 7)}
	for i := range b.Tasks() {
		fmt.Println(len(b.Task(i)))
	}
	// Output:
	// 3
	// 3
	// 1
}
