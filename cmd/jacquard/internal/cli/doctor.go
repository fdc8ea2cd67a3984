package cli

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"jacquard/internal/plain"
	"jacquard/simt"
	"jacquard/study/bind"
)

func newDoctor() *cobra.Command {
	var lib string
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor PROGRAM",
		Short: "Say which libcuda a program would bind to, and why",
		Long: `Say what a program links and opens, what device code it carries, which libcuda.so.1 the
dynamic loader would pick for it now and under jacquard exec, which libcudart under jacquard
exec, and what keeps it from the simulator, such as a library that the loader does not find.
A note says if kernels would be slow, because the host lets no machine code be made at run
time. PROGRAM may be a shared object, such as an extension of Python. Nothing is run.

Exit status 1 if the program cannot run on the simulator.`,
		Example: `  jacquard doctor ./vectoradd
  jacquard doctor --json python3
  jacquard doctor ./_driver.so`,
		Args: arguments(1, 1, "one program"),
		RunE: func(c *cobra.Command, args []string) error {
			report, err := examine(args[0], lib)
			if err != nil {
				return err
			}
			if asJSON {
				err = json.NewEncoder(c.OutOrStdout()).Encode(report)
			} else {
				err = printReport(c.OutOrStdout(), report)
			}
			if err == nil && report.Verdict == bind.Cannot {
				err = errSaid
			}
			return err
		},
	}
	c.Flags().StringVar(&lib, "lib", "", libHelp)
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func examine(program, libDir string) (*bind.Report, error) {
	path, err := lookPath(program)
	if err != nil && bind.SharedObject(program) { // a library need not be executable
		path, err = program, nil
	}
	if err != nil {
		return nil, err
	}
	lib, err := bind.FindLibrary(libDir, path)
	if err != nil {
		return nil, err
	}
	report, err := bind.Examine(path, lib, bind.CurrentEnvironment())
	if err != nil {
		return nil, err
	}
	if err := simt.Untranslated(); err != nil {
		report.Notes = append(report.Notes, "kernels run in the interpreter, ten times slower: "+err.Error())
	}
	return report, nil
}

func printReport(out io.Writer, r *bind.Report) error {
	w := newTable(out)
	row := func(name, format string, args ...any) { plain.Fprintf(w, name+"\t"+format+"\n", args...) }
	row("program", "%s, a %s", r.Program, r.Kind)
	if len(r.Needed) > 0 {
		row("links", "%s", strings.Join(r.Needed, ", "))
	}
	if len(r.Opens) > 0 {
		row("names", "%s", strings.Join(r.Opens, ", "))
	}
	if r.Runtime != "" {
		row("CUDA runtime", "%s", r.Runtime)
	}
	if r.RuntimeFile != "" {
		row("libcudart", "%s", r.RuntimeFile)
	}
	if r.Functions > 0 {
		row("functions", "%d of libcuda linked, %d of them in the simulator", r.Functions, r.Functions-len(r.Missing))
	}
	if len(r.Code) > 0 {
		row("device code", "for %s", strings.Join(r.Code, ", "))
	}
	row("simulator", "%s", r.Simulator)
	now := "none"
	if r.Now != "" {
		now = r.Now
	}
	row("libcuda now", "%s", now)
	for _, n := range r.Notes {
		row("note", "%s", n)
	}
	for _, p := range r.Problems {
		row("problem", "%s", p)
	}
	row("verdict", "%s", r.Conclusion())
	return w.Flush()
}
