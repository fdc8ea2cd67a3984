package dap_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-dap"
	"github.com/stretchr/testify/require"
)

const root = "../.."

// program is a program of testdata, compiled.
type program struct {
	path, source string
	text         []string // lines of the source
}

// compiled compiles testdata/NAME.cu. Without the toolkit the test is skipped.
func compiled(t *testing.T, name string) *program {
	t.Helper()
	for _, tool := range []string{"toolkit/bin/nvcc", "bin/jacquard", "lib/libcuda.so.1"} {
		if _, err := os.Stat(filepath.Join(root, "build", tool)); err != nil {
			t.Skipf("no build/%s: make all toolkit builds it", tool)
		}
	}
	source, err := filepath.Abs(filepath.Join("testdata", name+".cu"))
	require.NoError(t, err)
	p := &program{path: filepath.Join(t.TempDir(), name), source: source}
	out, err := exec.Command(filepath.Join(root, "build/toolkit/bin/nvcc"), "-g", "-G", "-arch=sm_13", "-o", p.path, source).CombinedOutput()
	require.NoError(t, err, "%s", out)
	data, err := os.ReadFile(source)
	require.NoError(t, err)
	p.text = strings.Split(string(data), "\n")
	return p
}

// line returns the number of the line with a comment.
func (p *program) line(t *testing.T, comment string) int {
	t.Helper()
	for i, text := range p.text {
		if strings.HasSuffix(text, "// "+comment) {
			return i + 1
		}
	}
	t.Fatalf("no line of %s has the comment %s", p.source, comment)
	return 0
}

// startAdapter starts jacquard debug --dap, and returns its client.
func startAdapter(t *testing.T) *client {
	t.Helper()
	cmd := exec.Command(filepath.Join(root, "build/bin/jacquard"), "debug", "--dap")
	out, err := cmd.StdinPipe()
	require.NoError(t, err)
	in, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	c := &client{t: t, in: bufio.NewReader(in), out: out, done: make(chan error, 1)}
	deadline := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	t.Cleanup(func() {
		deadline.Stop()
		out.Close()
		cmd.Process.Kill()
		cmd.Wait()
	})
	good[*dap.InitializeResponse](c, &dap.InitializeRequest{Request: request("initialize")})
	until[*dap.InitializedEvent](c)
	return c
}

// debugged starts a program under the adapter. more are arguments of the launch.
func debugged(t *testing.T, p *program, more map[string]any, configure func(*client)) *client {
	t.Helper()
	c := startAdapter(t)
	all := map[string]any{"program": p.path}
	for name, value := range more {
		all[name] = value
	}
	arguments, err := json.Marshal(all)
	require.NoError(t, err)
	good[*dap.LaunchResponse](c, &dap.LaunchRequest{Request: request("launch"), Arguments: arguments})
	configure(c)
	good[*dap.ConfigurationDoneResponse](c, &dap.ConfigurationDoneRequest{Request: request("configurationDone")})
	return c
}

// breaks sets the breakpoints of a program.
func (c *client) breaks(p *program, list ...dap.SourceBreakpoint) []dap.Breakpoint {
	c.t.Helper()
	return good[*dap.SetBreakpointsResponse](c, &dap.SetBreakpointsRequest{Request: request("setBreakpoints"), Arguments: dap.SetBreakpointsArguments{
		Source: dap.Source{Path: p.source}, Breakpoints: list,
	}}).Body.Breakpoints
}

// at waits for a stop, and requires its reason and the comments of the lines of its calls, innermost
// first. It returns the thread.
func (c *client) at(p *program, reason string, comments ...string) (thread int, frames []dap.StackFrame) {
	c.t.Helper()
	stop := until[*dap.StoppedEvent](c)
	require.Equal(c.t, reason, stop.Body.Reason, stop.Body.Text)
	thread = stop.Body.ThreadId
	frames = good[*dap.StackTraceResponse](c, &dap.StackTraceRequest{Request: request("stackTrace"), Arguments: dap.StackTraceArguments{ThreadId: thread}}).Body.StackFrames
	var places []string
	for _, f := range frames {
		_, comment, _ := strings.Cut(p.text[f.Line-1], "// ")
		places = append(places, comment)
	}
	require.Equal(c.t, comments, places)
	return thread, frames
}

// values returns the variables of a scope of a frame.
func (c *client) values(frame int, name string) map[string]dap.Variable {
	c.t.Helper()
	by := map[string]dap.Variable{}
	for _, s := range good[*dap.ScopesResponse](c, &dap.ScopesRequest{Request: request("scopes"), Arguments: dap.ScopesArguments{FrameId: frame}}).Body.Scopes {
		if s.Name != name {
			continue
		}
		for _, v := range c.variables(s.VariablesReference, 0, 0) {
			by[v.Name] = v
		}
	}
	return by
}

func (c *client) goOn(thread int) {
	c.t.Helper()
	good[*dap.ContinueResponse](c, &dap.ContinueRequest{Request: request("continue"), Arguments: dap.ContinueArguments{ThreadId: thread}})
}

func (c *client) next(thread int) {
	c.t.Helper()
	good[*dap.NextResponse](c, &dap.NextRequest{Request: request("next"), Arguments: dap.NextArguments{ThreadId: thread}})
}

func (c *client) stepIn(thread int) {
	c.t.Helper()
	good[*dap.StepInResponse](c, &dap.StepInRequest{Request: request("stepIn"), Arguments: dap.StepInArguments{ThreadId: thread}})
}

func (c *client) stepOut(thread int) {
	c.t.Helper()
	good[*dap.StepOutResponse](c, &dap.StepOutRequest{Request: request("stepOut"), Arguments: dap.StepOutArguments{ThreadId: thread}})
}

func (c *client) reverse(thread int) {
	c.t.Helper()
	good[*dap.ReverseContinueResponse](c, &dap.ReverseContinueRequest{Request: request("reverseContinue"), Arguments: dap.ReverseContinueArguments{ThreadId: thread}})
}

// exits waits for the end of the program, and requires its status and what it printed.
func (c *client) exits(status int, output string) {
	c.t.Helper()
	require.Equal(c.t, status, until[*dap.ExitedEvent](c).Body.ExitCode)
	until[*dap.TerminatedEvent](c)
	require.Contains(c.t, c.output.String(), output)
	good[*dap.DisconnectResponse](c, &dap.DisconnectRequest{Request: request("disconnect")})
}

// Breakpoints have conditions, counts and messages, and move to lines with code.
func TestProgramLines(t *testing.T) {
	p := compiled(t, "lines")
	c := debugged(t, p, map[string]any{"stopOnEntry": true}, func(c *client) {
		list := c.breaks(p, dap.SourceBreakpoint{Line: p.line(t, "sum"), Condition: "i == 33 && k == 3"},
			dap.SourceBreakpoint{Line: p.line(t, "store"), Condition: "threadIdx.x == 0", LogMessage: "block {blockIdx.x}: {sum}"})
		require.False(t, list[0].Verified)
	})
	thread, frames := c.at(p, "entry", "")
	require.Equal(t, "rows", strings.Fields(frames[0].Name)[0])
	list := c.breaks(p, dap.SourceBreakpoint{Line: p.line(t, "sum"), Condition: "i == 33 && k == 3"},
		dap.SourceBreakpoint{Line: p.line(t, "store"), Condition: "threadIdx.x == 0", LogMessage: "block {blockIdx.x}: {sum}"},
		dap.SourceBreakpoint{Line: 200})
	require.True(t, list[0].Verified)
	require.Contains(t, list[2].Message, "No line 200 in file")
	c.goOn(thread)
	thread, frames = c.at(p, "breakpoint", "sum")
	require.Contains(t, c.output.String(), "block 0: 0\n")
	locals := c.values(frames[0].Id, "Locals")
	require.Equal(t, "99", locals["sum"].Value)
	require.Equal(t, "5", c.values(frames[0].Id, "Arguments")["n"].Value)

	c.breaks(p, dap.SourceBreakpoint{Line: p.line(t, "sum"), Condition: "i == 33", HitCondition: "2"})
	c.goOn(thread) // k == 4 is the first hit
	c.exits(0, "10 1270\n")
}

// Steps enter and leave inlined functions, and go past them.
func TestProgramInlined(t *testing.T) {
	p := compiled(t, "inlined")
	c := debugged(t, p, nil, func(c *client) {
		c.breaks(p, dap.SourceBreakpoint{Line: p.line(t, "outer"), Condition: "threadIdx.x == 7"})
	})
	thread, _ := c.at(p, "breakpoint", "outer")
	for frames := 1; frames < 3; {
		c.stepIn(thread)
		stop := until[*dap.StoppedEvent](c)
		require.Equal(t, "step", stop.Body.Reason)
		list := good[*dap.StackTraceResponse](c, &dap.StackTraceRequest{Request: request("stackTrace"), Arguments: dap.StackTraceArguments{ThreadId: thread}}).Body.StackFrames
		require.GreaterOrEqual(t, len(list), frames)
		frames = len(list)
		if frames == 3 {
			require.Equal(t, "7", c.values(list[0].Id, "Arguments")["v"].Value)
			require.Equal(t, "7", c.values(list[2].Id, "Locals")["t"].Value)
			require.Contains(t, list[0].Name, "twice")
			require.Contains(t, list[1].Name, "shifted")
		}
	}
	c.stepOut(thread)
	_, frames := c.at(p, "step", "middle", "outer")
	require.Contains(t, frames[0].Name, "shifted")
	c.stepOut(thread)
	c.at(p, "step", "outer")
	c.next(thread)
	c.at(p, "step", "after")
	good[*dap.StepBackResponse](c, &dap.StepBackRequest{Request: request("stepBack"), Arguments: dap.StepBackArguments{ThreadId: thread}})
	until[*dap.StoppedEvent](c)
	c.breaks(p)
	c.goOn(thread)
	c.exits(0, "15\n")
}

// Functions that were not inlined have frames with variables of their own.
func TestProgramCalls(t *testing.T) {
	p := compiled(t, "calls")
	c := debugged(t, p, nil, func(c *client) {
		c.breaks(p, dap.SourceBreakpoint{Line: p.line(t, "leaf"), Condition: "threadIdx.x == 3 && v == 3"},
			dap.SourceBreakpoint{Line: p.line(t, "root"), Condition: "threadIdx.x == 3"},
			dap.SourceBreakpoint{Line: p.line(t, "trunk"), Condition: "threadIdx.x == 3"})
	})
	thread, _ := c.at(p, "breakpoint", "root")
	c.goOn(thread)
	c.at(p, "breakpoint", "trunk", "root")
	c.goOn(thread)
	_, frames := c.at(p, "breakpoint", "leaf", "trunk", "root")
	require.Equal(t, "3", c.values(frames[0].Id, "Arguments")["v"].Value)
	require.Equal(t, "3", c.values(frames[1].Id, "Arguments")["v"].Value)
	c.stepOut(thread) // to lines with breakpoints, which have stopped before
	c.at(p, "step", "trunk", "root")
	c.next(thread)
	c.at(p, "step", "second", "root")
	c.next(thread)
	_, frames = c.at(p, "step", "sum", "root")
	locals := c.values(frames[0].Id, "Locals")
	require.Equal(t, "4", locals["a"].Value)
	require.Equal(t, "5", locals["b"].Value)
	c.stepOut(thread)
	c.at(p, "step", "root")
	c.goOn(thread)
	c.exits(0, "9\n")
}

// Variables of all types have the values that the program prints.
func TestProgramTypes(t *testing.T) {
	p := compiled(t, "types")
	c := debugged(t, p, nil, func(c *client) { c.breaks(p, dap.SourceBreakpoint{Line: p.line(t, "here")}) })
	thread, frames := c.at(p, "breakpoint", "here")
	values := map[string]string{}
	for name, v := range c.values(frames[0].Id, "Locals") {
		values[name] = v.Value
	}
	shown := map[string]string{}
	ask := []string{"ref.x", "ref.weight[1]", "ref.bits", "*place", "place[2]", "table[1]", "scale"}
	for _, text := range ask {
		values[text] = c.evaluate(text, "watch", frames[0].Id).Result
	}
	require.Equal(t, "1", c.evaluate("kind == some && color == green", "watch", frames[0].Id).Result)
	set := good[*dap.SetExpressionResponse](c, &dap.SetExpressionRequest{Request: request("setExpression"), Arguments: dap.SetExpressionArguments{
		Expression: "grid[1][2]", Value: "place[0] * 10", FrameId: frames[0].Id,
	}})
	require.Equal(t, "40", set.Body.Value)
	require.Equal(t, "{{1, 2, 3}, {4, 5, 40}}", c.evaluate("grid", "watch", frames[0].Id).Result)
	c.goOn(thread)
	c.exits(0, "yes=true\n")
	printed := 0
	for line := range strings.Lines(c.output.String()) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if !ok {
			continue
		}
		printed++
		shown[name] = values[name]
		require.Equal(t, value, shown[name], name)
	}
	require.Equal(t, 24, printed)
}

// A watchpoint and the way back lead to the thread that wrote a wrong word.
func TestProgramWrong(t *testing.T) {
	p := compiled(t, "wrong")
	c := debugged(t, p, nil, func(c *client) {
		c.breaks(p, dap.SourceBreakpoint{Line: p.line(t, "later"), Condition: "i == 81"})
	})
	thread, frames := c.at(p, "breakpoint", "later")
	require.Equal(t, "-1", c.evaluate("out[70]", "watch", frames[0].Id).Result)
	require.Contains(t, c.evaluate("last-write out[70]", "repl", frames[0].Id).Result, "wrong.cu:10")
	info := good[*dap.DataBreakpointInfoResponse](c, &dap.DataBreakpointInfoRequest{Request: request("dataBreakpointInfo"), Arguments: dap.DataBreakpointInfoArguments{
		Name: "out[70]", FrameId: frames[0].Id,
	}})
	good[*dap.SetDataBreakpointsResponse](c, &dap.SetDataBreakpointsRequest{Request: request("setDataBreakpoints"), Arguments: dap.SetDataBreakpointsArguments{
		Breakpoints: []dap.DataBreakpoint{{DataId: info.Body.DataId.(string), AccessType: "write"}},
	}})
	c.reverse(thread)
	thread, frames = c.at(p, "data breakpoint", "culprit")
	require.Equal(t, "81", c.values(frames[0].Id, "Locals")["i"].Value)
	require.Equal(t, "0", c.evaluate("out[70] == -1", "watch", frames[0].Id).Result)
	good[*dap.StepBackResponse](c, &dap.StepBackRequest{Request: request("stepBack"), Arguments: dap.StepBackArguments{ThreadId: thread}})
	thread, frames = c.at(p, "step", "culprit")
	// What is changed here is what the program goes on with.
	good[*dap.SetExpressionResponse](c, &dap.SetExpressionRequest{Request: request("setExpression"), Arguments: dap.SetExpressionArguments{
		Expression: "i", Value: "80", FrameId: frames[0].Id,
	}})
	c.breaks(p)
	good[*dap.SetDataBreakpointsResponse](c, &dap.SetDataBreakpointsRequest{Request: request("setDataBreakpoints")})
	c.goOn(thread)
	c.exits(0, "170\n")
}

// All lanes, shared memory, and both sides of a branch can be looked at.
func TestProgramTiles(t *testing.T) {
	p := compiled(t, "tiles")
	c := debugged(t, p, nil, func(c *client) {
		c.breaks(p, dap.SourceBreakpoint{Line: p.line(t, "even"), Condition: "blockIdx.x == 2 && t >= 32"})
	})
	thread, frames := c.at(p, "breakpoint", "even")
	require.Equal(t, "-129", c.evaluate("tile[1]", "watch", frames[0].Id).Result)
	require.Equal(t, "161", strings.TrimPrefix(c.evaluate("tile[33]", "watch", frames[0].Id).Result, "-"))
	threads := good[*dap.ThreadsResponse](c, &dap.ThreadsRequest{Request: request("threads")}).Body.Threads
	require.Len(t, threads, 2)
	require.Equal(t, "block (2,0) warp 1", threads[1].Name)
	require.NotEmpty(t, c.values(frames[0].Id, "Divergence"))
	require.Contains(t, c.evaluate("lane 3", "repl", frames[0].Id).Result, "thread (35,0,0)")
	c.breaks(p, dap.SourceBreakpoint{Line: p.line(t, "out"), Condition: "blockIdx.x == 3 && t == 63"})
	c.goOn(thread)
	thread, frames = c.at(p, "breakpoint", "out")
	require.Equal(t, "384", c.evaluate("tile[0]", "watch", frames[0].Id).Result)
	c.goOn(thread)
	c.exits(0, "-63 384\n")
}

// A fault stops before the instruction, with the thread and its values.
func TestProgramFaults(t *testing.T) {
	p := compiled(t, "faults")
	c := debugged(t, p, nil, func(c *client) { c.catch("faults") })
	thread, frames := c.at(p, "exception", "beyond")
	require.Equal(t, "100", c.values(frames[0].Id, "Locals")["i"].Value)
	info := good[*dap.ExceptionInfoResponse](c, &dap.ExceptionInfoRequest{Request: request("exceptionInfo"), Arguments: dap.ExceptionInfoArguments{ThreadId: thread}}).Body
	require.Equal(t, "illegal address", info.ExceptionId)
	c.goOn(thread)
	c.exits(3, "bad\n")
}

// catch sets the exception filters.
func (c *client) catch(filters ...string) {
	c.t.Helper()
	good[*dap.SetExceptionBreakpointsResponse](c, &dap.SetExceptionBreakpointsRequest{Request: request("setExceptionBreakpoints"),
		Arguments: dap.SetExceptionBreakpointsArguments{Filters: filters}})
}

// A finding of a checker stops once, with the report; a filter that does not want its kind lets it
// pass, and the report at the end is the same.
func TestProgramRaces(t *testing.T) {
	p := compiled(t, "races")
	c := debugged(t, p, map[string]any{"check": "race,sync"}, func(c *client) { c.catch("findings") })
	thread, frames := c.at(p, "exception", "read")
	require.Equal(t, "32", c.values(frames[0].Id, "Locals")["t"].Value)
	info := good[*dap.ExceptionInfoResponse](c, &dap.ExceptionInfoRequest{Request: request("exceptionInfo"), Arguments: dap.ExceptionInfoArguments{ThreadId: thread}}).Body
	require.Equal(t, "race read-write", info.ExceptionId)
	require.Contains(t, info.Details.Message, "by block (0,0), thread 32 (warp 1, lane 0)\n  write of 4 bytes at shared")
	good[*dap.StepBackResponse](c, &dap.StepBackRequest{Request: request("stepBack"), Arguments: dap.StepBackArguments{ThreadId: thread, Granularity: "instruction"}})
	thread = until[*dap.StoppedEvent](c).Body.ThreadId
	c.goOn(thread)
	thread, _ = c.at(p, "exception", "read")
	c.goOn(thread)
	c.exits(0, "32\n")
	report := func(c *client) string {
		_, text, _ := strings.Cut(c.stderr.String(), "jacquard: check:\n") // output comes in between as it likes
		text, _, _ = strings.Cut(text, "checked: race, sync\n")
		return text
	}
	first := report(c)
	require.Contains(t, first, "error: race read-write shared, 3 times")

	c = debugged(t, p, map[string]any{"check": "race,sync"}, func(c *client) {
		good[*dap.SetExceptionBreakpointsResponse](c, &dap.SetExceptionBreakpointsRequest{Request: request("setExceptionBreakpoints"),
			Arguments: dap.SetExceptionBreakpointsArguments{FilterOptions: []dap.ExceptionFilterOptions{{FilterId: "findings", Condition: "sync"}}}})
	})
	c.exits(0, "32\n")
	require.Equal(t, first, report(c))
}

// Breakpoints wait for their kernel, of whatever launch; a program can be ended in a kernel.
func TestProgramLaunches(t *testing.T) {
	p := compiled(t, "launches")
	c := debugged(t, p, map[string]any{"args": []string{"a", "b"}}, func(c *client) {
		c.breaks(p, dap.SourceBreakpoint{Line: p.line(t, "second"), HitCondition: "2"})
		good[*dap.SetFunctionBreakpointsResponse](c, &dap.SetFunctionBreakpointsRequest{Request: request("setFunctionBreakpoints"),
			Arguments: dap.SetFunctionBreakpointsArguments{Breakpoints: []dap.FunctionBreakpoint{{Name: "fill"}}}})
	})
	thread, _ := c.at(p, "function breakpoint", "")
	good[*dap.SetFunctionBreakpointsResponse](c, &dap.SetFunctionBreakpointsRequest{Request: request("setFunctionBreakpoints")})
	c.goOn(thread)
	verified := until[*dap.BreakpointEvent](c)
	require.True(t, verified.Body.Breakpoint.Verified)
	thread, frames := c.at(p, "breakpoint", "second")
	require.Equal(t, "2", c.evaluate("out[31]", "watch", frames[0].Id).Result)
	good[*dap.TerminateResponse](c, &dap.TerminateRequest{Request: request("terminate")})
	require.Equal(t, 137, until[*dap.ExitedEvent](c).Body.ExitCode)
	until[*dap.TerminatedEvent](c)
	good[*dap.DisconnectResponse](c, &dap.DisconnectRequest{Request: request("disconnect")})
	require.NotZero(t, thread)
}

// A client attaches to a program that runs, stops its kernel, detaches, attaches again, and makes the
// kernel end. The other way, the program comes to a client that waits.
func TestProgramSpin(t *testing.T) {
	p := compiled(t, "spin")
	socket := filepath.Join(t.TempDir(), "socket")
	start := func(mode string) (wait func() string) {
		cmd := exec.Command(p.path)
		cmd.Env = append(os.Environ(), "JACQUARD_DEBUG="+mode+socket, "LD_LIBRARY_PATH="+absolute(t, filepath.Join(root, "build/lib")))
		out := &bytes.Buffer{}
		cmd.Stdout, cmd.Stderr = out, os.Stderr
		require.NoError(t, cmd.Start())
		t.Cleanup(func() { cmd.Process.Kill() })
		return func() string {
			require.NoError(t, cmd.Wait())
			return out.String()
		}
	}
	attach := func() *client {
		c := startAdapter(t)
		good[*dap.AttachResponse](c, &dap.AttachRequest{Request: request("attach"), Arguments: []byte(`{"socket":"` + socket + `"}`)})
		c.breaks(p)
		good[*dap.ConfigurationDoneResponse](c, &dap.ConfigurationDoneRequest{Request: request("configurationDone")})
		return c
	}
	wait := start("listen:")
	require.Eventually(t, func() bool { _, err := os.Stat(socket); return err == nil }, time.Minute, time.Millisecond)
	before := 0
	for range 2 {
		c := attach()
		c.pause()
		stop := until[*dap.StoppedEvent](c)
		require.Equal(t, "pause", stop.Body.Reason)
		frame := c.frame(stop.Body.ThreadId)
		n, err := strconv.Atoi(c.values(frame.Id, "Locals")["n"].Value)
		require.NoError(t, err)
		require.Greater(t, n, before)
		before = n
		good[*dap.DisconnectResponse](c, &dap.DisconnectRequest{Request: request("disconnect")})
	}
	ends := func(c *client) {
		c.pause()
		thread := until[*dap.StoppedEvent](c).Body.ThreadId
		for range 2 { // perhaps the variables have no values yet
			c.next(thread)
			until[*dap.StoppedEvent](c)
		}
		frame := c.frame(thread)
		good[*dap.SetExpressionResponse](c, &dap.SetExpressionRequest{Request: request("setExpression"), Arguments: dap.SetExpressionArguments{
			Expression: "*go", Value: "0", FrameId: frame.Id,
		}})
		good[*dap.DisconnectResponse](c, &dap.DisconnectRequest{Request: request("disconnect")})
	}
	ends(attach())
	require.Equal(t, "begin\nend 1\n", wait())

	c := attach()
	require.Eventually(t, func() bool { _, err := os.Stat(socket); return err == nil }, time.Minute, time.Millisecond)
	wait = start("")
	ends(c)
	require.Contains(t, wait(), "begin\nend ")
}

// pause stops the program, once it is there.
func (c *client) pause() {
	c.t.Helper()
	require.Eventually(c.t, func() bool {
		_, refused := c.ask(&dap.PauseRequest{Request: request("pause")}).(*dap.ErrorResponse)
		return !refused
	}, time.Minute, time.Millisecond)
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	require.NoError(t, err)
	return path
}
