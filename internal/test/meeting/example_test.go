package meeting_test

import (
	"fmt"

	"jacquard/internal/test/meeting"
)

// Equal seeds make equal programs, and a program has one result.
func ExampleNew() {
	a, b := meeting.New(7, meeting.Options{}), meeting.New(7, meeting.Options{})
	words, err := a.Evaluate()
	fmt.Println(a.PTX() == b.PTX(), len(words) == a.Threads*meeting.Slots, err)
	// Output: true true <nil>
}
