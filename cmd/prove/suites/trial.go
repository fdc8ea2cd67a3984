package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"jacquard/study/programs"
)

// trial is a run of a program in a folder of its own.
type trial struct {
	*program
	ctx    context.Context
	setup  *setup
	suite  *suite
	path   string // of the program
	folder string
	idle   bool             // kernels do nothing
	limit  time.Duration    // ends a run
	result *programs.Result // of the program with its arguments
	more   []*programs.Result
}

// newTrial returns a trial in a folder of that name, before its run.
func (s *setup) newTrial(ctx context.Context, in *suite, p *program, path, name string) *trial {
	return &trial{
		program: p, ctx: ctx, setup: s, suite: in, path: path, limit: s.limit,
		folder: filepath.Join(filepath.Dir(path), name, p.at), result: &programs.Result{},
	}
}

// try runs the program; err is the reason why the result is wrong.
func (t *trial) try() error {
	if err := t.prepare(); err != nil {
		return err
	}
	t.result = t.start(t.args)
	err := t.result.Ended
	if err == nil {
		err = t.proof.check(t)
	}
	// A message of the driver or the program tells more than a status.
	reason := t.result.Reason
	more := t.result.Ended != nil || strings.HasPrefix(reason, "jacquard:")
	if err != nil && more && reason != err.Error() {
		err = fmt.Errorf("%w: %s", err, reason)
	}
	return err
}

// prepare makes a fresh folder with the files that the program reads.
func (t *trial) prepare() error {
	if err := errors.Join(os.RemoveAll(t.folder), os.MkdirAll(t.folder, 0o777)); err != nil {
		return err
	}
	for _, name := range t.files {
		from := filepath.Join(t.suite.folder, t.dir, name)
		if rest, ok := strings.CutPrefix(name, "@"); ok {
			from = filepath.Join(t.suite.folder, rest)
		}
		if err := copyTo(t.folder, from); err != nil {
			return err
		}
	}
	built, err := filepath.Glob(filepath.Join(filepath.Dir(t.path), ptxFolder, "*.ptx"))
	if err != nil {
		return err
	}
	for _, from := range built {
		if err := copyTo(filepath.Join(t.folder, "data"), from); err != nil {
			return err
		}
	}
	return t.inputs.write(t.folder)
}

// copyTo copies a file or a folder into a folder.
func copyTo(folder, from string) error {
	to := filepath.Join(folder, filepath.Base(from))
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return os.CopyFS(to, os.DirFS(from))
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o666)
}

// start runs the program on the simulator, with env added to the environment.
func (t *trial) start(args []string, env ...string) *programs.Result {
	preloaded, err := t.preloaded()
	if err != nil {
		return &programs.Result{Process: programs.Process{Ended: err}, Verdict: programs.Absent, Reason: err.Error()}
	}
	libraries := []string{filepath.Join(t.setup.toolkit, "lib64"), t.setup.lib}
	env = slices.Concat(t.env, env, []string{"LD_PRELOAD=" + preloaded})
	return t.run(t.path, args, programs.Environment(libraries, env...))
}

// run runs a program in the folder of the trial.
func (t *trial) run(path string, args, env []string) *programs.Result {
	return programs.Run(t.ctx, t.limit, func(ctx context.Context) (*exec.Cmd, error) {
		command := exec.CommandContext(ctx, path, args...)
		command.Dir, command.Env = t.folder, env
		command.Stdin = strings.NewReader(t.keys)
		return command, nil
	})
}

// preloaded makes the libraries between the program and the runtime, and returns their paths.
func (t *trial) preloaded() (string, error) {
	var paths []string
	for _, l := range []struct {
		name   string
		wanted bool
	}{{"margin", t.margin}, {"empty", t.idle}} {
		if !l.wanted {
			continue
		}
		library := t.setup.own(l.name + ".so")
		args := []string{"-shared", "-fPIC", "-o", library, t.setup.own(l.name + ".c"), "-ldl"}
		if err := compile(t.ctx, t.setup.work, hostCompiler("CC", "cc"), args); err != nil {
			return "", err
		}
		paths = append(paths, library)
	}
	return strings.Join(paths, ":"), nil
}

// again runs the program once more, with other arguments, in the same folder.
func (t *trial) again(args []string, env ...string) (*programs.Result, error) {
	r := t.start(args, env...)
	t.more = append(t.more, r)
	if r.Ended != nil {
		return r, fmt.Errorf("%s: %w", strings.Join(args, " "), r.Ended)
	}
	return r, nil
}

// sum returns the launches and the time of all runs of the program.
func (t *trial) sum() (sum programs.Result) {
	for _, r := range append(t.more, t.result) {
		sum.Launches = append(sum.Launches, r.Launches...)
		sum.Elapsed += r.Elapsed
	}
	return sum
}

// launched reports whether a kernel ran.
func (t *trial) launched() bool { return len(t.sum().Launches) > 0 }

// onHost returns a run of the version for the CPU with the same inputs.
func (t *trial) onHost() (*trial, error) {
	path, err := t.setup.buildHost(t.ctx, t.suite, t.program)
	if err != nil {
		return nil, err
	}
	h := *t
	h.folder = filepath.Join(filepath.Dir(t.path), "host", t.at)
	if err := h.prepare(); err != nil {
		return nil, err
	}
	args := t.host.args
	if args == nil {
		args = t.args
	}
	h.result = h.run(path, args, nil)
	return &h, h.result.Ended
}
