package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"jacquard/cubin/plain"
)

// progress shows what a long command does, on standard error and only if that is a
// terminal. Each call replaces what the last one showed; "" takes it away.
func progress(c *cobra.Command, what string) {
	f, ok := direct(c.ErrOrStderr()).(*os.File)
	if !ok {
		return
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return
	}
	const eraseLine = "\r\x1b[K"
	fmt.Fprint(f, eraseLine+plain.Text(what))
}
