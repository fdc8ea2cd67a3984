package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is how wide the lines of help are at the most.
const helpWidth = 100

// isKnob marks flags that are made from the driver's knobs.
const isKnob = "knob"

// groups are the headings under which the commands stand.
func groups() []*cobra.Group {
	return []*cobra.Group{
		{ID: groupRun, Title: "Run programs and kernels:"},
		{ID: groupCode, Title: "Read code:"},
		{ID: groupLook, Title: "Look into a run:"},
		{ID: groupCheck, Title: "Hold the simulator against hardware:"},
		{ID: groupTool, Title: "The tool itself:"},
	}
}

const (
	groupRun   = "run"
	groupCode  = "code"
	groupLook  = "look"
	groupCheck = "check"
	groupTool  = "tool"
)

// in puts commands into a group.
func in(group string, commands ...*cobra.Command) []*cobra.Command {
	for _, c := range commands {
		c.GroupID = group
	}
	return commands
}

// usage prints how a command is called, as cobra does, but in lines that fit a terminal, and
// with the knobs, which all commands that run something share, apart from its own flags.
func usage(c *cobra.Command) error {
	w := c.OutOrStdout()
	fmt.Fprintln(w, "Usage:")
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s COMMAND\n", c.CommandPath())
	} else {
		for _, form := range strings.Split(c.Use, " | ") {
			fmt.Fprintf(w, "  %s\n", callOf(c, form))
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

// callOf returns one of the forms in which c can be called, of which only the first begins with the path of c.
func callOf(c *cobra.Command, form string) string {
	call := c.Parent().CommandPath() + " " + form
	if !strings.Contains(call, "[flags]") {
		call += " [flags]"
	}
	return call
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
