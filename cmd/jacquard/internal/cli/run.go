package cli

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"jacquard/cmd/jacquard/internal/events"
	"jacquard/cmd/jacquard/internal/launch"
	"jacquard/libcuda/driver"
)

type runFlags struct {
	test   bool
	json   bool
	grid   []int
	block  []int
	shared int
	args   []string
	dump   []string
	print  []string
	expect []string
	knobs  *knobFlags
}

func newRun() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run FILE [KERNEL] | run --test FILE",
		Short: "Run one kernel of a cubin, or a test.json",
		Long: `Run one kernel of a cubin without a host program. KERNEL may be left out if there is
only one. Arguments are given in order, each with its type:

  --arg i32:-5               also i8 i16 i64 u8 u16 u32 u64; any Go base (0x.., 0b..)
  --arg f32:1.5              also f64; 0x.. gives the bits
  --arg ptr:0x1000           a device address as it is
  --arg buf:4k               a buffer of that many bytes, and its address as the argument:
        buf:SIZE[:zero|:pattern=HEX|:seed=N|:file=PATH][:name=NAME]
                             a pattern is one number of 2, 4, 8 or 16 digits, repeated;
                             the size may be empty with a file

Buffers without a name are called arg0, arg1, ... by their place among the arguments.

With --test, FILE is a test.json: every build in it is run, on a device of its
architecture, and the buffers are compared with what the test expects.

Exit status 1 if the kernel faults or a comparison fails. Ctrl-C ends the kernel.`,
		Example: `  jacquard run vecadd.cubin vecadd --grid 4 --block 64 \
      --arg buf:1k:pattern=3f800000 --arg buf:1k:pattern=40000000 \
      --arg buf:1k:name=sum --arg u32:256 --print sum:f32:8
  jacquard run kernel.cubin --arg buf::file=in.bin:name=x --dump x=out.bin --expect x=want.bin
  jacquard run --test testdata/mesa-kernels/vecadd/test.json`,
		Args: func(c *cobra.Command, args []string) error {
			if f.test {
				return arguments(1, -1, "at least one test.json")(c, args)
			}
			return arguments(1, 2, "a cubin and a kernel")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.knobs.check(os.LookupEnv); err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
			defer stop()
			context.AfterFunc(ctx, stop) // a second Ctrl-C ends the tool
			if f.test {
				return runTests(ctx, c, args, &f)
			}
			return runKernel(ctx, c, args, &f)
		},
	}
	fl := c.Flags()
	fl.BoolVar(&f.test, "test", false, "FILE is a test.json")
	fl.BoolVar(&f.json, "json", false, "print what was executed as one JSON object a launch")
	fl.IntSliceVar(&f.grid, "grid", []int{1}, "blocks in x[,y]")
	fl.IntSliceVar(&f.block, "block", []int{32}, "threads of a block in x[,y[,z]]")
	fl.IntVar(&f.shared, "shared", 0, "bytes of dynamic shared memory")
	fl.StringArrayVar(&f.args, "arg", nil, "next argument of the kernel, TYPE:VALUE or buf:SIZE...")
	fl.StringArrayVar(&f.dump, "dump", nil, "write a buffer to a file after the launch, NAME=PATH")
	fl.StringArrayVar(&f.print, "print", nil, "print a buffer after the launch, NAME[:TYPE[:COUNT]]; x32 and 16 if not said")
	fl.StringArrayVar(&f.expect, "expect", nil, "compare a buffer with a file after the launch, NAME=PATH")
	f.knobs = addKnobs(c, "summary")
	return c
}

func runKernel(ctx context.Context, c *cobra.Command, args []string, f *runFlags) error {
	j, err := f.job(args)
	if err != nil {
		return err
	}
	after, err := f.afterwards(j)
	if err != nil {
		return err
	}
	settings := f.knobs.settings(os.LookupEnv)
	result, err := launch.Run(ctx, settings, j, f.log(c, settings))
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	failed := after.carryOut(out, result)
	if err := f.printLaunch(out, &result.Launch); err != nil {
		return err
	}
	return failed
}

// job makes the launch that the command line describes.
func (f *runFlags) job(args []string) (*launch.Job, error) {
	path := args[0]
	img, err := loadCubin(path)
	if err != nil {
		return nil, err
	}
	j := &launch.Job{Grid: [2]int{1, 1}, Block: [3]int{1, 1, 1}, Shared: f.shared}
	switch {
	case len(args) == 2:
		k, err := findKernel(img, path, args[1])
		if err != nil {
			return nil, err
		}
		j.Kernel = k.Name
	case len(img.Kernels) == 1:
		j.Kernel = img.Kernels[0].Name
	default:
		return nil, usagef("%s holds %d kernels: say which one to run (jacquard info lists them)", path, len(img.Kernels))
	}
	if j.Image, err = os.ReadFile(path); err != nil {
		return nil, err
	}
	if err := shape("grid", f.grid, j.Grid[:]); err != nil {
		return nil, err
	}
	if err := shape("block", f.block, j.Block[:]); err != nil {
		return nil, err
	}
	if f.shared < 0 {
		return nil, usagef("--shared %d: want 0 or more bytes", f.shared)
	}
	for i, arg := range f.args {
		p, err := launch.ParseArg(arg, i)
		if err != nil {
			return nil, usagef("--arg: %w", err)
		}
		j.Params = append(j.Params, p)
	}
	launch.Place(j.Params)
	return j, nil
}

// shape copies the numbers of a flag to as many dimensions.
func shape(flag string, given, dims []int) error {
	if len(given) == 0 || len(given) > len(dims) {
		return usagef("--%s: want 1 to %d numbers with commas between, not %d", flag, len(dims), len(given))
	}
	for _, n := range given {
		if n < 1 {
			return usagef("--%s: %d is no size: want 1 or more", flag, n)
		}
	}
	copy(dims, given)
	return nil
}

// log returns where the driver's log lines go: what went wrong is reported once, as the
// tool's error, so that only a user who asks for more sees them.
func (f *runFlags) log(c *cobra.Command, s driver.Settings) io.Writer {
	if s.Log == "info" {
		return c.ErrOrStderr()
	}
	return io.Discard
}

func (f *runFlags) printLaunch(out io.Writer, e *driver.LaunchEvent) error {
	if f.json {
		return json.NewEncoder(out).Encode(e)
	}
	return printKernels(out, &events.Record{Launches: []driver.LaunchEvent{*e}})
}
