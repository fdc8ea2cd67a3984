package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the greatest width of a line of help.
const helpWidth = 100

// isKnob marks flags that are made from the driver's knobs.
const isKnob = "knob"

// usage prints how a command is called, as cobra does. Unlike cobra's, its lines fit a terminal,
// and the knobs, which all commands that run something share, stand apart from the command's own
// flags.
func usage(c *cobra.Command) error {
	w := c.OutOrStdout()
	fmt.Fprintln(w, "Usage:")
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s COMMAND\n", c.CommandPath())
	}
	if !c.HasAvailableSubCommands() || strings.Contains(c.Use, " ") {
		for form := range strings.SplitSeq(c.Use, " | ") {
			if !strings.Contains(form, "[flags]") {
				form += " [flags]"
			}
			fmt.Fprintf(w, "  %s %s\n", c.Parent().CommandPath(), form)
		}
	}
	if c.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", c.Example)
	}
	writeCommands(w, c)
	var own, knobs pflag.FlagSet
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[isKnob] != nil {
			knobs.AddFlag(f)
		} else {
			own.AddFlag(f)
		}
	})
	if own.HasAvailableFlags() {
		fmt.Fprintf(w, "\nFlags:\n%s", own.FlagUsagesWrapped(helpWidth))
	}
	if knobs.HasAvailableFlags() {
		fmt.Fprintf(w, "\nKnobs, each also an environment variable for programs that something else starts:\n%s", knobs.FlagUsagesWrapped(helpWidth))
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n\"%s COMMAND --help\" says more of a command, with examples.\n", c.CommandPath())
	}
	return nil
}

// writeCommands lists the commands of c under the headings of their groups.
func writeCommands(w io.Writer, c *cobra.Command) {
	sections := c.Groups()
	if len(sections) == 0 && c.HasAvailableSubCommands() {
		sections = []*cobra.Group{{Title: "Commands:"}}
	}
	for _, g := range sections {
		fmt.Fprintf(w, "\n%s\n", g.Title)
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() && sub.GroupID == g.ID {
				fmt.Fprintf(w, "  %-*s  %s\n", c.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
}
