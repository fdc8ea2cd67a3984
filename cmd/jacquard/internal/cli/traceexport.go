package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"jacquard/simt/trace"
	"jacquard/simt/trace/view"
)

// traceFormat is something that a trace can be converted to.
type traceFormat struct {
	name   string
	suffix string // of files that are one
	write  func(io.Writer, *trace.File, *trace.Filter) error
}

// traceFormats lists them.
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
	t.run = func(c *cobra.Command, files []*trace.File, meant *trace.Filter) error {
		format, err := chooseFormat(to, output)
		if err != nil {
			return err
		}
		return t.write(output, c.Flags().Arg(0), func(w io.Writer) error { return format.write(w, files[0], meant) })
	}
	t.Flags().StringVar(&to, "to", "", "`FORMAT`: pprof, chrome or parquet")
	t.Flags().StringVarP(&output, "output", "o", "", "the `FILE` to write")
	return t.command(1, "a trace")
}

// chooseFormat returns the format called name or, without a name, the one that a file's name says.
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
