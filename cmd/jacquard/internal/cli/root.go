package cli

import (
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/spf13/cobra"
)

// Streams are what a command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Main runs the tool with args, not counting its own name, and returns its exit status.
func Main(args []string, s Streams) int {
	out, complaints := newStream(s.Out), newStream(s.Err)
	s.Out, s.Err = out, complaints
	root := newRoot(s)
	root.SetArgs(args)
	err := root.Execute()
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

Exit status: 0 fine, 1 the thing asked for failed, 2 wrong usage.`,
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
	root.AddGroup(groups()...)
	root.SetHelpCommandGroupID(groupTool)
	root.SetCompletionCommandGroupID(groupTool)
	root.AddCommand(in(groupRun, newExec(), newRun(), newCompare(), newDoctor(), newPolicies(), newBench())...)
	root.AddCommand(in(groupCode, newInfo(), newDis(), newAsm())...)
	root.AddCommand(in(groupLook, newStats(), newReport(), newTrace())...)
	root.AddCommand(in(groupCheck, newVerify(), newCrosscheck(), newRecord(), newReplay(), newProbe())...)
	root.AddCommand(in(groupTool, newVersion())...)
	return root
}

// noCommand refuses the arguments of the bare tool: they are no command of it.
func noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "see jacquard --help"
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "did you mean " + near[0] + "?"
	}
	return usagef("unknown command %q: %s", args[0], hint)
}

// arguments returns a check for between least and most positional arguments; most < 0 is
// no limit. what names them in the error.
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

// oneOf checks the value of a flag against the values it can have.
func oneOf(flag, value string, values ...string) error {
	for _, v := range values {
		if v == value {
			return nil
		}
	}
	return usagef("--%s %q: want %s", flag, value, list(values))
}

// list joins words for an error message: "a, b or c".
func list(words []string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		s := words[0]
		for _, w := range words[1 : n-1] {
			s += ", " + w
		}
		return fmt.Sprintf("%s or %s", s, words[n-1])
	}
}
