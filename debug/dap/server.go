package dap

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/google/go-dap"

	"jacquard/debug"
)

// Launch are the arguments of a launch request.
type Launch struct {
	Program     string            `json:"program"` // a program, or a bundle
	Args        []string          `json:"args"`
	Cwd         string            `json:"cwd"`
	Env         map[string]string `json:"env"`
	StopOnEntry bool              `json:"stopOnEntry"` // where the first kernel begins
	Check       string            `json:"check"`       // kinds of mistakes to look for, or all
	Socket      string            `json:"socket"`      // of an attach request
}

// Opener opens what a client asks for. The program's output goes to the writers.
type Opener interface {
	Launch(l Launch, stdout, stderr io.Writer) (debug.Program, error)
	Attach(l Launch) (debug.Program, error)
}

// Server is one session of a client.
type Server struct {
	open Opener
	out  io.Writer

	mu  sync.Mutex // guards out and seq
	seq int

	state
	points
	handles
}

// state is what the program does.
type state struct {
	sync.Mutex
	launch   Launch
	program  debug.Program
	attached bool
	target   debug.Target
	stop     *debug.Stop
	runs     bool        // someone waits for the next stop
	lanes    map[int]int // by thread: the lane that is looked at
}

// request is a message of a client with its answer's body, or an error.
type answer struct {
	dap.Response
	Body any `json:"body,omitempty"`
}

type event struct {
	dap.Event
	Body any `json:"body,omitempty"`
}

// Serve talks to one client until it disconnects or its messages end.
func Serve(in io.Reader, out io.Writer, open Opener) error {
	s := &Server{open: open, out: out}
	s.reset()
	defer s.end()
	r := bufio.NewReader(in)
	for {
		content, err := dap.ReadBaseMessage(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		m, err := dap.DecodeProtocolMessage(content)
		if err != nil {
			s.refuse(content, err)
			continue
		}
		request, ok := m.(dap.RequestMessage)
		if !ok {
			continue
		}
		body, after, err := s.carryOut(request)
		s.answer(request.GetRequest(), body, err)
		if after != nil && err == nil {
			after()
		}
		if _, ends := m.(*dap.DisconnectRequest); ends {
			return nil
		}
	}
}

// refuse answers a request that could not be decoded.
func (s *Server) refuse(content []byte, err error) {
	var r dap.Request
	if json.Unmarshal(content, &r) == nil && r.Type == "request" {
		s.answer(&r, nil, err)
	}
}

// answer sends the answer of a request.
func (s *Server) answer(r *dap.Request, body any, err error) {
	a := &answer{Body: body}
	a.Type, a.Command, a.RequestSeq, a.Success = "response", r.Command, r.Seq, err == nil
	if err != nil {
		a.Message = err.Error()
		a.Body = dap.ErrorResponseBody{Error: &dap.ErrorMessage{Id: 1, Format: err.Error(), ShowUser: true}}
	}
	s.send(&a.ProtocolMessage, a)
}

// tell sends an event.
func (s *Server) tell(name string, body any) {
	e := &event{Body: body}
	e.Type, e.Event.Event = "event", name
	s.send(&e.ProtocolMessage, e)
}

// send numbers a message and writes it. A client that has gone reads nothing.
func (s *Server) send(header *dap.ProtocolMessage, message any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seq++
	header.Seq = s.seq
	content, err := json.Marshal(message)
	if err == nil {
		dap.WriteBaseMessage(s.out, content)
	}
}

// say writes to the client's console.
func (s *Server) say(format string, args ...any) {
	s.tell("output", dap.OutputEventBody{Category: "console", Output: fmt.Sprintf(format, args...) + "\n"})
}

// output is the program's output.
type output struct {
	s        *Server
	category string
}

// Write sends text to the client.
func (o output) Write(b []byte) (int, error) {
	o.s.tell("output", dap.OutputEventBody{Category: o.category, Output: string(b)})
	return len(b), nil
}

// carryOut carries out a request. after is called when the answer has been sent.
func (s *Server) carryOut(m dap.Message) (body any, after func(), err error) {
	switch r := m.(type) {
	case *dap.InitializeRequest:
		return capabilities(), func() { s.tell("initialized", nil) }, nil
	case *dap.LaunchRequest:
		return nil, nil, s.prepare(r.Arguments, false)
	case *dap.AttachRequest:
		return nil, nil, s.prepare(r.Arguments, true)
	case *dap.ConfigurationDoneRequest:
		return nil, func() { go s.start() }, s.ready()
	case *dap.PauseRequest:
		return nil, nil, s.pause()
	case *dap.TerminateRequest:
		after, err := s.kill()
		return nil, after, err
	case *dap.DisconnectRequest:
		return nil, nil, s.leave(r.Arguments)
	}
	if body, err, ok := s.setPoints(m); ok {
		return body, nil, err
	}
	if order, body, ok := s.orderOf(m); ok {
		after, err := s.resume(order)
		return body, after, err
	}
	if body, err, ok := s.look(m); ok {
		return body, nil, err
	}
	return nil, nil, fmt.Errorf("the request %s is not supported", m.(dap.RequestMessage).GetRequest().Command)
}

func capabilities() dap.Capabilities {
	return dap.Capabilities{
		SupportsConfigurationDoneRequest: true, SupportsFunctionBreakpoints: true, SupportsConditionalBreakpoints: true,
		SupportsHitConditionalBreakpoints: true, SupportsEvaluateForHovers: true, SupportsStepBack: true, SupportsSetVariable: true,
		SupportsExceptionInfoRequest: true, SupportsExceptionFilterOptions: true, SupportTerminateDebuggee: true, SupportsDelayedStackTraceLoading: true,
		SupportsLogPoints: true, SupportsSetExpression: true, SupportsTerminateRequest: true, SupportsDataBreakpoints: true,
		SupportsReadMemoryRequest: true, SupportsWriteMemoryRequest: true, SupportsDisassembleRequest: true,
		SupportsSteppingGranularity: true, SupportsInstructionBreakpoints: true, SupportsSingleThreadExecutionRequests: true,
		ExceptionBreakpointFilters: []dap.ExceptionBreakpointsFilter{
			{Filter: "faults", Label: "Faults: illegal accesses, deadlocks", Default: true},
			{Filter: "traps", Label: "Traps: trap and assert", Default: true},
			{
				Filter: "findings", Label: "Findings of checkers", Default: true, SupportsCondition: true,
				Description: "Mistakes that the checkers find while a kernel runs, if the program is checked", ConditionDescription: "Kinds: race,sync",
			},
		},
	}
}
