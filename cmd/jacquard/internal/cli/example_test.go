package cli_test

import (
	"os"
	"strings"

	"jacquard/cmd/jacquard/internal/cli"
)

func ExampleMain() {
	words := strings.NewReader("10008a08\n3000cffd,642107c8\n")
	cli.Main([]string{"dis", "--words", "--arch", "sm_10"}, cli.Streams{In: words, Out: os.Stdout, Err: os.Stderr})
	// Output:
	// mov b32 $r2 $r5
	// set $c0 # g u32 b32 s[0x1c] $r0
}
