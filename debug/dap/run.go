package dap

import (
	"encoding/json"
	"errors"

	"github.com/google/go-dap"

	"jacquard/debug"
)

var errNoProgram = errors.New("no program: send launch or attach first")

// prepare opens the program of a launch or attach request. It starts once the client has set its
// breakpoints.
func (s *Server) prepare(raw json.RawMessage, attach bool) (err error) {
	s.Lock()
	defer s.Unlock()
	var l Launch
	if err := json.Unmarshal(raw, &l); err != nil {
		return err
	}
	switch {
	case attach && l.Socket == "":
		return errors.New("attach: want \"socket\", the path that the program has in JACQUARD_DEBUG")
	case !attach && l.Program == "":
		return errors.New("launch: want \"program\", the path of a program or a bundle")
	case attach:
		s.program, err = s.open.Attach(l)
	default:
		s.program, err = s.open.Launch(l, output{s, "stdout"}, output{s, "stderr"})
	}
	s.launch, s.attached = l, attach
	return err
}

// ready reports whether a program can start.
func (s *Server) ready() error {
	s.Lock()
	defer s.Unlock()
	if s.program == nil {
		return errNoProgram
	}
	return nil
}

// start starts the program.
func (s *Server) start() {
	target, err := s.program.Start(s.launch.Args)
	if err != nil {
		s.say("%v", err)
		s.tell("terminated", nil)
		return
	}
	if target == nil {
		s.over()
		return
	}
	s.Lock()
	s.target = target
	s.Unlock()
	s.guard.Lock()
	s.entry = s.launch.StopOnEntry
	catch := s.catch
	s.guard.Unlock()
	target.SetCatch(catch)
	if err := s.sendPoints(); err != nil {
		s.say("%v", err)
	}
	s.run(target, debug.Order{Kind: debug.Continue})
}

// run lets the program go on, and tells the client where it stops.
func (s *Server) run(target debug.Target, o debug.Order) {
	s.Lock()
	s.runs = true
	s.Unlock()
	for {
		stop, err := target.Resume(o)
		if errors.Is(err, debug.ErrGone) {
			s.over()
			return
		}
		if err != nil {
			s.say("%v", err)
			s.Lock()
			stop = s.stop
			s.Unlock()
			if stop == nil {
				return
			}
		}
		if stop.Reason == debug.ReasonLog {
			s.say("%s", stop.Text)
			o = debug.Order{Kind: debug.Again}
			continue
		}
		s.stopped(target, stop)
		return
	}
}

// stopped tells the client of a stop.
func (s *Server) stopped(target debug.Target, stop *debug.Stop) {
	s.Lock()
	s.stop, s.runs = stop, false
	thread := threadOf(stop.Focus)
	s.lanes = map[int]int{thread: stop.Focus.Lane}
	s.Unlock()
	s.reset()
	tellPoints(s)
	s.guard.Lock()
	entry := s.entry
	s.entry = false
	body := dap.StoppedEventBody{
		Reason: reasonOf(s, stop), Description: stop.Text, Text: stop.Text, ThreadId: thread, AllThreadsStopped: true,
	}
	s.guard.Unlock()
	if entry {
		s.sendPoints()
	}
	for _, id := range stop.Breakpoints {
		if id != entryID {
			body.HitBreakpointIds = append(body.HitBreakpointIds, id)
		}
	}
	s.tell("stopped", body)
}

// reasonOf returns DAP's word for a stop. The caller holds the lock of the points.
func reasonOf(s *Server, stop *debug.Stop) string {
	switch stop.Reason {
	case debug.ReasonFinding:
		return string(debug.ReasonFault)
	case debug.ReasonWatch:
		return "data breakpoint"
	case debug.ReasonHistory:
		return "entry"
	case debug.ReasonBreakpoint:
		for _, id := range stop.Breakpoints {
			if id == entryID {
				return "entry"
			}
			for word, list := range s.sets {
				for _, b := range list {
					if b.ID == id && word == functionSet {
						return "function breakpoint"
					} else if b.ID == id && word == instructionSet {
						return "instruction breakpoint"
					}
				}
			}
		}
	}
	return string(stop.Reason)
}

// over tells the client how the program ended.
func (s *Server) over() {
	how, status := s.program.Wait()
	s.Lock()
	s.target, s.stop = nil, nil
	s.Unlock()
	s.say("%s", how)
	s.tell("exited", dap.ExitedEventBody{ExitCode: status})
	s.tell("terminated", nil)
}

// orderOf returns the order of a request.
func (s *Server) orderOf(m dap.Message) (o debug.Order, body any, ok bool) {
	fine := func(g dap.SteppingGranularity, instruction, line debug.Kind) debug.Kind {
		if g == "instruction" {
			return instruction
		}
		return line
	}
	thread := 0
	switch r := m.(type) {
	case *dap.ContinueRequest:
		o.Kind, thread = debug.Continue, r.Arguments.ThreadId
		body = dap.ContinueResponseBody{AllThreadsContinued: true}
	case *dap.NextRequest:
		o.Kind, thread = fine(r.Arguments.Granularity, debug.NextInstruction, debug.Next), r.Arguments.ThreadId
	case *dap.StepInRequest:
		o.Kind, thread = fine(r.Arguments.Granularity, debug.StepInstruction, debug.Step), r.Arguments.ThreadId
	case *dap.StepOutRequest:
		o.Kind, thread = debug.Finish, r.Arguments.ThreadId
	case *dap.StepBackRequest:
		o.Kind, thread = fine(r.Arguments.Granularity, debug.ReverseStepInst, debug.ReverseStep), r.Arguments.ThreadId
	case *dap.ReverseContinueRequest:
		o.Kind, thread = debug.ReverseContinue, r.Arguments.ThreadId
	default:
		return o, nil, false
	}
	o.Focus = s.focusOf(thread)
	return o, body, true
}

// resume prepares an order; after the answer it is carried out.
func (s *Server) resume(o debug.Order) (after func(), err error) {
	s.Lock()
	defer s.Unlock()
	if s.target == nil || s.stop == nil {
		return nil, debug.ErrNone
	}
	target := s.target
	return func() { go s.run(target, o) }, nil
}

func (s *Server) pause() error {
	s.Lock()
	defer s.Unlock()
	if s.target == nil {
		return debug.ErrGone
	}
	return s.target.Pause()
}

// kill ends the program. If it is stopped, nobody waits for its end.
func (s *Server) kill() (after func(), err error) {
	s.Lock()
	defer s.Unlock()
	if s.program == nil {
		return nil, errNoProgram
	}
	if s.target != nil {
		s.program.Kill()
	}
	if s.stop != nil && !s.runs {
		s.stop = nil
		return func() { go s.over() }, nil
	}
	return nil, nil
}

// leave ends the session: the program ends if the client launched it, or says so.
func (s *Server) leave(a *dap.DisconnectArguments) error {
	s.Lock()
	defer s.Unlock()
	target := s.target
	s.target = nil
	switch {
	case target == nil:
		return nil
	case a != nil && a.TerminateDebuggee || !s.attached:
		s.program.Kill()
		return nil
	}
	err := target.Detach()
	s.program.Kill()                   // the connection: the program is not ours
	if errors.Is(err, debug.ErrGone) { // it ended at once
		return nil
	}
	return err
}

// end ends what the client left.
func (s *Server) end() {
	if s.program != nil {
		s.leave(nil)
	}
}
