package schedule_test

import (
	"fmt"

	"jacquard/simt/schedule"
)

// The order of warps in a block is a word of the command line.
func ExampleParseOrder() {
	order, err := schedule.ParseOrder("instruction")
	fmt.Println(order, err)
	_, err = schedule.ParseOrder("backwards")
	fmt.Println(err)
	// Output:
	// instruction <nil>
	// unknown order "backwards": want turns or instruction
}
