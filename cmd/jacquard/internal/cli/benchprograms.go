package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"jacquard/study/bench"
	"jacquard/study/programs"
)

// programsFlags are the flags of bench --programs.
type programsFlags struct {
	folder  string // the folder of programs and bundles
	against string
	lib     string
	args    string
	limit   time.Duration
	rounds  int

	asJSON, markdown *bool
	knobs            *knobFlags
}

// programsOnly names the flags that go with --programs alone.
var programsOnly = []string{"against", "args", "lib", "limit", "rounds"}

func (f *programsFlags) add(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.folder, "programs", "", "measure the programs and bundles in `FOLDER`")
	fl.StringVar(&f.against, "against", "", "with --programs: also measure the build whose libcuda.so.1 is in `FOLDER`")
	fl.StringVar(&f.lib, "lib", "", "with --programs: "+libHelp)
	fl.StringVar(&f.args, "args", "", "with --programs: `ARGUMENTS` of every program")
	fl.DurationVar(&f.limit, "limit", 10*time.Minute, "with --programs: end a program after this `TIME`")
	fl.IntVar(&f.rounds, "rounds", 1, "with --programs: run everything `N` times; the fastest run counts")
}

// check reports flags that do not go together.
func (f *programsFlags) check(c *cobra.Command) error {
	for _, name := range programsOnly {
		if f.folder == "" && c.Flags().Changed(name) {
			return usagef("--%s goes with --programs", name)
		}
	}
	if f.folder != "" && c.Flags().Changed("long") {
		return usagef("--long does not go with --programs")
	}
	if f.rounds < 1 {
		return usagef("--rounds %d: want 1 or more", f.rounds)
	}
	return nil
}

// run measures the programs of these names, or all, and prints them.
func (f *programsFlags) run(c *cobra.Command, names []string) error {
	names, err := f.choose(names)
	if err != nil {
		return err
	}
	b, err := f.bench()
	if err != nil {
		return err
	}
	ctx, stop := until(os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer progress(c, "")
	out := c.OutOrStdout()
	table := programs.Table{Markdown: *f.markdown}
	for i, name := range names {
		b.Progress = func(what string) { progress(c, fmt.Sprintf("%s (%d of %d)", what, i+1, len(names))) }
		row := b.Measure(ctx, name)
		if ctx.Err() != nil {
			break
		}
		if table.Add(row); *f.asJSON {
			if err := json.NewEncoder(out).Encode(row); err != nil {
				return err
			}
		}
	}
	progress(c, "")
	if !*f.asJSON {
		if *f.markdown {
			fmt.Fprintf(out, "%s\n\n", bench.Machine())
		}
		if err := table.Write(out); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return errors.New("interrupted: not every program was measured")
	}
	return nil
}

// choose returns the named files of the folder, or all its programs and bundles.
func (f *programsFlags) choose(names []string) ([]string, error) {
	var all []string
	files, err := os.ReadDir(f.folder)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		path := filepath.Join(f.folder, file.Name())
		info, err := os.Stat(path)
		if err == nil && info.Mode().IsRegular() && (info.Mode()&0o111 != 0 || isBundle(path)) {
			all = append(all, file.Name())
		}
	}
	for _, name := range names {
		if !slices.Contains(all, name) {
			return nil, usagef("%s has no program or bundle %q", f.folder, name)
		}
	}
	if len(all) == 0 {
		return nil, usagef("%s has no programs and no bundles", f.folder)
	}
	if len(names) > 0 {
		return names, nil
	}
	return all, nil
}

// build is a build of the simulator.
type build struct {
	lib  string // folder of the library; "" is beside the tool
	tool string
}

// bench returns the measurement: the builds in turn for each number of workers, so that other work
// on the machine slows both.
func (f *programsFlags) bench() (*programs.Bench, error) {
	tool, err := os.Executable()
	if err != nil {
		return nil, err
	}
	names, builds := []string{""}, map[string]build{"": {f.lib, tool}}
	if f.against != "" {
		names = []string{"old", "new"}
		builds["old"], builds["new"] = build{f.against, filepath.Join(f.against, "../bin", "jacquard")}, builds[""]
	}
	workers := []int{runtime.GOMAXPROCS(0), 1}
	if n, _ := strconv.Atoi(f.knobs.settings().Workers); n != 0 { // a number: the knob has been checked
		workers = []int{n}
	}
	b := &programs.Bench{Rounds: f.rounds, Limit: f.limit}
	for _, n := range slices.Compact(workers) {
		for _, name := range names {
			b.Ways = append(b.Ways, programs.Way{Build: name, Workers: n})
		}
	}
	b.Command = func(name string, w programs.Way) programs.Command {
		return func(ctx context.Context) (*exec.Cmd, error) { return f.command(ctx, name, builds[w.Build], w.Workers) }
	}
	return b, nil
}

// command returns the command that runs a program in its own folder, or replays a bundle.
func (f *programsFlags) command(ctx context.Context, name string, from build, workers int) (*exec.Cmd, error) {
	path, err := filepath.Abs(filepath.Join(f.folder, name))
	if err != nil {
		return nil, err
	}
	env := []string{
		"JACQUARD_WORKERS=" + strconv.Itoa(workers), "JACQUARD_STATS=on", "JACQUARD_TRACE=",
		"JACQUARD_RECORD=", "JACQUARD_CROSSCHECK=",
	}
	if isBundle(path) {
		// A watchdog would keep the launches to one worker.
		cmd := exec.CommandContext(ctx, from.tool, "replay", "--watchdog", "0", "--memory", strconv.Itoa(mostMiB), path)
		cmd.Env = slices.Concat(os.Environ(), f.knobs.environment(), env)
		return cmd, nil
	}
	p, err := findProgram(append([]string{path}, strings.Fields(f.args)...), from.lib)
	if err != nil {
		return nil, err
	}
	cmd := p.command(ctx, f.knobs, env...)
	cmd.Dir = filepath.Dir(path)
	return cmd, nil
}
