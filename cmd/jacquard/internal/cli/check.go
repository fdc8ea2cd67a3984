package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"jacquard/board/replay"
	"jacquard/internal/plain"
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/findings"
	"jacquard/observe/player"
	"jacquard/observe/trace"
	"jacquard/simt/check"
)

// statusFound is the status of check if a program succeeds that has mistakes.
const statusFound = 3

// mostShown is how many findings check shows unless asked for another number.
const mostShown = 100

// checkFlags are the flags of check.
type checkFlags struct {
	execFlags
	checks            string
	notes             bool
	warpSynchronous   string
	kernels, excluded []string
	known             []string // files of suppressions
	limit             uint
	status            uint8
	format            string
	by                string
	report            string // the file for the text; "" is standard error
	files             [5]output
}

// The values of --by.
const (
	byLine        = "line"
	byInstruction = "instruction"
)

// The forms of the text.
const (
	formText      = "text"
	formSanitizer = "compute-sanitizer"
	formMemcheck  = "cuda-memcheck"
)

func newCheck() *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check [flags] -- PROGRAM [ARGS]",
		Short: "Run a CUDA program and report its mistakes",
		Long: fmt.Sprintf(`Run an unmodified CUDA program on the simulator, look for mistakes while it runs, and
report them when it has ended: accesses beyond memory, races, values that nobody wrote,
barriers that threads miss, failing calls, and what is left at the end. The report goes to
standard error; docs/check.md explains the kinds. Lines of source are known if the program
was compiled with nvcc -lineinfo, and those of the host with -g.

Exit status: the program's own if that is not 0, %d if the program succeeded and has
errors (--error-exitcode chooses another), 0 if there are only notes, 1 if the program
never used the simulator, 125 if it could not be started.`, statusFound),
		Example: `  jacquard check -- ./reduction
  jacquard check --checks memory,race --kernel reduce -- ./reduction 1000
  jacquard check --html r.html -- ./reduction
  jacquard check --sarif r.sarif --junit r.xml --error-exitcode 1 -- ./reduction
  jacquard check --write-suppressions known.txt -- ./reduction
  jacquard check --suppressions known.txt --notes -- ./reduction`,
		Args: arguments(1, -1, "a program to run"),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	f.add(c)
	return c
}

func (f *checkFlags) add(c *cobra.Command) {
	c.Flags().SetInterspersed(false) // flags after the program are the program's
	f.quiet = true
	flags := c.Flags()
	flags.StringVar(&f.lib, "lib", "", libHelp)
	flags.StringVar(&f.checks, "checks", "all", "`KIND,...` to look for: "+kindWords()+", or all")
	flags.BoolVar(&f.notes, "notes", false, "show notes, too: what is right on these devices, and may be wrong on later ones")
	flags.StringVar(&f.warpSynchronous, "warp-synchronous", "yes", "`WORD`: no makes errors of accesses that only the lock step of a warp orders")
	flags.StringArrayVar(&f.kernels, "kernel", nil, "report only this kernel: a `NAME`, with * for any text, or a regular expression as /RE/")
	flags.StringArrayVar(&f.excluded, "kernel-exclude", nil, "leave out this kernel: `NAME` as for --kernel")
	flags.StringArrayVar(&f.known, "suppressions", nil, "leave out the findings in this `FILE`, of --write-suppressions or of compute-sanitizer --xml")
	flags.UintVar(&f.limit, "limit", mostShown, "show `N` findings at most; 0 shows all")
	flags.Uint8Var(&f.status, "error-exitcode", statusFound, "exit status `N` if the program succeeded and has errors")
	flags.StringVar(&f.format, "format", formText, "`FORM` of the text: text, compute-sanitizer or cuda-memcheck")
	flags.StringVar(&f.by, "by", byLine, "`WORD`: line makes one finding of those at the same lines, instruction tells all apart")
	flags.StringVarP(&f.report, "output", "o", "", "`FILE` for the text; - is standard output (default: standard error)")
	for i, o := range []struct{ name, help string }{
		{"html", "write the report to this `FILE` as a page: both accesses of a race side by side"},
		{"json", "write the report to this `FILE` as JSON"},
		{"sarif", "write the report to this `FILE` as SARIF 2.1.0"},
		{"junit", "write the report to this `FILE` as JUnit XML"},
		{"write-suppressions", "write suppressions of all that is found to this `FILE`"},
	} {
		f.files[i].what = "--" + o.name
		flags.StringVar(&f.files[i].path, o.name, "", o.help)
	}
	f.knobs = addKnobs(c, "check", "check-report")
	// The program's library names misspelled variables.
	c.PreRunE = func(*cobra.Command, []string) error { return f.knobs.check() }
}

// kindWords lists the kinds of findings.
func kindWords() string {
	var words []string
	for _, k := range check.Kinds() {
		words = append(words, string(k))
	}
	return list(words)
}

// wanted is what the flags ask for, checked.
type wanted struct {
	checks       check.Set
	keep, refuse func(mangled, name string) bool
	suppressions findings.Suppressions
}

// parse checks the flags before the program runs.
func (f *checkFlags) parse() (w wanted, err error) {
	if w.checks, err = check.ParseSet(f.checks); err != nil || w.checks == 0 {
		return w, usagef("--checks %q: want %s, or several with commas between, or all", f.checks, kindWords())
	}
	if err := oneOf("warp-synchronous", f.warpSynchronous, "yes", "no"); err != nil {
		return w, err
	}
	if err := oneOf("format", f.format, formText, formSanitizer, formMemcheck); err != nil {
		return w, err
	}
	if err := oneOf("by", f.by, byLine, byInstruction); err != nil {
		return w, err
	}
	if w.keep, err = findings.Kernels(f.kernels); err != nil {
		return w, usagef("--kernel %w", err)
	}
	if w.refuse, err = findings.Kernels(f.excluded); err != nil {
		return w, usagef("--kernel-exclude %w", err)
	}
	if err := f.writable(); err != nil {
		return w, err
	}
	for _, path := range f.known {
		s, err := findings.ReadSuppressions(path)
		if err != nil {
			return w, err
		}
		w.suppressions = append(w.suppressions, s...)
	}
	return w, nil
}

// writable checks that the files of the report can be written.
func (f *checkFlags) writable() error {
	files := append(slices.Clone(f.files[:]), output{"--output", f.report})
	if err := apart(f.known, files...); err != nil {
		return err
	}
	for _, o := range files {
		if o.path == "" {
			continue
		}
		if err := writable(o.what, o.path); err != nil {
			return err
		}
	}
	return nil
}

func (f *checkFlags) run(c *cobra.Command, args []string) error {
	want, err := f.parse()
	if err != nil {
		return err
	}
	found, err := os.CreateTemp("", "jacquard-check-*.jsonl")
	if err != nil {
		return err
	}
	defer os.Remove(found.Name())
	if err := found.Close(); err != nil {
		return err
	}
	cmd, lost, err := f.exec(c, args, "JACQUARD_CHECK="+want.checks.String(), "JACQUARD_CHECK_REPORT="+found.Name())
	if err != nil {
		return &statusError{statusNotBegun, err}
	}
	r, err := findings.Read(found.Name())
	if err != nil {
		return err
	}
	r.Program = args
	status := exitStatus(cmd.ProcessState)
	if !r.Started {
		if status == 0 {
			status = statusFailed
		}
		return &statusError{status, lost} // exec has said that the program never started the simulator
	}
	f.choose(r, want)
	err = errors.Join(lost, f.write(c, r))
	if w, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		plain.Fprintf(c.ErrOrStderr(), "jacquard: %s was ended by signal %d, %s\n", filepath.Clean(args[0]), int(w.Signal()), w.Signal())
	}
	if status == 0 && r.Errors() > 0 {
		status = int(f.status)
	}
	if status != 0 {
		return &statusError{status, err}
	}
	return err
}

// choose leaves in the report what the flags ask for.
func (f *checkFlags) choose(r *findings.Report, w wanted) {
	r.Checks = w.checks
	r.Keep(func(mangled, name string) bool {
		return w.keep(mangled, name) && (len(f.excluded) == 0 || !w.refuse(mangled, name))
	})
	r.Branches(&findings.Sources{})
	if f.by == byLine {
		r.ByLine()
	}
	if f.warpSynchronous == "no" {
		r.Promote("warp-synchronous")
	}
	w.suppressions.Apply(r)
}

// write writes the report in all forms that the flags ask for.
func (f *checkFlags) write(c *cobra.Command, r *findings.Report) error {
	folder, _ := os.Getwd() // unknown is ""
	sources := findings.Sources{Folder: folder}
	text := func(w io.Writer) error {
		if f.format == formText {
			return r.Text(w, &findings.Text{Sources: sources, Notes: f.notes, Limit: int(f.limit)})
		}
		return r.Sanitizer(w, &findings.Sanitizer{Old: f.format == formMemcheck, Leaks: r.Checks.Has(check.KindLeak), Notes: f.notes, Limit: int(f.limit)})
	}
	errs := make([]error, 0, len(f.files)+1)
	if f.report == "" {
		if f.format == formText {
			plain.Fprintf(c.ErrOrStderr(), "jacquard: %s was checked on the simulator\n", filepath.Clean(r.Program[0]))
		}
		errs = append(errs, text(c.ErrOrStderr()))
	} else {
		errs = append(errs, writeText(c.OutOrStdout(), f.report, text))
	}
	for i, write := range []func(io.Writer) error{
		func(w io.Writer) error { return f.page(w, r, &sources) },
		r.JSON,
		func(w io.Writer) error { return r.SARIF(w, &sources) },
		func(w io.Writer) error { return r.JUnit(w, &sources) },
		r.WriteSuppressions,
	} {
		if path := f.files[i].path; path != "" {
			errs = append(errs, writeFile(c.OutOrStdout(), path, write))
		}
	}
	return errors.Join(errs...)
}

// page writes the page of a report, with a player if there is a trace.
func (f *checkFlags) page(w io.Writer, r *findings.Report, s *findings.Sources) error {
	files, err := f.knobs.settings().Outputs()
	if path := files.Trace.Path; err != nil || path == "" || knobs.PerProcess(path) {
		return r.HTML(w, s, nil)
	}
	file, err := trace.Open(files.Trace.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	p, err := player.OfFindings(file, r)
	if err != nil {
		return err
	}
	return r.HTML(w, s, p)
}

// checks has an engine look for the mistakes that the flag asks for. report writes them for people.
func (f *replayFlags) checks(e *replay.Engine) (report func(c *cobra.Command, path string) error, err error) {
	word := f.knobs.settings().Check
	kinds, _ := check.ParseSet(cmp.Or(word, "off")) // the flag was checked
	if kinds == 0 {
		return func(*cobra.Command, string) error { return nil }, nil
	}
	if kinds &= check.OfLaunch; kinds == 0 {
		return nil, usagef("--check %s: a bundle has no calls of the host: want %s, or all", word, check.OfLaunch)
	}
	found, err := findings.OpenLog("", kinds)
	e.Checks = &replay.Checks{Kinds: kinds, Found: func(f check.Finding) { found.Add(f) }}
	return func(c *cobra.Command, path string) error {
		r := found.Report(kinds)
		folder, _ := os.Getwd() // unknown is ""
		sources := findings.Sources{Folder: folder}
		r.Branches(&sources)
		r.ByLine()
		plain.Fprintf(c.ErrOrStderr(), "jacquard: %s was checked on the simulator\n", path)
		err := r.Text(c.ErrOrStderr(), &findings.Text{Sources: sources, Notes: true})
		if err == nil && r.Errors() > 0 {
			return &statusError{statusFound, nil}
		}
		return err
	}, err
}
