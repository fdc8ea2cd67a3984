package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"jacquard/board/otherdriver"
	"jacquard/board/replay"
	"jacquard/internal/plain"
	"jacquard/libcuda/driver/sinks"
	"jacquard/observe/bundle"
	"jacquard/simt"
)

type replayFlags struct {
	kernels  []string
	launches string
	against  string
	save     string
	json     bool
	first    uint32
	memory   int
	knobs    *knobFlags
}

func newReplay() *cobra.Command {
	var f replayFlags
	c := &cobra.Command{
		Use:   "replay BUNDLE",
		Short: "Run the launches of a bundle again and compare the memory that they leave",
		Long: `Run every launch of a bundle on the simulator, from the memory that it saw when it was
recorded, and compare the memory that it leaves with the recording, byte by byte. The first
difference of every buffer is shown, with the distance in units of the last place where
both values look like floating-point numbers.

Each launch starts from the recording: one that goes wrong does not spoil the next. A launch
that does not end is ended after 2^34 warp-instructions, or as many as --watchdog says. A limit
keeps launches to one worker and costs time: --watchdog 0 sets none.
Exit status 1 if a launch differs, or none was compared, or statistics or a trace broke off.

--check memory,race,init,sync or all looks for mistakes of the kernels as "jacquard check" does;
the report goes to standard error, and the exit status is 3 if nothing else is wrong.
Ctrl-C ends the launch that runs: it is neither compared nor saved, and the exit status is 1.

With --against, launches run on another libcuda: the driver of a board, or a copy of the
simulator's. Memory has other addresses there; experiments on the simulator find out which
words are addresses. A launch for which they cannot tell is not compared, nor is one that the
library refuses, such as code for sm_1x on a later board. Flags about the simulator's launches,
such as --policy and --trace, are refused: its own library takes their variables. --save writes
a bundle of the memory that the launches left there.`,
		Example: `  jacquard replay run.jqb
  jacquard replay --against /usr/lib/libcuda.so.1 --save board.jqb run.jqb
  jacquard replay --kernel reduce --policy pdom run.jqb
  jacquard replay --launches 100-199 --stats s.json run.jqb
  jacquard replay --check race run.jqb
  jacquard replay --json run.jqb`,
		Args: arguments(1, 1, "one bundle"),
		RunE: func(c *cobra.Command, args []string) error {
			ctx, stop := until(os.Interrupt, syscall.SIGTERM)
			defer stop()
			return f.run(ctx, c, args[0])
		},
	}
	fl := c.Flags()
	fl.StringArrayVar(&f.kernels, "kernel", nil, "only launches of this `KERNEL`; may be given several times")
	fl.StringVar(&f.launches, "launches", "", "only launches `FROM-TO`, counted from 0, or one")
	fl.StringVar(&f.against, "against", "", "run the launches on this `LIBRARY`, a libcuda.so.1")
	fl.StringVar(&f.save, "save", "", "write a bundle of the launches as they went now into this `FILE`")
	fl.BoolVar(&f.json, "json", false, "print one JSON object per launch")
	fl.Uint32Var(&f.first, "first", 10, "show `N` differences of a launch")
	fl.IntVar(&f.memory, "memory", 0, memoryHelp)
	f.knobs = onlyKnobs(c, "check", "digest", "engine", "order", "policy", "simd", "stats", "summary", "trace", "watchdog", "workers")
	return c
}

func (f *replayFlags) run(ctx context.Context, c *cobra.Command, path string) error {
	first, end, err := f.chosen()
	if err != nil {
		return err
	}
	if f.against != "" {
		if err := without(c, "--against", "check", "digest", "order", "policy", "stats", "summary", "trace"); err != nil {
			return err
		}
	}
	in, err := openBundle(path, f.memory)
	if err != nil {
		return err
	}
	defer in.Close()
	engine, stop := f.engine(ctx)
	defer stop()
	checks, err := f.checks(engine)
	if err != nil {
		return err
	}
	log := &complaints{out: c.ErrOrStderr()}
	watch, err := f.watch(log, engine, path)
	if err != nil {
		return err
	}
	var with replay.Runner = engine
	where := ""
	if f.against != "" {
		other, end, err := openOther(f.against, engine)
		if err != nil {
			return err
		}
		defer end()
		with, where = other, fmt.Sprintf(" on %s (sm_%d%d)", other.Device.Name, other.Device.Major, other.Device.Minor)
	}
	number := 0
	o := replay.Options{Kernels: f.kernels, First: first, End: end, Each: func(r *replay.Result) error {
		number++
		progress(c, fmt.Sprintf("%s: launch %d", path, number))
		if f.json {
			return replayJSON(c.OutOrStdout(), r, int(f.first))
		}
		replayText(c, r, int(f.first))
		return nil
	}}
	var saved *bundle.Recorder
	o.Begin = func() (_ *bundle.Recorder, err error) {
		if err = watch(); err == nil && f.save != "" {
			saved, err = bundle.Create(f.save, bundle.Options{}, nil)
		}
		return saved, err
	}
	total, err := replay.Run(in, with, o)
	progress(c, "")
	if cut := new(bundle.CutError); err == nil || errors.As(err, &cut) {
		endSinks(engine.Sinks)
	}
	interrupted := errors.Is(err, replay.ErrInterrupted)
	var unsaved error
	if saved != nil {
		unsaved = f.endSaved(saved, in, err)
	}
	if cut, ok := errors.AsType[*bundle.CutError](err); ok {
		reportDamage(c, path, cut)
	} else if err != nil && !interrupted {
		return errors.Join(explainBundle(path, err), unsaved)
	}
	if err == nil && f.launches == "" && in.Closing == nil {
		reportDamage(c, path, errNoEnd)
	}
	if !f.json {
		printTotal(c.OutOrStdout(), &total, where)
	}
	if interrupted {
		return errors.Join(errReplayInterrupted, unsaved)
	}
	return cmp.Or(unsaved, judgeReplay(&total, log), checks(c, path))
}

// errNoEnd says that a recording was read to the end of its file, and has no end of its own.
var errNoEnd = errors.New("the recording has no end: its program was killed or goes on")

// errReplayInterrupted ends a replay that the user interrupted.
var errReplayInterrupted = errors.New("interrupted: not every launch was compared")

// endSaved gives the saved bundle the end of the bundle that was read. If the replay failed with
// err, or that bundle has no end, launches may be missing: the saved bundle gets no end.
func (f *replayFlags) endSaved(r *bundle.Recorder, in *bundle.Reader, err error) error {
	for err == nil && in.Closing == nil { // launches after the selected ones
		_, err = in.Next()
	}
	if in.Closing == nil || err != nil && err != io.EOF {
		return r.Close()
	}
	return closeBundle(r, f.save, *in.Closing)
}

// printTotal prints how many launches went as recorded. where is the library that ran them.
func printTotal(out io.Writer, total *replay.Total, where string) {
	skipped := ""
	if total.Skipped > 0 {
		skipped = fmt.Sprintf(", %d not compared", total.Skipped)
	}
	launches := counted(total.Same+total.Different+total.Skipped, "launch", "launches")
	plain.Fprintf(out, "%s%s: %d identical, %d different%s\n", launches, where, total.Same, total.Different, skipped)
}

// judgeReplay returns the error of a replay that went to its end.
func judgeReplay(total *replay.Total, log *complaints) error {
	switch {
	case total.Different > 0, log.lost:
		return errSaid
	case total.Same > 0:
		return nil
	case total.Skipped == 0 && total.Passed > 0:
		return errors.New("nothing was compared: no launch of the bundle is chosen")
	}
	return errors.New("nothing was compared")
}

// openOther opens another libcuda, for launches that engine prepares. Until end is called the
// tool stays on one thread of the system.
func openOther(path string, engine *replay.Engine) (other *replay.OtherDriver, end func(), err error) {
	library, err := otherdriver.Open(path)
	if err != nil {
		return nil, nil, err
	}
	runtime.LockOSThread()
	if other, err = replay.NewOtherDriver(library, engine); err != nil {
		runtime.UnlockOSThread()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return other, func() {
		other.Close() // a failure no longer matters
		runtime.UnlockOSThread()
	}, nil
}

// replayWatchdog ends a launch after so many warp-instructions, unless the knob says otherwise: a
// bundle is a file like others, and may hold a kernel that never ends.
const replayWatchdog = 1 << 34

// engine returns the simulator as the flags set it up. The end of ctx ends the launch that runs,
// until stop is called.
func (f *replayFlags) engine(ctx context.Context) (e *replay.Engine, stop func()) {
	s := f.knobs.settings()
	e = &replay.Engine{Policy: s.Policy, Order: s.Order, Host: simt.Host{Engine: s.Engine, SIMD: s.Simd}, Watchdog: replayWatchdog, Interrupt: new(atomic.Bool)}
	if n, err := strconv.ParseUint(s.Workers, 10, 64); err == nil {
		e.Workers = int(min(n, 1<<10))
	}
	if n, err := strconv.ParseUint(s.Watchdog, 10, 64); err == nil {
		e.Watchdog = n
	}
	e.Interrupt.Store(ctx.Err() != nil)
	undo := context.AfterFunc(ctx, func() { e.Interrupt.Store(true) })
	return e, func() { undo() }
}

// chosen returns the first launch that --launches chooses and the one after the last; end 0 is all.
func (f *replayFlags) chosen() (first, end int, err error) {
	if f.launches == "" {
		return 0, 0, nil
	}
	from, to, span := strings.Cut(f.launches, "-")
	if !span {
		to = from
	}
	first, err = strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if err != nil || err2 != nil || first < 0 || last < first {
		return 0, 0, usagef("--launches %q: want FROM-TO, counted from 0, or one number", f.launches)
	}
	return first, last + 1, nil
}

// watch returns a function that begins the files that the knobs ask for: summary, statistics and
// trace of the simulator's launches. Another library writes its own.
func (f *replayFlags) watch(log *complaints, e *replay.Engine, path string) (begin func() error, err error) {
	settings := f.knobs.settings()
	settings.Record, settings.Crosscheck = "", ""
	save := output{"--save", f.save}
	if err := notStandardOutput(save); err != nil {
		return nil, err
	}
	files, err := checkOutputs(settings, []string{path, f.against}, save)
	if f.against != "" || err != nil {
		return func() error { return nil }, err
	}
	values, err := settings.Parse()
	if err != nil {
		return nil, err
	}
	add := func(s sinks.Sink, err error) error {
		if s != nil && err == nil {
			e.Sinks = append(e.Sinks, s)
		}
		return err
	}
	return func() error {
		if err := add(sinks.OpenTrace(values.Trace, log)); err != nil {
			return err
		}
		if settings.Summary != "" {
			if err := add(sinks.OpenSummary(&values, nil, log)); err != nil {
				return err
			}
		}
		if files.Stats.Write {
			return add(sinks.OpenStats(&values, path, log))
		}
		return nil
	}, nil
}

// endSinks tells sinks that the run has ended.
func endSinks(all []sinks.Sink) {
	for _, s := range all {
		if e, ok := s.(sinks.Ender); ok {
			e.End()
		}
	}
}

// complaints is a log of errors.
type complaints struct {
	out  io.Writer
	said map[string]bool // by Once
	lost bool            // a file broke off
}

// Info drops the line.
func (l *complaints) Info(string, ...any) {}

// Once prints a line, unless it did before. Launches of a replay come one after the other.
func (l *complaints) Once(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if l.said[line] {
		return
	}
	if l.said == nil {
		l.said = map[string]bool{}
	}
	l.said[line] = true
	l.Error("%s", line)
}

// Lost prints once that a file broke off.
func (l *complaints) Lost(err error) { l.Once("%v", err) }

// Error prints a line, and notes that something is lost.
func (l *complaints) Error(format string, args ...any) {
	l.lost = true
	l.Note(format, args...)
}

// Note prints a line.
func (l *complaints) Note(format string, args ...any) {
	plain.Fprintf(l.out, "jacquard: %s\n", fmt.Sprintf(format, args...))
}

func replayText(c *cobra.Command, r *replay.Result, first int) {
	out := c.OutOrStdout()
	if r.Skipped != nil || len(r.Differences) > 0 {
		progress(c, "")
	}
	if r.Skipped != nil {
		plain.Fprintf(out, "%s: not compared: %v\n", r.Launch, r.Skipped)
		return
	}
	for i := range r.Differences[:min(first, len(r.Differences))] {
		plain.Fprintf(out, "%s: %s\n", r.Launch, &r.Differences[i])
	}
	if n := len(r.Differences) - first; n > 0 {
		plain.Fprintf(out, "%s: and %d more\n", r.Launch, n)
	}
}

// replayLine is the line of a launch with --json.
type replayLine struct {
	Launch      int              `json:"launch"`
	Kernel      string           `json:"kernel"`
	Grid        [2]int           `json:"grid"`
	Block       [3]int           `json:"block"`
	Same        bool             `json:"same"`
	Skipped     string           `json:"skipped,omitempty"` // why it was not compared
	Notes       []string         `json:"notes,omitempty"`
	Differences []differenceLine `json:"differences,omitempty"`
}

type differenceLine struct {
	Object  string `json:"object,omitempty"`
	Address string `json:"address,omitempty"`
	Offset  int    `json:"offset"`
	Got     string `json:"got"` // a word, or how the launch ended
	Want    string `json:"want"`
	ULP     uint64 `json:"ulp,omitempty"`
	Words   int    `json:"words,omitempty"` // that differ
	Of      int    `json:"of,omitempty"`
}

func replayJSON(out io.Writer, r *replay.Result, first int) error {
	l := r.Launch
	line := replayLine{Launch: l.Number, Kernel: l.Kernel.Name, Grid: l.Grid, Block: l.Block, Notes: r.Notes}
	line.Same = r.Skipped == nil && len(r.Differences) == 0
	if r.Skipped != nil {
		line.Skipped = r.Skipped.Error()
	}
	for i := range r.Differences[:min(first, len(r.Differences))] {
		line.Differences = append(line.Differences, differenceOf(&r.Differences[i]))
	}
	return json.NewEncoder(out).Encode(&line)
}

func differenceOf(d *replay.Difference) differenceLine {
	if d.Object == nil {
		return differenceLine{Got: d.Got.Result, Want: d.Want.Result}
	}
	m := d.Memory
	line := differenceLine{
		Object: d.Name, Address: fmt.Sprintf("%#x", d.Object.Address), Offset: m.Offset,
		Got: fmt.Sprintf("0x%08x", m.Got), Want: fmt.Sprintf("0x%08x", m.Want), Words: m.Words, Of: m.Total,
	}
	if n := m.Number(); n != nil {
		line.ULP = n.ULP
	}
	return line
}
