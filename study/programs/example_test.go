package programs_test

import (
	"fmt"

	"jacquard/study/programs"
)

func ExampleJudge() {
	for _, output := range []string{"scan: PASSED\n", "scan: FAILED\n", "boxFilter requires SM 2.0\n"} {
		verdict, reason := programs.Judge(output, nil)
		fmt.Printf("%s %q\n", verdict, reason)
	}
	// Output:
	// PASSED ""
	// failed "its own check fails"
	// waived "boxFilter requires SM 2.0"
}
