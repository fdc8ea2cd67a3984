package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"sync/atomic"

	"github.com/spf13/cobra"

	"jacquard/cubin/plain"
	"jacquard/libcuda/bundle"
	"jacquard/libcuda/otherdriver"
	"jacquard/libcuda/replay"
)

type replayFlags struct {
	kernels []string
	against string
	save    string
	json    bool
	first   int
	memory  int
	knobs   *knobFlags
}

func newReplay() *cobra.Command {
	var f replayFlags
	c := &cobra.Command{
		Use:   "replay BUNDLE",
		Short: "Run the launches of a bundle again and compare what they leave",
		Long: `Run every launch of a bundle on the simulator, from the memory that it saw when it was
recorded, and compare what it leaves with what was recorded, byte by byte. The first
difference of every buffer is shown, with the distance in units of the last place where
both values look like floating-point numbers.

Each launch starts from what was recorded: one that goes wrong does not spoil the next. One that
does not end is ended after 2^34 warp-instructions, or what --watchdog says.
Exit status 1 if a launch goes otherwise, or none could be compared.

With --against, launches run on another libcuda: the driver of a board, or a copy of the
simulator's. Memory has other addresses there; experiments on the simulator find out which
words are addresses. A launch for which they cannot tell is not compared, nor is one that the
library refuses, such as code for sm_1x on a later board. --save writes a bundle of what the
launches left there.`,
		Example: `  jacquard replay run.jqb
  jacquard replay --against /usr/lib/libcuda.so.1 --save board.jqb run.jqb
  jacquard replay --kernel reduce --policy pdom run.jqb
  jacquard replay --json run.jqb`,
		Args: arguments(1, 1, "one bundle"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.knobs.check(os.LookupEnv); err != nil {
				return err
			}
			return f.run(c, args[0])
		},
	}
	fl := c.Flags()
	fl.StringArrayVar(&f.kernels, "kernel", nil, "only launches of this `KERNEL`; may be given several times")
	fl.StringVar(&f.against, "against", "", "run them on this `LIBRARY`, a libcuda.so.1, instead")
	fl.StringVar(&f.save, "save", "", "write a bundle of what the launches leave now into this `FILE`")
	fl.BoolVar(&f.json, "json", false, "print one JSON object per launch")
	fl.IntVar(&f.first, "first", 10, "show `N` differences of a launch")
	fl.IntVar(&f.memory, "memory", 0, memoryHelp)
	f.knobs = onlyKnobs(c, "policy", "simd", "watchdog", "workers")
	return c
}

func (f *replayFlags) run(c *cobra.Command, path string) error {
	in, err := openBundle(path, f.memory)
	if err != nil {
		return err
	}
	defer in.Close()
	engine, stop, err := f.engine()
	if err != nil {
		return err
	}
	defer stop()
	with, where, end, err := f.runner(engine)
	if err != nil {
		return err
	}
	defer end()
	number := 0
	o := replay.Options{Kernels: f.kernels, Each: func(r *replay.Result) error {
		number++
		progress(c, fmt.Sprintf("%s: launch %d", path, number))
		if f.json {
			return replayJSON(c.OutOrStdout(), r, f.first)
		}
		return replayText(c, r, f.first)
	}}
	if f.save != "" {
		if same(f.save, path) {
			return usagef("--save %s: this is the bundle itself: name another file", f.save)
		}
		if o.Save, err = bundle.Create(f.save, bundle.Options{}, nil); err != nil {
			return err
		}
	}
	total, err := replay.Run(in, with, o)
	progress(c, "")
	if o.Save != nil {
		err = errors.Join(err, f.finishSave(o.Save))
	}
	var cut *bundle.CutError
	if errors.As(err, &cut) {
		plain.Fprintf(c.ErrOrStderr(), "jacquard: %s: %v\n", path, err)
	} else if err != nil {
		return explainBundle(path, err)
	}
	if !f.json {
		plain.Fprintf(c.OutOrStdout(), "%s%s: %d identical, %d different%s\n",
			counted(total.Same+total.Different+total.Skipped, "launch", "launches"), where, total.Same, total.Different, notCompared(total.Skipped))
	}
	switch {
	case total.Different > 0:
		return errSaid
	case total.Skipped > 0 && total.Same == 0:
		return errors.New("nothing was compared")
	}
	return nil
}

func notCompared(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d not compared", n)
}

// runner returns what launches run on, and where that is in words: the simulator, or the library that --against names. Until
// end is called the tool stays on one thread of the system.
func (f *replayFlags) runner(engine *replay.Engine) (with replay.Runner, where string, end func(), err error) {
	if f.against == "" {
		return engine, "", func() {}, nil
	}
	library, err := otherdriver.Open(f.against)
	if err != nil {
		return nil, "", nil, err
	}
	runtime.LockOSThread()
	other, err := replay.NewOtherDriver(library, engine)
	if err != nil {
		runtime.UnlockOSThread()
		return nil, "", nil, fmt.Errorf("%s: %w", f.against, err)
	}
	where = fmt.Sprintf(" on %s (sm_%d%d)", other.Device.Name, other.Device.Major, other.Device.Minor)
	return other, where, func() {
		other.Close() // what goes wrong now does not matter
		runtime.UnlockOSThread()
	}, nil
}

// finishSave ends the bundle that was written.
func (f *replayFlags) finishSave(r *bundle.Recorder) error {
	if err := r.Close(); err != nil {
		return err
	}
	_, err := bundle.Finish(f.save, bundle.Closing{})
	return err
}

// same reports whether two paths lead to one file.
func same(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// replayWatchdog ends a launch after so many warp-instructions, if the knob does not say how many: a
// bundle is a file like others, and may hold a kernel that never ends.
const replayWatchdog = 1 << 34

// engine returns the simulator as the flags set it up; the first Ctrl-C ends the launch that runs, until stop is called.
func (f *replayFlags) engine() (e *replay.Engine, stop func(), err error) {
	s := f.knobs.settings(os.LookupEnv)
	e = &replay.Engine{Policy: s.Policy, SIMD: s.Simd, Watchdog: replayWatchdog, Interrupt: new(atomic.Bool)}
	for _, n := range []struct {
		text string
		set  func(uint64)
	}{{s.Workers, func(v uint64) { e.Workers = int(min(v, 1<<10)) }}, {s.Watchdog, func(v uint64) { e.Watchdog = v }}} {
		if n.text == "" {
			continue
		}
		v, err := strconv.ParseUint(n.text, 10, 64)
		if err != nil {
			return nil, nil, err
		}
		n.set(v)
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	undo := context.AfterFunc(ctx, func() {
		e.Interrupt.Store(true)
		cancel() // a second Ctrl-C ends the tool
	})
	return e, func() { undo(); cancel() }, nil
}

func replayText(c *cobra.Command, r *replay.Result, first int) error {
	out := c.OutOrStdout()
	if r.Skipped != nil || len(r.Differences) > 0 {
		progress(c, "")
	}
	if r.Skipped != nil {
		_, err := plain.Fprintf(out, "%s: not compared: %v\n", r.Launch, r.Skipped)
		return err
	}
	for i := range r.Differences {
		if i == first {
			_, err := plain.Fprintf(out, "%s: and %d more\n", r.Launch, len(r.Differences)-first)
			return err
		}
		if _, err := plain.Fprintf(out, "%s: %s\n", r.Launch, &r.Differences[i]); err != nil {
			return err
		}
	}
	return nil
}

// replayLine is what is printed of a launch with --json.
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
