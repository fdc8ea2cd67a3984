package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"jacquard/tesla"
)

// Streams are the standard streams of a command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Main runs the tool with args, without the tool's own name, and returns the exit status.
func Main(args []string, s Streams) int {
	out, complaints := newStream(s.Out), newStream(s.Err)
	out.status = newStatus(terminal(complaints))
	complaints.status = out.status
	s.Out, s.Err = out, complaints
	root := newRoot(s)
	checkCobraCommands(root)
	root.SetArgs(args)
	command, err := root.ExecuteC()
	if err == nil && command.Annotations[damaged] != "" {
		err = errSaid
	}
	out.end()
	complaints.end()
	if out.err != nil && (err == nil || errors.Is(err, errSaid)) {
		err = out.err
	}
	return conclude(err, s.Err)
}

// parsing is what package strconv puts before the reason why it refuses a number.
var parsing = regexp.MustCompile(`strconv\.\w+: parsing ".*": `)

func newRoot(s Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "jacquard",
		Short: "Run CUDA programs and kernels of the Tesla generation without a GPU",
		Long: `Jacquard simulates NVIDIA's Tesla-generation GPUs (G80 to GT200, sm_10 to sm_13) bit
for bit. This tool runs unmodified CUDA programs on the simulator, runs single
kernels, and takes cubins apart.

Exit status: 0 success, 1 the command failed, 2 wrong usage.`,
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		Args:                       noCommand,
		RunE:                       func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%s: see %s --help", parsing.ReplaceAllString(err.Error(), ""), c.CommandPath())
	})
	root.SetUsageFunc(usage)
	root.PersistentFlags().BoolP("help", "h", false, "print this help")
	const run, code, look, check, tool = "run", "code", "look", "check", "tool"
	root.AddGroup(
		&cobra.Group{ID: run, Title: "Run programs and kernels:"},
		&cobra.Group{ID: code, Title: "Read code:"},
		&cobra.Group{ID: look, Title: "Look into a run:"},
		&cobra.Group{ID: check, Title: "Hold the simulator against hardware:"},
		&cobra.Group{ID: tool, Title: "The tool itself:"})
	add := func(group string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = group
		}
		root.AddCommand(commands...)
	}
	add(run, newExec(), newCheck(), newDebug(), newRun(), newPlay(), newCompare(), newSweep(), newDoctor(), newPolicies(), newBench())
	add(code, newInfo(), newDis(), newAsm(), newCompile())
	add(look, newStats(), newReport(), newTrace())
	add(check, newVerify(), newCrosscheck(), newRecord(), newReplay(), newProbe())
	add(tool, newVersion())
	root.SetHelpCommandGroupID(tool)
	root.SetCompletionCommandGroupID(tool)
	return root
}

// noCommand refuses arguments where a command is expected. It suggests the nearest command, or else
// lists all.
func noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "see " + c.CommandPath() + " --help"
	if near := nearest(c, args[0]); near != "" {
		hint = "did you mean " + near + "?"
	} else if c.HasAvailableSubCommands() {
		var names []string
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				names = append(names, sub.Name())
			}
		}
		hint = "want " + list(names)
	}
	return usagef("unknown command %q: %s", args[0], hint)
}

// nearest returns the command that is most like word, "" if none is.
func nearest(c *cobra.Command, word string) string {
	most := c.SuggestionsMinimumDistance
	defer func() { c.SuggestionsMinimumDistance = most }()
	for c.SuggestionsMinimumDistance = 1; c.SuggestionsMinimumDistance <= most; c.SuggestionsMinimumDistance++ {
		if names := c.SuggestionsFor(word); len(names) > 0 {
			return names[0]
		}
	}
	return ""
}

// checkCobraCommands has the commands that cobra adds refuse words that name no command.
func checkCobraCommands(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Args = func(_ *cobra.Command, args []string) error {
				about, rest, err := root.Find(args)
				return cmp.Or(err, noCommand(about, rest))
			}
		case "completion":
			c.Args = noCommand
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
			for _, shell := range c.Commands() {
				shell.Args = arguments(0, 0, "no arguments")
			}
		}
	}
}

// arguments returns a check for least to most positional arguments; most < 0 is no limit. what
// describes them in the error.
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < least {
			return usagef("%s wants %s: see %[1]s --help", c.CommandPath(), what)
		}
		if most >= 0 && len(args) > most {
			return usagef("%s: unexpected argument %q: want %s", c.CommandPath(), args[most], what)
		}
		return nil
	}
}

// oneOf checks the value of a flag against the values that the flag takes.
func oneOf(flag, value string, values ...string) error {
	if slices.Contains(values, value) {
		return nil
	}
	return usagef("--%s %q: want %s", flag, value, list(values))
}

// list joins words: "a, b or c".
var list = tesla.Alternatives

// counted is a number with its noun: "1 launch", "2 launches".
func counted(n int, noun, plural string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %s", n, plural)
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of the tool",
		Example: "  jacquard version",
		Args:    arguments(0, 0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			fmt.Fprintf(c.OutOrStdout(), "jacquard %s, %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}

// version returns the version that the build recorded: the module's, or "devel" and the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	v := "devel"
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			v += " " + s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			v += " with changes"
		}
	}
	return v
}
