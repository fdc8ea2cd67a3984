package dap_test

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-dap"
	"github.com/stretchr/testify/require"

	"jacquard/debug"
	adapter "jacquard/debug/dap"
	"jacquard/internal/test/stops"
)

// opener opens the program of the tests.
type opener struct{ program *stops.Program }

func (o opener) Launch(_ adapter.Launch, stdout, _ io.Writer) (debug.Program, error) {
	fmt.Fprint(stdout, "hello")
	return o.program, nil
}

func (o opener) Attach(adapter.Launch) (debug.Program, error) {
	return nil, errors.New("nobody is there")
}

// client is the side of the editor.
type client struct {
	t      *testing.T
	in     *bufio.Reader
	out    io.Writer
	seq    int
	events []dap.EventMessage
	output strings.Builder // of the program, as far as events were taken
	stderr strings.Builder // the part of output that went to standard error
	done   chan error
}

func connect(t *testing.T, p *stops.Program) *client {
	in, toClient := io.Pipe()
	fromClient, out := io.Pipe()
	c := &client{t: t, in: bufio.NewReader(in), out: out, done: make(chan error, 1)}
	go func() {
		c.done <- adapter.Serve(fromClient, toClient, opener{p})
		toClient.Close()
	}()
	return c
}

// ask sends a request and returns its answer; events that come before are kept.
func (c *client) ask(r dap.RequestMessage) dap.Message {
	c.t.Helper()
	c.seq++
	h := r.GetRequest()
	h.Seq, h.Type = c.seq, "request"
	require.NoError(c.t, dap.WriteProtocolMessage(c.out, r))
	for {
		m, err := dap.ReadProtocolMessage(c.in)
		require.NoError(c.t, err)
		if e, ok := m.(dap.EventMessage); ok {
			c.events = append(c.events, e)
			continue
		}
		require.Equal(c.t, c.seq, m.(dap.ResponseMessage).GetResponse().RequestSeq)
		return m
	}
}

// good is ask for a request that succeeds.
func good[R dap.Message](c *client, r dap.RequestMessage) R {
	c.t.Helper()
	m := c.ask(r)
	answer, ok := m.(R)
	require.True(c.t, ok, "%#v", m)
	return answer
}

// until returns the next event of a kind.
func until[E dap.EventMessage](c *client) E {
	c.t.Helper()
	for {
		for len(c.events) > 0 {
			e := c.events[0]
			c.events = c.events[1:]
			if o, ok := e.(*dap.OutputEvent); ok {
				c.output.WriteString(o.Body.Output)
				if o.Body.Category == "stderr" {
					c.stderr.WriteString(o.Body.Output)
				}
			}
			if is, ok := e.(E); ok {
				return is
			}
		}
		m, err := dap.ReadProtocolMessage(c.in)
		require.NoError(c.t, err)
		c.events = append(c.events, m.(dap.EventMessage))
	}
}

func request(command string) dap.Request { return dap.Request{Command: command} }

// begin makes a client that has launched the program.
func begin(t *testing.T, p *stops.Program, configure func(*client)) *client {
	c := connect(t, p)
	caps := good[*dap.InitializeResponse](c, &dap.InitializeRequest{Request: request("initialize")})
	require.True(t, caps.Body.SupportsStepBack)
	until[*dap.InitializedEvent](c)
	good[*dap.LaunchResponse](c, &dap.LaunchRequest{Request: request("launch"), Arguments: []byte(`{"program":"sum"}`)})
	require.Equal(t, "hello", until[*dap.OutputEvent](c).Body.Output)
	configure(c)
	good[*dap.ConfigurationDoneResponse](c, &dap.ConfigurationDoneRequest{Request: request("configurationDone")})
	return c
}

func (c *client) setLines(list ...dap.SourceBreakpoint) []dap.Breakpoint {
	return good[*dap.SetBreakpointsResponse](c, &dap.SetBreakpointsRequest{Request: request("setBreakpoints"), Arguments: dap.SetBreakpointsArguments{
		Source: dap.Source{Path: "/src/sum.cu"}, Breakpoints: list,
	}}).Body.Breakpoints
}

func (c *client) frame(thread int) dap.StackFrame {
	frames := good[*dap.StackTraceResponse](c, &dap.StackTraceRequest{Request: request("stackTrace"), Arguments: dap.StackTraceArguments{ThreadId: thread}})
	require.Len(c.t, frames.Body.StackFrames, 1)
	return frames.Body.StackFrames[0]
}

func (c *client) evaluate(text, context string, frame int) dap.EvaluateResponseBody {
	return good[*dap.EvaluateResponse](c, &dap.EvaluateRequest{Request: request("evaluate"), Arguments: dap.EvaluateArguments{
		Expression: text, Context: context, FrameId: frame,
	}}).Body
}

func (c *client) variables(reference, start, count int) []dap.Variable {
	return good[*dap.VariablesResponse](c, &dap.VariablesRequest{Request: request("variables"), Arguments: dap.VariablesArguments{
		VariablesReference: reference, Start: start, Count: count,
	}}).Body.Variables
}

func TestSession(t *testing.T) {
	p, err := stops.New(1)
	require.NoError(t, err)
	c := begin(t, p, func(c *client) {
		list := c.setLines(
			dap.SourceBreakpoint{Line: 16, Condition: "blockIdx.x == 2 && threadIdx.x == 5", HitCondition: "2"},
			dap.SourceBreakpoint{Line: 11, LogMessage: "block {blockIdx.x}", Condition: "blockIdx.x == 1 && threadIdx.x == 0"},
			dap.SourceBreakpoint{Line: 12, Condition: "1 +"})
		require.False(t, list[0].Verified)
		require.Contains(t, list[2].Message, "breaks off")
		good[*dap.SetFunctionBreakpointsResponse](c, &dap.SetFunctionBreakpointsRequest{Request: request("setFunctionBreakpoints"),
			Arguments: dap.SetFunctionBreakpointsArguments{Breakpoints: []dap.FunctionBreakpoint{{Name: "sum"}}}})
		good[*dap.SetExceptionBreakpointsResponse](c, &dap.SetExceptionBreakpointsRequest{Request: request("setExceptionBreakpoints"),
			Arguments: dap.SetExceptionBreakpointsArguments{Filters: []string{"faults", "traps"}}})
	})
	stop := until[*dap.StoppedEvent](c)
	require.Equal(t, "function breakpoint", stop.Body.Reason)
	require.True(t, stop.Body.AllThreadsStopped)
	threads := good[*dap.ThreadsResponse](c, &dap.ThreadsRequest{Request: request("threads")}).Body.Threads
	require.Equal(t, "block (0,0) warp 0", threads[0].Name)
	require.Len(t, threads, 2)
	thread := stop.Body.ThreadId

	good[*dap.ContinueResponse](c, &dap.ContinueRequest{Request: request("continue"), Arguments: dap.ContinueArguments{ThreadId: thread}})
	require.Equal(t, "block 1\n", until[*dap.OutputEvent](c).Body.Output)
	stop = until[*dap.StoppedEvent](c)
	require.Equal(t, "breakpoint", stop.Body.Reason)
	require.Equal(t, []int{1}, stop.Body.HitBreakpointIds)
	thread = stop.Body.ThreadId
	frame := c.frame(thread)
	require.Equal(t, 16, frame.Line)
	require.Contains(t, frame.Name, "thread (5,0,0) lane 5")
	lookAround(t, c, frame, thread)

	step := func(r dap.RequestMessage) dap.StackFrame {
		c.ask(r)
		s := until[*dap.StoppedEvent](c)
		require.Equal(t, "step", s.Body.Reason)
		return c.frame(s.Body.ThreadId)
	}
	require.Equal(t, 17, step(&dap.NextRequest{Request: request("next"), Arguments: dap.NextArguments{ThreadId: thread}}).Line)
	require.Equal(t, 18, step(&dap.StepInRequest{Request: request("stepIn"), Arguments: dap.StepInArguments{ThreadId: thread}}).Line)
	back := step(&dap.StepBackRequest{Request: request("stepBack"), Arguments: dap.StepBackArguments{ThreadId: thread, Granularity: "instruction"}})
	require.Equal(t, 17, back.Line)
	require.Equal(t, 16, step(&dap.StepBackRequest{Request: request("stepBack"), Arguments: dap.StepBackArguments{ThreadId: thread}}).Line)
	watch(t, c, thread)

	good[*dap.DisconnectResponse](c, &dap.DisconnectRequest{Request: request("disconnect")})
	require.NoError(t, <-c.done)
}

// lookAround asks for everything there is at a stop in line 16, block 2, thread 5.
func lookAround(t *testing.T, c *client, frame dap.StackFrame, thread int) {
	scopes := good[*dap.ScopesResponse](c, &dap.ScopesRequest{Request: request("scopes"), Arguments: dap.ScopesArguments{FrameId: frame.Id}}).Body.Scopes
	by := map[string]dap.Scope{}
	for _, s := range scopes {
		by[s.Name] = s
	}
	require.Equal(t, "param1", c.variables(by["Arguments"].VariablesReference, 0, 0)[1].Name)
	registers := c.variables(by["Registers"].VariablesReference, 0, 2)
	require.Len(t, registers, 2)
	require.Equal(t, "0x00000005", registers[0].Value)
	require.Len(t, c.variables(by["Predicates"].VariablesReference, 0, 0), 4)
	require.Equal(t, "$pc", c.variables(by["Special"].VariablesReference, 0, 0)[0].Name)
	shared := c.variables(by["Shared"].VariablesReference, 7, 2)
	require.Equal(t, "0x1c", shared[0].Name)
	require.Positive(t, by["Shared"].IndexedVariables)
	lanes := c.variables(by["Lanes"].VariablesReference, 3, 1)
	require.Equal(t, "$r0", lanes[0].Name)
	require.Equal(t, "7", c.variables(lanes[0].VariablesReference, 0, 0)[7].Value)
	require.NotEmpty(t, c.variables(by["Divergence"].VariablesReference, 0, 0))

	set := good[*dap.SetVariableResponse](c, &dap.SetVariableRequest{Request: request("setVariable"), Arguments: dap.SetVariableArguments{
		VariablesReference: by["Registers"].VariablesReference, Name: "$r1", Value: "7 * 6",
	}})
	require.Equal(t, "42", set.Body.Value)
	require.Equal(t, "42", c.evaluate("$r1", "watch", frame.Id).Result)
	threadIdx := c.evaluate("threadIdx", "hover", frame.Id)
	require.Equal(t, "y", c.variables(threadIdx.VariablesReference, 0, 0)[1].Name)

	address := c.evaluate("(@shared int*)0x1c", "repl", frame.Id).MemoryReference
	written := good[*dap.WriteMemoryResponse](c, &dap.WriteMemoryRequest{Request: request("writeMemory"), Arguments: dap.WriteMemoryArguments{
		MemoryReference: address, Data: base64.StdEncoding.EncodeToString([]byte{1, 2, 3, 4}),
	}})
	require.Equal(t, 4, written.Body.BytesWritten)
	read := good[*dap.ReadMemoryResponse](c, &dap.ReadMemoryRequest{Request: request("readMemory"), Arguments: dap.ReadMemoryArguments{
		MemoryReference: address, Count: 2, Offset: 2,
	}})
	require.Equal(t, base64.StdEncoding.EncodeToString([]byte{3, 4}), read.Body.Data)
	code := good[*dap.DisassembleResponse](c, &dap.DisassembleRequest{Request: request("disassemble"), Arguments: dap.DisassembleArguments{
		MemoryReference: frame.InstructionPointerReference, InstructionOffset: -2, InstructionCount: 4,
	}}).Body.Instructions
	require.Len(t, code, 4)
	require.Equal(t, frame.InstructionPointerReference, code[2].Address)

	require.Contains(t, c.evaluate("lane 7", "repl", frame.Id).Result, "thread (7,0,0)")
	require.Contains(t, c.frame(thread).Name, "lane 7")
	require.Contains(t, c.evaluate("lane 5", "repl", frame.Id).Result, "thread (5,0,0)")
	_, refused := c.ask(&dap.ExceptionInfoRequest{Request: request("exceptionInfo"), Arguments: dap.ExceptionInfoArguments{ThreadId: thread}}).(*dap.ErrorResponse)
	require.True(t, refused)
	bad := c.ask(&dap.EvaluateRequest{Request: request("evaluate"), Arguments: dap.EvaluateArguments{Expression: "nothing"}})
	require.Contains(t, bad.(*dap.ErrorResponse).Body.Error.Format, "nothing")
	unknown := c.ask(&dap.GotoRequest{Request: request("goto")})
	require.Contains(t, unknown.(*dap.ErrorResponse).Body.Error.Format, "not supported")
}

// watch stops at writes, forward and back, and at an instruction.
func watch(t *testing.T, c *client, thread int) {
	c.setLines()
	info := good[*dap.DataBreakpointInfoResponse](c, &dap.DataBreakpointInfoRequest{Request: request("dataBreakpointInfo"), Arguments: dap.DataBreakpointInfoArguments{
		Name: "*(@shared int*)0x1c",
	}})
	require.Len(t, info.Body.AccessTypes, 3)
	good[*dap.SetDataBreakpointsResponse](c, &dap.SetDataBreakpointsRequest{Request: request("setDataBreakpoints"), Arguments: dap.SetDataBreakpointsArguments{
		Breakpoints: []dap.DataBreakpoint{{DataId: info.Body.DataId.(string), AccessType: "write"}},
	}})
	good[*dap.ReverseContinueResponse](c, &dap.ReverseContinueRequest{Request: request("reverseContinue"), Arguments: dap.ReverseContinueArguments{ThreadId: thread}})
	require.Equal(t, "data breakpoint", until[*dap.StoppedEvent](c).Body.Reason)
	good[*dap.SetDataBreakpointsResponse](c, &dap.SetDataBreakpointsRequest{Request: request("setDataBreakpoints")})
	good[*dap.SetInstructionBreakpointsResponse](c, &dap.SetInstructionBreakpointsRequest{Request: request("setInstructionBreakpoints"), Arguments: dap.SetInstructionBreakpointsArguments{
		Breakpoints: []dap.InstructionBreakpoint{{InstructionReference: "0x0", Condition: "blockIdx.x == 3"}},
	}})
	good[*dap.ContinueResponse](c, &dap.ContinueRequest{Request: request("continue"), Arguments: dap.ContinueArguments{ThreadId: thread}})
	require.Equal(t, "instruction breakpoint", until[*dap.StoppedEvent](c).Body.Reason)
}

func TestFault(t *testing.T) {
	p, err := stops.New(1)
	require.NoError(t, err)
	p.Wrong = true
	c := begin(t, p, func(c *client) {
		good[*dap.SetExceptionBreakpointsResponse](c, &dap.SetExceptionBreakpointsRequest{Request: request("setExceptionBreakpoints"),
			Arguments: dap.SetExceptionBreakpointsArguments{Filters: []string{"faults"}}})
	})
	stop := until[*dap.StoppedEvent](c)
	require.Equal(t, "exception", stop.Body.Reason)
	info := good[*dap.ExceptionInfoResponse](c, &dap.ExceptionInfoRequest{Request: request("exceptionInfo"), Arguments: dap.ExceptionInfoArguments{ThreadId: stop.Body.ThreadId}})
	require.Equal(t, "illegal address", info.Body.ExceptionId)
	out := c.ask(&dap.StepOutRequest{Request: request("stepOut"), Arguments: dap.StepOutArguments{ThreadId: stop.Body.ThreadId}})
	require.True(t, out.(dap.ResponseMessage).GetResponse().Success)
	require.Contains(t, until[*dap.OutputEvent](c).Body.Output, "outermost")
	until[*dap.StoppedEvent](c)
	good[*dap.ContinueResponse](c, &dap.ContinueRequest{Request: request("continue")})
	require.Equal(t, 1, until[*dap.ExitedEvent](c).Body.ExitCode)
	until[*dap.TerminatedEvent](c)
}

// Variables of the source have scopes, parts and values that can be changed, in each frame.
func TestNames(t *testing.T) {
	p, err := stops.NewNames("../..")
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no build/toolkit/bin/nvcc: make toolkit builds it")
	}
	require.NoError(t, err)
	source, err := filepath.Abs(filepath.Join("../..", stops.NamesFolder, "names.cu"))
	require.NoError(t, err)
	c := begin(t, p, func(c *client) {
		good[*dap.SetBreakpointsResponse](c, &dap.SetBreakpointsRequest{Request: request("setBreakpoints"), Arguments: dap.SetBreakpointsArguments{
			Source: dap.Source{Path: source}, Breakpoints: []dap.SourceBreakpoint{{Line: 13, Condition: "v == 21 && threadIdx.x == 3"}},
		}})
	})
	thread := until[*dap.StoppedEvent](c).Body.ThreadId
	frames := good[*dap.StackTraceResponse](c, &dap.StackTraceRequest{Request: request("stackTrace"), Arguments: dap.StackTraceArguments{ThreadId: thread}}).Body.StackFrames
	require.Len(t, frames, 3)
	scope := func(frame int, name string) (reference int, by map[string]dap.Variable) {
		by = map[string]dap.Variable{}
		for _, s := range good[*dap.ScopesResponse](c, &dap.ScopesRequest{Request: request("scopes"), Arguments: dap.ScopesArguments{FrameId: frames[frame].Id}}).Body.Scopes {
			if s.Name == name {
				reference = s.VariablesReference
			}
		}
		for _, v := range c.variables(reference, 0, 0) {
			by[v.Name] = v
		}
		return reference, by
	}
	_, inner := scope(0, "Locals")
	require.Equal(t, "42", inner["doubled"].Value)
	require.Len(t, inner, 1)
	_, arguments := scope(1, "Arguments")
	require.Equal(t, "n.weight", c.variables(arguments["n"].VariablesReference, 0, 0)[1].EvaluateName)
	_, globals := scope(1, "Globals")
	require.Equal(t, "7", globals["total"].Value)

	locals, outer := scope(2, "Locals")
	require.Equal(t, "3", outer["t"].Value)
	require.Equal(t, "(@shared int *) 0x4c", outer["p"].Value)
	rows := c.variables(outer["row"].VariablesReference, 0, 0)
	require.Equal(t, "{0, 2.5, 6}", rows[1].Value)
	require.Equal(t, "6", c.variables(rows[1].VariablesReference, 2, 1)[0].Value)
	parts := c.variables(outer["copy"].VariablesReference, 0, 0)
	require.Equal(t, "{x = -1, y = 3}", parts[2].Value)

	set := func(container int, name, value string) string {
		return good[*dap.SetVariableResponse](c, &dap.SetVariableRequest{Request: request("setVariable"), Arguments: dap.SetVariableArguments{
			VariablesReference: container, Name: name, Value: value,
		}}).Body.Value
	}
	require.Equal(t, "5", set(locals, "t", "first.at.y + 2"))
	require.Equal(t, "-2", set(parts[2].VariablesReference, "x", "-2"))
	require.Equal(t, "9", set(outer["copy"].VariablesReference, "high", "9"))
	require.Equal(t, "{x = -2, y = 3}", c.evaluate("copy.at", "hover", frames[2].Id).Result)
	require.Equal(t, "14", c.evaluate("copy.high + t", "watch", frames[2].Id).Result)
	require.Equal(t, "6", c.evaluate("copy.low", "watch", frames[2].Id).Result)
	require.Equal(t, "21", c.evaluate("v", "hover", frames[0].Id).Result)
	bad := c.ask(&dap.EvaluateRequest{Request: request("evaluate"), Arguments: dap.EvaluateArguments{Expression: "v", FrameId: frames[2].Id}})
	require.Contains(t, bad.(*dap.ErrorResponse).Body.Error.Format, `no "v" here`)
	good[*dap.DisconnectResponse](c, &dap.DisconnectRequest{Request: request("disconnect")})
	require.NoError(t, <-c.done)
}
