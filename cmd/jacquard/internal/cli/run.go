package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/events"
	"jacquard/libcuda/driver/knobs"
	"jacquard/study/launch"
)

type runFlags struct {
	jobFlags
	test   bool
	json   bool
	dump   []string
	print  []string
	expect []string
	knobs  *knobFlags
	gauge  *gauge

	gathered *gathering     // the statistics of several tests
	read     []string       // files that the command reads
	launched *events.Launch // the current job's launch, nil before its end
	dumps    []output
}

func newRun() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run FILE [KERNEL] | run --test FILE...",
		Short: "Run one kernel of a cubin or program, or tests of kernels",
		Long: `Run one kernel of a cubin without a host program. KERNEL may be left out if there is
only one. FILE may also be a fat binary, or a program, library, object file or archive (of Linux
or Windows) that carries one: of the images with the kernel, the best for the device is run.

` + argumentsHelp + `

With --test, each FILE is a test.json, a folder with one, or a folder of such folders. Every
build, or that of --arch, runs on a device of its architecture, and the buffers are compared
with those that the test expects. --stats FILE has the launches of all of them; --trace and
--record are of one build.

With --json standard output has one JSON object per launch and nothing else: other text goes
to standard error. A launch that failed has its object, too, with "result" and "message"; the
member "wrong" says how a comparison failed. What did not become a launch, such as a file that
cannot be read, has an object whose "event" is "no launch", with "message". A wrong command
line has none.

Exit status 1 if the kernel faults or a comparison fails. Ctrl-C ends the kernel.`,
		Example: `  jacquard run vecadd.cubin vecadd --grid 4 --block 64 \
      --arg buf:1k:pattern=3f800000 --arg buf:1k:pattern=40000000 \
      --arg buf:1k:name=sum --arg u32:256 --print sum:f32:8
  jacquard run kernel.cubin --arg buf::file=in.bin:name=x --dump x=out.bin --expect x=want.bin
  jacquard run program _Z3addPfS_S_ --image 4 --arg buf:1k --arg buf:1k --arg buf:1k
  jacquard run nested.cubin --arg buf:4k --trace t.jqt && jacquard trace show t.jqt
  jacquard run nested.cubin --arg buf:4k --stats s.json
  jacquard run --test testdata/mesa-kernels
  jacquard run --test testdata/mesa-kernels --arch sm_13 --stats all.parquet
  jacquard run --test testdata/mesa-kernels/nested --arch sm_13 --policy simty --stats s.json`,
		Args: func(c *cobra.Command, args []string) error {
			if f.test {
				return arguments(1, -1, "at least one test.json or folder")(c, args)
			}
			return arguments(1, 2, "a cubin and a kernel")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			ctx, stop := until(os.Interrupt, syscall.SIGTERM)
			defer stop()
			f.gauge = newGauge(c, f.knobs.settings(), false)
			defer f.gauge.end()
			if !f.test {
				kernel := strings.Join(args[1:], "")
				return f.withJSON(c, kernel, f.arch, func() error { return runKernel(ctx, c, args, &f) })
			}
			if err := without(c, "--test", slices.Concat(launchFlags, []string{"dump", "expect", "print"})...); err != nil {
				return err
			}
			return f.runTests(ctx, c, args)
		},
	}
	fl := c.Flags()
	fl.BoolVar(&f.test, "test", false, testHelp)
	fl.BoolVar(&f.json, "json", false, "print the counts of execution, one JSON object per launch")
	f.add(c)
	fl.StringVar(&f.arch, "arch", "", "compile PTX for `ARCH`: sm_10, sm_11, sm_12 or sm_13 (default: that of the device); with --test: run the build for it")
	fl.StringArrayVar(&f.dump, "dump", nil, "write a buffer to a file after the launch, `NAME=PATH`")
	fl.StringArrayVar(&f.print, "print", nil, "print a buffer after the launch, `NAME[:TYPE[:COUNT]]`; x32 and 16 by default")
	fl.StringArrayVar(&f.expect, "expect", nil, "compare a buffer with a file after the launch, `NAME=PATH`")
	f.knobs = addKnobs(c, "summary", "crosscheck")
	return c
}

func runKernel(ctx context.Context, c *cobra.Command, args []string, f *runFlags) error {
	j, err := f.job(args, f.knobs.arch())
	if err != nil {
		return err
	}
	after, err := f.afterwards(j)
	if err != nil {
		return err
	}
	if against := f.knobs.settings().Crosscheck; against != "" {
		return usagef("JACQUARD_CROSSCHECK is for programs: of one kernel, make a bundle with --record, for jacquard replay --against %s", against)
	}
	f.read, f.dumps = append(after.inputs(), args[0]), after.outputs()
	for _, d := range f.dumps {
		if f.json && d.path == standardOutput {
			return usagef("%s -: want a file: standard output is JSON", d.what)
		}
	}
	if err := after.check(); err != nil {
		return err
	}
	result, finish, err := f.launch(ctx, c, j)
	if err == nil {
		err = after.carryOut(f.text(c), c.OutOrStdout(), result)
		if !f.json {
			kernels := &events.Record{Launches: []events.Launch{result.Launch}}
			err = cmp.Or(printKernels(f.text(c), kernels), err)
		}
	}
	return cmp.Or(err, finish())
}

// text returns the stream for text: not standard output if JSON or a buffer goes there.
func (f *runFlags) text(c *cobra.Command) io.Writer {
	if f.json || slices.ContainsFunc(f.dumps, func(d output) bool { return d.path == standardOutput }) {
		return c.ErrOrStderr()
	}
	return c.OutOrStdout()
}

// launch runs a job with the files that the knobs ask for. The caller calls finish last: it reports
// the files, and fails if one of them broke off.
func (f *runFlags) launch(ctx context.Context, c *cobra.Command, j *launch.Job) (result *launch.Result, finish func() error, err error) {
	settings, nothing := f.knobs.settings(), func() error { return nil }
	settings.Stats = f.gathered.knob(settings.Stats)
	files, err := checkOutputs(settings, f.read, f.dumps...)
	if err == nil {
		err = apart(f.fills(), outputsOf(settings, files.OfProcess())...)
	}
	if err != nil {
		return nil, nothing, err
	}
	j.Stdout, j.Stderr = f.text(c), c.ErrOrStderr()
	j.Launched = func(e events.Launch) { f.launched = &e } // also if there is no result
	settings.Progress = f.gauge.knob(settings.Progress)
	var list runList
	if files.Any() {
		var leave func()
		if list, leave, err = joinRun(); err != nil {
			return nil, nothing, err
		}
		defer leave()
	}
	log := newRunLog(c, settings)
	result, err = launch.Run(ctx, settings, j, log)
	if not := new(launch.NotBegunError); errors.As(err, &not) {
		return nil, nothing, err // and there is no file to report
	}
	files = files.OfProcess()
	for _, path := range []*string{&files.Stats.To.Path, &files.Trace.Path, &files.Record.Path} {
		*path = list.place(*path)
	}
	lost := log.tell()
	if failed := f.gathered.add(); failed != nil {
		return nil, nothing, errors.Join(err, failed)
	}
	return result, func() error {
		if f.gathered == nil {
			reportStats(c.ErrOrStderr(), files.Stats)
		}
		reportTrace(c.ErrOrStderr(), files.Trace.Path)
		if path := files.Record.Path; path != "" && !isDevice(path) {
			status := statusOK
			if err != nil {
				status = statusFailed
			}
			finishRecord(c.ErrOrStderr(), path, status, true)
		}
		if lost {
			return errSaid
		}
		return nil
	}, err
}

// runLog takes the driver's log while the tool runs one kernel. The tool reports a kernel's fault
// as its own error, so it shows the log only to users who ask for more, but for notes. No error says
// that a trace, statistics or a bundle broke off: runLog keeps such notes.
type runLog struct {
	out  io.Writer
	all  bool // pass on every line at once
	lost []string
}

func newRunLog(c *cobra.Command, s knobs.Settings) *runLog {
	return &runLog{out: c.ErrOrStderr(), all: s.Log == "info"}
}

func (l *runLog) Write(line []byte) (int, error) {
	if l.all {
		return l.out.Write(line)
	}
	return len(line), nil
}

// Note takes a note, whose line is in the log, too.
func (l *runLog) Note(n driver.Note) {
	if n.Lost {
		l.lost = append(l.lost, n.Line)
		return
	}
	l.print(n.Line)
}

func (l *runLog) print(line string) {
	if !l.all {
		fmt.Fprintf(l.out, "jacquard: %s\n", line)
	}
}

// tell prints the lines about files that broke off, and reports whether there are any.
func (l *runLog) tell() bool {
	for _, line := range l.lost {
		l.print(line)
	}
	return len(l.lost) > 0
}
