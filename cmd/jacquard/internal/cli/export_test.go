package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// CommandPaths returns the words that call each command of the tool, without the tool's own name.
func CommandPaths() (list [][]string) {
	commands(newRoot(Streams{}), func(c *cobra.Command) {
		if c.HasParent() {
			list = append(list, strings.Fields(c.CommandPath())[1:])
		}
	})
	return list
}
