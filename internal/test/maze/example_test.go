package maze_test

import (
	"fmt"

	"jacquard/internal/test/maze"
)

// A maze with subroutines: the policy without a return stack refuses it; under the others every
// lane takes its path alone.
func ExampleCheck() {
	m := maze.New(5)
	report := maze.Check(m, []string{"nvidia", "stackless", "implicit:calls=refused"})
	fmt.Println(m.Style, len(report.Failed))
	fmt.Println(report.Refused)
	// Output:
	// calling 0
	// map[implicit:calls=refused:it has no stack for the return address of the call]
}
