package sanitizer_test

import (
	"fmt"
	"strings"

	"jacquard/toolkit/sanitizer"
)

func ExampleArguments() {
	args, _, err := sanitizer.Arguments(sanitizer.Sanitizer, []string{"--tool", "racecheck", "./reduction", "1000"}, nil)
	fmt.Println(strings.Join(args, " "), err)
	// Output: check --format compute-sanitizer --checks race --error-exitcode 0 --output - --notes -- ./reduction 1000 <nil>
}
