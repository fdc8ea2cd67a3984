package sweep_test

import (
	"fmt"

	"jacquard/study/sweep"
)

// How far a study is, as its commands print it.
func ExampleProgress() {
	p := sweep.Progress{Total: 6, Done: 4, Refused: 1}
	p.Add(&sweep.Result{Status: sweep.Passed})
	p.Add(&sweep.Result{Status: sweep.Failed})
	fmt.Println(&p)
	// Output: 6 of 6 cells done, 1 failed, 1 refused
}
