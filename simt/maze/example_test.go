package maze_test

import (
	"fmt"

	"jacquard/simt/maze"
)

// A maze with subroutines: the policy without a stack for return addresses refuses it, the others
// agree with each lane run alone.
func ExampleCheck() {
	m := maze.New(5)
	report := maze.Check(m, []string{"nvidia", "stackless", "implicit"})
	fmt.Println(m.Style, len(report.Failed))
	fmt.Println(report.Refused)
	// Output:
	// calling 0
	// map[implicit:it has no stack for the return address of the call]
}
