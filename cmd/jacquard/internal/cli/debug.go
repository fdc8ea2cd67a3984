package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"jacquard/board/replay"
	"jacquard/debug"
	"jacquard/debug/dap"
	face "jacquard/debug/terminal"
	"jacquard/debug/wire"
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/bundle"
	"jacquard/simt/check"
)

type debugFlags struct {
	lib      string
	commands []string
	files    []string
	batch    bool
	dap      bool
	listen   string
	attach   string
	folders  []string
	knobs    *knobFlags
}

func newDebug() *cobra.Command {
	var f debugFlags
	c := &cobra.Command{
		Use:   "debug [flags] -- PROGRAM [ARGS]",
		Short: "Stop kernels, look at their threads, and go back",
		Long: `Debug the kernels of an unmodified CUDA program, or of a recorded one, with the words of
cuda-gdb: breakpoints at lines and instructions, steps of a warp, the registers and memory of
every thread, watchpoints, changes, and the way back. Lines need nvcc -lineinfo, variables
nvcc -G. Type help for the words.

With --check the checkers of jacquard check look on, and a mistake stops the kernel where it
happens; --check=race,init chooses kinds.

With --dap an editor asks for the program and all else by the Debug Adapter Protocol, on standard
input and output or, with --listen, one client after the other on a port.

A BUNDLE of jacquard record, a .jqb, is run as it was recorded: no program and no library is
needed.`,
		Example: `  jacquard debug -- ./reduction
  jacquard debug --batch --ex "break reduce" --ex run --ex "info cuda warps" -- ./reduction
  jacquard debug --check=race -- ./reduction
  jacquard debug run.jqb
  jacquard debug --dap --listen localhost:4711`,
		Args: func(c *cobra.Command, args []string) error {
			if f.dap {
				return arguments(0, 0, "no arguments: the editor names the program")(c, args)
			}
			if f.attach != "" {
				return arguments(0, 0, "no arguments: the program of --attach has its own")(c, args)
			}
			return arguments(1, -1, "a program to run, or one bundle")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	fl := c.Flags()
	fl.SetInterspersed(false)
	fl.StringVar(&f.lib, "lib", "", libHelp)
	fl.StringArrayVar(&f.commands, "ex", nil, "carry out this `COMMAND` first; may be given several times")
	fl.StringArrayVarP(&f.files, "command", "x", nil, "carry out the commands of this `FILE` first, before those of --ex")
	fl.BoolVar(&f.batch, "batch", false, "end after these commands, with exit status 1 if one failed")
	fl.BoolVar(&f.dap, "dap", false, "speak the Debug Adapter Protocol")
	fl.StringVar(&f.listen, "listen", "stdio", "with --dap, `ADDRESS` to listen on, as localhost:4711, or stdio")
	fl.StringVar(&f.attach, "attach", "", "run attaches to the program at this `SOCKET`, its JACQUARD_DEBUG=listen:SOCKET")
	fl.StringArrayVar(&f.folders, "directory", nil, "look for sources in this `FOLDER`")
	f.knobs = onlyKnobs(c, "check", "device", "engine", "log", "memory", "order", "policy", "ptx", "simd", "warpsync", "watchdog", "workers")
	fl.Lookup("check").NoOptDefVal = check.All.String()
	return c
}

// run debugs a program or a bundle.
func (f *debugFlags) run(c *cobra.Command, args []string) error {
	if f.dap {
		return f.serve(c)
	}
	program, err := f.program(c, args)
	if err != nil {
		return err
	}
	in := c.InOrStdin()
	t := &face.Terminal{Program: program, In: in, Out: c.OutOrStdout(), Prompt: interactive(in)}
	t.Source.Folders, t.OnInterrupt, t.Checks = f.folders, onInterrupt, f.checks()
	var commands []string
	for _, path := range f.files {
		commands = append(commands, "source "+path)
	}
	if t.Run(append(commands, f.commands...), f.batch) != 0 {
		return errSaid
	}
	return nil
}

// checks returns what the program is checked for.
func (f *debugFlags) checks() check.Set {
	kinds, _ := check.ParseSet(cmp.Or(f.knobs.settings().Check, "off")) // the flag was judged before
	return kinds
}

var errUnchecked = errors.New("a recording is not checked: leave the check out, or debug the program")

// program returns what the arguments name.
func (f *debugFlags) program(c *cobra.Command, args []string) (debug.Program, error) {
	if f.attach != "" {
		return &attachedProgram{socket: f.attach}, nil
	}
	if kinds, err := check.ParseSet(args[0]); err == nil && f.checks() == check.All {
		return nil, usagef("debug --check %s: want --check=%s", args[0], kinds)
	}
	if strings.HasSuffix(args[0], ".jqb") {
		if f.checks() != 0 {
			return nil, usagef("debug %s: %w", args[0], errUnchecked)
		}
		if len(args) > 1 {
			return nil, usagef("debug %s: want one bundle", args[0])
		}
		return &debuggedBundle{f: f, path: args[0]}, nil
	}
	p, err := findProgram(args, f.lib)
	if err != nil {
		return nil, &statusError{statusNotBegun, err}
	}
	return &debuggedProgram{f: f, p: p, out: direct(c.OutOrStdout()), err: direct(c.ErrOrStderr())}, nil
}

// serve speaks the Debug Adapter Protocol.
func (f *debugFlags) serve(c *cobra.Command) error {
	if f.listen == "stdio" {
		return dap.Serve(c.InOrStdin(), direct(c.OutOrStdout()), &opener{f})
	}
	listener, err := net.Listen("tcp", f.listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	fmt.Fprintf(c.ErrOrStderr(), "jacquard: waiting for an editor on %s\n", listener.Addr())
	for {
		client, err := listener.Accept()
		if err != nil {
			return err
		}
		err = dap.Serve(client, client, &opener{f})
		client.Close()
		if err != nil {
			fmt.Fprintf(c.ErrOrStderr(), "jacquard: %v\n", err)
		}
	}
}

// opener opens programs for an editor.
type opener struct{ f *debugFlags }

// Launch implements dap.Opener.
func (o *opener) Launch(l dap.Launch, stdout, stderr io.Writer) (debug.Program, error) {
	if strings.HasSuffix(l.Program, ".jqb") {
		if l.Check != "" || o.f.checks() != 0 {
			return nil, errUnchecked
		}
		return &debuggedBundle{f: o.f, path: l.Program}, nil
	}
	p, err := findProgram(append([]string{l.Program}, l.Args...), o.f.lib)
	if err != nil {
		return nil, err
	}
	d := &debuggedProgram{f: o.f, p: p, out: stdout, err: stderr, folder: l.Cwd}
	for name, value := range l.Env {
		d.env = append(d.env, name+"="+value)
	}
	if l.Check != "" {
		if _, err := check.ParseSet(l.Check); err != nil {
			return nil, fmt.Errorf("launch: \"check\": %w", err)
		}
		d.env = append(d.env, knobs.Prefix+"CHECK="+l.Check)
	}
	return d, nil
}

// Attach implements dap.Opener.
func (o *opener) Attach(l dap.Launch) (debug.Program, error) {
	return &attachedProgram{socket: l.Socket}, nil
}

// attachedProgram is a program that someone else starts.
type attachedProgram struct {
	socket     string
	connection net.Conn
}

// Start implements debug.Program. A program that runs has the socket; else a program comes to it.
func (d *attachedProgram) Start([]string) (debug.Target, error) {
	var err error
	if d.connection, err = net.Dial("unix", d.socket); err == nil {
		return wire.NewClient(d.connection)
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		os.Remove(d.socket) // of a program or a debugger that has ended
	}
	listener, err := net.Listen("unix", d.socket)
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	if d.connection, err = listener.Accept(); err != nil {
		return nil, err
	}
	return wire.NewClient(d.connection)
}

// Wait implements debug.Program.
func (d *attachedProgram) Wait() (how string, status int) {
	d.Kill()
	return "the program has ended, or is not debugged any more", 0
}

// Kill implements debug.Program. Whoever started the program ends it.
func (d *attachedProgram) Kill() {
	if d.connection != nil {
		d.connection.Close()
	}
}

// interactive reports whether commands come from a person.
func interactive(in io.Reader) bool {
	file, ok := in.(*os.File)
	return ok && isTerminal(file)
}

// onInterrupt calls stop at the interrupt key, until it is undone.
func onInterrupt(stop func()) (undo func()) {
	signals, ended := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, os.Interrupt)
	go func() {
		for {
			select {
			case <-signals:
				stop()
			case <-ended:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(ended)
	}
}

// debuggedProgram is a program that is started under the debugger.
type debuggedProgram struct {
	f        *debugFlags
	p        *program
	out, err io.Writer
	folder   string // in which it runs; "" is the tool's
	env      []string

	cmd   *exec.Cmd
	ended chan struct{} // closed when it has
	used  bool          // it has used the simulator
}

// Start implements debug.Program. The program is a process group of its own, so that the
// interrupt key stops its kernel and does not end it.
func (d *debuggedProgram) Start(args []string) (debug.Target, error) {
	folder, err := os.MkdirTemp("", "jacquard-debug-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	socket := filepath.Join(folder, "socket")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	p := *d.p
	if len(args) > 0 {
		p.args = append([]string{p.args[0]}, args...)
	}
	cmd := p.command(context.Background(), d.f.knobs, knobs.Prefix+"DEBUG="+socket)
	cmd.Stdout, cmd.Stderr = d.out, d.err
	cmd.Dir, cmd.Env = d.folder, append(cmd.Env, d.env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	d.cmd, d.ended, d.used = cmd, make(chan struct{}), false
	go func() {
		cmd.Wait()
		listener.Close()
		close(d.ended)
	}()
	connection, err := listener.Accept()
	if err != nil { // the program ended before
		<-d.ended
		return nil, nil
	}
	d.used = true
	return wire.NewClient(connection)
}

// Wait implements debug.Program.
func (d *debuggedProgram) Wait() (how string, status int) {
	<-d.ended
	status = exitStatus(d.cmd.ProcessState)
	if !d.used {
		return fmt.Sprintf("the program ended with status %d and never used the simulator: see jacquard doctor %s", status, d.p.path), status
	}
	return fmt.Sprintf("the program ended with status %d", status), status
}

// Kill implements debug.Program.
func (d *debuggedProgram) Kill() { d.cmd.Process.Kill() }

// debuggedBundle is a recording that runs under the debugger, in this process.
type debuggedBundle struct {
	f       *debugFlags
	path    string
	session *debug.Session
	ended   chan struct{}
	how     string
}

// Start implements debug.Program.
func (d *debuggedBundle) Start(args []string) (debug.Target, error) {
	if len(args) > 0 {
		return nil, errors.New("a recording takes no arguments")
	}
	in, err := openBundle(d.path, 0)
	if err != nil {
		return nil, err
	}
	replayed := &replayFlags{knobs: d.f.knobs}
	engine, stop := replayed.engine(context.Background())
	engine.Watchdog = 0
	session := debug.NewSession()
	engine.Debug = session
	d.session, d.ended = session, make(chan struct{})
	go func() {
		defer close(d.ended)
		defer session.End()
		defer in.Close()
		defer stop()
		session.Begin()
		total, err := replay.Run(in, engine, replay.Options{Each: func(*replay.Result) error { return nil }})
		d.how = fmt.Sprintf("the recording ended: %d launches, %d left other memory than recorded", total.Same+total.Different, total.Different)
		if cut := new(bundle.CutError); err != nil && !errors.As(err, &cut) {
			d.how = err.Error()
		}
	}()
	return session, nil
}

// Wait implements debug.Program.
func (d *debuggedBundle) Wait() (how string, status int) {
	<-d.ended
	return d.how, 0
}

// Kill implements debug.Program.
func (d *debuggedBundle) Kill() { d.session.Detach() }
