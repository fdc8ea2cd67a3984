// Command jacquard runs, checks and takes apart programs for Tesla-generation GPUs on
// the Jacquard simulator. "jacquard --help" lists its commands.
package main

import (
	"os"

	"jacquard/cmd/jacquard/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
