package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"jacquard/internal/plain"
	"jacquard/observe/player"
	"jacquard/observe/trace"
	"jacquard/observe/trace/view"
)

func newTrace() *cobra.Command {
	c := &cobra.Command{
		Use:   "trace",
		Short: "Show, compare, shorten and convert traces of launches",
		Long: `Work with the .jqt files that JACQUARD_TRACE and --trace record: every warp-instruction of
every launch, with lanes and time, and on request with values and with what the divergence
policy keeps.

  jacquard exec --trace t.jqt:values=all -- ./program     record

What to record follows a colon: values=all (or regs, addr, data with + between; state, or
all+state, for what the policy keeps), kernel=NAME, launch=0-3, block=0+7, warp=0-1,
pc=0x10-0x80, op=NAME, first=N, with commas between. docs/trace-format.md describes the file.`,
		Example: `  jacquard trace show t.jqt --warp 0
  jacquard trace diff a.jqt b.jqt`,
		Args: noCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },

		SuggestionsMinimumDistance: 2,
	}
	c.AddCommand(newTraceShow(), newTracePlay(), newTraceFilter(), newTraceDiff(), newTraceExport())
	return c
}

// traceCommand is the common part of the subcommands: they read traces, and go through the
// warp-instructions that flags choose.
type traceCommand struct {
	cobra.Command
	most    int  // traces it takes, if more than one number is right
	noLimit bool // no limit keeps a damaged file from taking all time and space
	run     func(c *cobra.Command, files []*trace.File, chosen *trace.Filter) error
}

// command completes c, which takes so many traces; what describes them in the error.
func (t *traceCommand) command(files int, what string) *cobra.Command {
	c := &t.Command
	var flags []string
	for _, flag := range [...][2]string{
		{"kernel", "only these kernels: `NAME+NAME`"},
		{"launch", "only these launches, counted from 0: `FROM-TO` or 2+5"},
		{"block", "only these blocks of the grid, x fastest: `FROM-TO` or 2+5"},
		{"warp", "only these warps: `FROM-TO` or 2+5"},
		{"pc", "only these byte addresses: `FROM-TO`, as 0x10-0x80"},
		{"op", "only these operations: `NAME+NAME`, as imad+bra"},
		{"first", "at most `N` warp-instructions"},
	} {
		flags = append(flags, flag[0])
		c.Flags().StringArray(flag[0], nil, flag[1])
	}
	c.Flags().BoolVar(&t.noLimit, "no-limit", false, "go on beyond 2^30 warp-instructions, and 4 GiB of output")
	c.Args = arguments(files, max(files, t.most), what)
	c.RunE = func(c *cobra.Command, args []string) error {
		var o trace.Options
		for _, name := range flags {
			if flag := c.Flags().Lookup(name); flag.Changed {
				if err := setTraceOption(&o, name, strings.Join(flag.Value.(pflag.SliceValue).GetSlice(), "+")); err != nil {
					return err
				}
			}
		}
		var opened []*trace.File
		for _, path := range args {
			f, err := openTrace(c, path)
			if err != nil {
				return err
			}
			defer f.Close()
			if t.noLimit {
				f.MostWork = 0
			}
			opened = append(opened, f)
		}
		err := explainLimit(t.run(c, opened, &o.Filter))
		if damage := new(trace.FormatError); len(args) == 1 && errors.As(err, &damage) {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		return err
	}
	return c
}

// chooseLess is the advice about a trace that is too large.
const chooseLess = ": choose less with --launch, --block or --first, or say --no-limit"

// explainLimit adds the advice to the error of a trace that is too large for a command.
func explainLimit(err error) error {
	if limit := new(trace.LimitError); errors.As(err, &limit) {
		return fmt.Errorf("%w"+chooseLess, err)
	}
	return err
}

// write makes a file from the chosen parts of traces, of at most 4 GiB unless the user wants no
// limit. If a trace has no chosen part, it returns view.ErrNothing and writes no file.
func (t *traceCommand) write(c *cobra.Command, path string, files []*trace.File, chosen *trace.Filter, write func(io.Writer) error) error {
	if err := apart(c.Flags().Args(), output{"-o", path}); err != nil {
		return err
	}
	for i, f := range files {
		err := selectsAny(f, chosen)
		if err != nil && len(files) > 1 {
			return fmt.Errorf("%s: %w", c.Flags().Arg(i), err)
		}
		if err != nil {
			return err
		}
	}
	return writeFile(c.OutOrStdout(), path, func(w io.Writer) error {
		if !t.noLimit {
			w = &bounded{w, mostOutput}
		}
		return write(w)
	})
}

// selectsAny returns view.ErrNothing if a filter selects nothing of a trace.
func selectsAny(f *trace.File, chosen *trace.Filter) error {
	for _, err := range f.Steps(chosen) {
		return err
	}
	return view.ErrNothing
}

// mostOutput bounds the bytes that a trace becomes.
const mostOutput = 4 << 30

// bounded is a file that takes left more bytes.
type bounded struct {
	out  io.Writer
	left int64
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, fmt.Errorf("more than %d GiB of output"+chooseLess, mostOutput>>30)
	}
	return b.out.Write(p)
}

// setTraceOption sets the option that the flag name stands for.
func setTraceOption(o *trace.Options, name, value string) error {
	err := o.Set(name, value)
	if bad := new(trace.OptionError); errors.As(err, &bad) {
		return usagef("--%s: %s: want %s", name, bad.Text, bad.Want)
	}
	return err
}

// openTrace opens a trace and says on standard error if its end is missing.
func openTrace(c *cobra.Command, path string) (*trace.File, error) {
	f, err := trace.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if f.Damage != nil {
		reportDamage(c, path, f.Damage)
	}
	return f, nil
}

func newTraceShow() *cobra.Command {
	var values, launches bool
	t := traceCommand{Command: cobra.Command{
		Use:   "show FILE",
		Short: "Print a trace as text",
		Long: `Print a trace, one line per warp-instruction: time, warp, pc, active lanes and disassembly.
Recorded values follow, one line each: the value that all lanes have; "first +step a lane";
or the values of lane 0, 1, 2 .., with a dot for a lane that did not execute. "keeps" lines say
what the divergence policy keeps from the next issue of the warp on, bottom of a stack first;
docs/divergence.md has the words.

The order is launch, block, time, warp.

Exit status 1 if the trace has no such warp-instructions.`,
		Example: `  jacquard trace show t.jqt --launch 0 --block 0 --warp 0 --first 100
  jacquard trace show t.jqt --op stglobal+ldglobal
  jacquard trace show t.jqt --launches`,
	}}
	t.run = func(c *cobra.Command, files []*trace.File, chosen *trace.Filter) error {
		if launches {
			if err := without(c, "--launches", "block", "warp", "pc", "op", "first", "values"); err != nil {
				return err
			}
			return view.List(c.OutOrStdout(), files[0], chosen)
		}
		return view.Show(c.OutOrStdout(), files[0], chosen, values)
	}
	t.Flags().BoolVar(&values, "values", true, "print values, if the trace has them")
	t.Flags().BoolVar(&launches, "launches", false, "print the list of launches, and nothing else")
	return t.command(1, "a trace")
}

func newTracePlay() *cobra.Command {
	var output string
	var steps int
	t := traceCommand{most: player.MostRuns, Command: cobra.Command{
		Use:   "play FILE... -o PAGE",
		Short: "Write a page that plays warps step by step",
		Long: `Write a page that plays the warps of a trace: lanes by steps, played, scrubbed and stepped by
keys, with the code, what the divergence policy keeps, the values, and what memory accesses
cost and why, as far as the trace has them. Up to four traces stand side by side, of one
kernel under several policies, in step or by pc.

Of each trace the first launch that the flags choose is played. The page is one file that
fetches nothing. It loads steps as it shows them: ten million open in a second or two.`,
		Example: `  jacquard run --test testdata/mesa-kernels/nested --arch sm_13 --trace n.jqt:values=all+state
  jacquard trace play n.jqt -o nested.html
  jacquard trace play nvidia.jqt stackless.jqt --block 0 --warp 0 -o both.html`,
	}}
	t.run = func(c *cobra.Command, files []*trace.File, chosen *trace.Filter) error {
		if output == "" {
			return usagef("say with -o which page to write")
		}
		if steps < 1 {
			return usagef("--steps %d: want 1 or more", steps)
		}
		var runs []player.Run
		var names []string
		for i, f := range files {
			runs = append(runs, player.Run{File: f, Filter: chosen})
			names = append(names, strings.TrimSuffix(filepath.Base(c.Flags().Arg(i)), ".jqt"))
		}
		return t.write(c, output, files, chosen, func(w io.Writer) error {
			return player.Write(w, strings.Join(names, ", "), steps, runs)
		})
	}
	t.Flags().StringVarP(&output, "output", "o", "", "the `PAGE` to write, a .html; - is standard output")
	t.Flags().IntVar(&steps, "steps", 20_000_000, "at most `N` steps of each trace")
	return t.command(1, "a trace, or up to four")
}

func newTraceFilter() *cobra.Command {
	var values, output string
	t := traceCommand{Command: cobra.Command{
		Use:   "filter FILE -o FILE",
		Short: "Write a smaller trace",
		Long: `Write a trace of a part of another: the warp-instructions that the flags choose, with the
values that --values names. Launches keep their numbers.`,
		Example: `  jacquard trace filter t.jqt -o small.jqt --launch 3 --block 0-7
  jacquard trace filter t.jqt -o addresses.jqt --op ldglobal+stglobal --values addr`,
	}}
	t.run = func(c *cobra.Command, files []*trace.File, chosen *trace.Filter) error {
		var keep trace.Options
		if err := setTraceOption(&keep, "values", values); err != nil {
			return err
		}
		if output == "" {
			return usagef("say with -o which file to write")
		}
		return t.write(c, output, files, chosen, func(w io.Writer) error { return files[0].Copy(w, chosen, keep.Values) })
	}
	t.Flags().StringVar(&values, "values", "all+state", "the `VALUES` to keep: all, none, or regs, addr, data and state with + between")
	t.Flags().StringVarP(&output, "output", "o", "", "the `FILE` to write; - is standard output")
	return t.command(1, "a trace")
}

func newTraceDiff() *cobra.Command {
	var time, values bool
	t := traceCommand{Command: cobra.Command{
		Use:   "diff FILE FILE",
		Short: "Find where two traces differ first",
		Long: `Compare two traces, warp-instruction by warp-instruction in the order of launch, block, time and
warp: pc, instruction, lanes, and the values that both have. Print the first
difference, and both traces there.

Exit status 1 if they differ, or if nothing was compared.`,
		Example: `  jacquard trace diff before.jqt after.jqt
  jacquard trace diff a.jqt b.jqt --warp 3 --time=false`,
	}}
	t.run = func(c *cobra.Command, files []*trace.File, chosen *trace.Filter) error {
		d, count, err := view.Diff(files[0], files[1], chosen, view.Ignore{Time: !time, Values: !values})
		if err != nil {
			return err
		}
		if d == nil && count == 0 {
			return fmt.Errorf("nothing was compared: %w", view.ErrNothing)
		}
		out, names := c.OutOrStdout(), c.Flags().Args()
		if d == nil {
			plain.Fprintf(out, "the same: %d warp-instructions\n", count)
			return nil
		}
		plain.Fprintf(out, "%d warp-instructions are the same; then %s:\n%s: %s\n%s: %s\n", d.Same, d.What, names[0], d.A, names[1], d.B)
		return errSaid
	}
	t.Flags().BoolVar(&time, "time", true, "compare times")
	t.Flags().BoolVar(&values, "values", true, "compare values")
	return t.command(2, "two traces")
}

// traceFormat is a format that a trace can be converted to.
type traceFormat struct {
	name   string
	suffix string // of its files
	write  func(io.Writer, *trace.File, *trace.Filter) error
}

func traceFormats() []traceFormat {
	return []traceFormat{
		{"pprof", ".pb.gz", view.Profile},
		{"chrome", ".json", view.Timeline},
		{"parquet", ".parquet", view.Table},
	}
}

func newTraceExport() *cobra.Command {
	var to, output string
	t := traceCommand{Command: cobra.Command{
		Use:   "export FILE -o FILE",
		Short: "Convert a trace for other tools",
		Long: `Convert a trace. The format follows from the name of the output, or from --to:

  pprof    .pb.gz   for go tool pprof: warp-instructions, active lanes and executing lanes by
                    kernel, pc and disassembly
  chrome   .json    for Perfetto and chrome://tracing: blocks as processes, warps as tracks, a
                    slice for each stretch of issues by the same lanes, one microsecond per round
  parquet  .parquet for DuckDB, pandas and others: one row per warp-instruction, values as lists`,
		Example: `  jacquard trace export t.jqt -o t.pb.gz && go tool pprof -top -sample_index=thread_instructions t.pb.gz
  jacquard trace export t.jqt -o t.json --launch 0 --block 0-7
  jacquard trace export t.jqt -o t.parquet`,
	}}
	t.run = func(c *cobra.Command, files []*trace.File, chosen *trace.Filter) error {
		format, err := chooseFormat(to, output)
		if err != nil {
			return err
		}
		return t.write(c, output, files, chosen, func(w io.Writer) error { return format.write(w, files[0], chosen) })
	}
	t.Flags().StringVar(&to, "to", "", "`FORMAT`: pprof, chrome or parquet")
	t.Flags().StringVarP(&output, "output", "o", "", "the `FILE` to write; - is standard output")
	return t.command(1, "a trace")
}

// chooseFormat returns the format called name or, without a name, the format of a file's suffix.
func chooseFormat(name, file string) (*traceFormat, error) {
	if file == "" {
		return nil, usagef("say with -o which file to write")
	}
	var names, suffixes []string
	for _, f := range traceFormats() {
		if f.name == name || name == "" && strings.HasSuffix(file, f.suffix) {
			return &f, nil
		}
		names, suffixes = append(names, f.name), append(suffixes, f.suffix)
	}
	if name != "" {
		return nil, oneOf("to", name, names...)
	}
	return nil, usagef("-o %q: say with --to what to write, %s, or end the name in %s", file, list(names), list(suffixes))
}
