package dap

import (
	"errors"
	"fmt"
	"math/bits"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/google/go-dap"

	"jacquard/debug"
)

// mostWarps is the most warps of a block.
const mostWarps = 16

// programThread stands for the program while no kernel is stopped.
const programThread = 1<<31 - 1

// threadOf returns the DAP thread of a warp.
func threadOf(f debug.Focus) int { return 1 + f.Block*mostWarps + f.Warp }

// focusOf returns the lane that is looked at of a thread.
func (s *Server) focusOf(thread int) debug.Focus {
	s.Lock()
	defer s.Unlock()
	if thread <= 0 || thread == programThread {
		if s.stop != nil {
			return s.stop.Focus
		}
		return debug.Focus{}
	}
	f := debug.Focus{Block: (thread - 1) / mostWarps, Warp: (thread - 1) % mostWarps}
	f.Lane = s.lanes[thread]
	return f
}

// at is a lane and one of its calls.
type at struct {
	focus debug.Focus
	frame int
}

// handle is what a number stands for until the program goes on.
type handle struct {
	at
	kind string // frame, or one of the scopes, or value
	text string // of a value: the expression
}

// handles are the numbers of frames and variables.
type handles struct {
	busy sync.Mutex
	list []handle
}

// The kinds of handles.
const (
	frameKind     = "frame"
	localsKind    = "Locals"
	argumentsKind = "Arguments"
	globalsKind   = "Globals"
	registersKind = "Registers"
	flagsKind     = "Predicates"
	specialKind   = "Special"
	sharedKind    = "Shared"
	lanesKind     = "Lanes"
	stackKind     = "Divergence"
	valueKind     = "value"
	eachKind      = "each lane"
)

// kindOf are the variables of scopes.
var kindOf = map[string]string{localsKind: debug.Local, argumentsKind: debug.Argument, globalsKind: debug.Global}

func (h *handles) reset() {
	h.busy.Lock()
	defer h.busy.Unlock()
	h.list = nil
}

// number returns a number for a handle, from 1 on.
func (h *handles) number(one handle) int {
	h.busy.Lock()
	defer h.busy.Unlock()
	h.list = append(h.list, one)
	return len(h.list)
}

func (h *handles) handle(n int) (handle, error) {
	h.busy.Lock()
	defer h.busy.Unlock()
	if n < 1 || n > len(h.list) {
		return handle{}, fmt.Errorf("no frame or variable %d: the program went on", n)
	}
	return h.list[n-1], nil
}

// atFrame returns the lane of a frame; that of the stop for 0.
func (s *Server) atFrame(frame int) at {
	if h, err := s.handle(frame); err == nil {
		return h.at
	}
	return at{focus: s.focusOf(0)}
}

// stoppedTarget returns the target of a program that is stopped.
func (s *Server) stoppedTarget() (debug.Target, *debug.Stop, error) {
	s.Lock()
	defer s.Unlock()
	if s.target == nil || s.stop == nil {
		return nil, nil, debug.ErrNone
	}
	return s.target, s.stop, nil
}

// look carries out a request that looks at a stopped program, or changes it.
func (s *Server) look(m dap.Message) (body any, err error, ok bool) {
	switch r := m.(type) {
	case *dap.ThreadsRequest:
		return threads(s), nil, true
	case *dap.StackTraceRequest:
		body, err = stackTrace(s, &r.Arguments)
	case *dap.ScopesRequest:
		body, err = scopes(s, r.Arguments.FrameId)
	case *dap.VariablesRequest:
		body, err = variables(s, &r.Arguments)
	case *dap.SetVariableRequest:
		body, err = setVariable(s, r.Arguments.VariablesReference, r.Arguments.Name, r.Arguments.Value)
	case *dap.SetExpressionRequest:
		var v *debug.Result
		if v, err = s.assign(r.Arguments.Expression, r.Arguments.Value, s.atFrame(r.Arguments.FrameId)); err == nil {
			body = dap.SetExpressionResponseBody{Value: v.Text, Type: v.Type}
		}
	case *dap.EvaluateRequest:
		body, err = evaluateRequest(s, &r.Arguments)
	case *dap.ExceptionInfoRequest:
		body, err = exceptionInfo(s)
	case *dap.ReadMemoryRequest:
		body, err = readMemory(s, &r.Arguments)
	case *dap.WriteMemoryRequest:
		body, err = writeMemory(s, &r.Arguments)
	case *dap.DisassembleRequest:
		body, err = disassemble(s, &r.Arguments)
	default:
		return nil, nil, false
	}
	return body, err, true
}

// threads lists the warps of the blocks that can be looked at.
func threads(s *Server) dap.ThreadsResponseBody {
	target, stop, err := s.stoppedTarget()
	body := dap.ThreadsResponseBody{Threads: []dap.Thread{}}
	if err == nil {
		blocks, _ := target.Blocks()
		for _, b := range blocks {
			warps, _ := target.Warps(b.Number)
			for _, w := range warps {
				f := debug.Focus{Block: b.Number, Warp: w.Warp}
				if w.Live == 0 && f.Warp != stop.Focus.Warp {
					continue
				}
				setLane(s, f, w)
				body.Threads = append(body.Threads, dap.Thread{Id: threadOf(f), Name: fmt.Sprintf("block (%d,%d) warp %d", b.Index[0], b.Index[1], w.Warp)})
			}
		}
	}
	if len(body.Threads) == 0 {
		body.Threads = append(body.Threads, dap.Thread{Id: programThread, Name: "kernels"})
	}
	return body
}

// setLane chooses a lane of a warp, unless one was chosen.
func setLane(s *Server, f debug.Focus, w debug.Warp) {
	s.Lock()
	defer s.Unlock()
	if _, ok := s.lanes[threadOf(f)]; ok {
		return
	}
	lanes := w.Active
	if lanes == 0 {
		lanes = w.Live
	}
	s.lanes[threadOf(f)] = bits.TrailingZeros32(lanes) % 32
}

func stackTrace(s *Server, a *dap.StackTraceArguments) (any, error) {
	target, stop, err := s.stoppedTarget()
	if err != nil {
		return nil, err
	}
	f := s.focusOf(a.ThreadId)
	frames, err := target.Frames(f)
	if err != nil {
		return nil, err
	}
	thread, _ := stop.Launch.Thread(f)
	body := dap.StackTraceResponseBody{StackFrames: []dap.StackFrame{}, TotalFrames: len(frames)}
	for i, one := range frames {
		if i < a.StartFrame || a.Levels > 0 && i >= a.StartFrame+a.Levels {
			continue
		}
		frame := dap.StackFrame{
			Id: s.number(handle{kind: frameKind, at: at{f, i}}), Line: one.Line, Source: sourceOf(s, one.File),
			Name:                        fmt.Sprintf("%s thread (%d,%d,%d) lane %d", one.Function, thread[0], thread[1], thread[2], f.Lane),
			InstructionPointerReference: fmt.Sprintf("0x%x", one.PC),
		}
		if one.Line > 0 {
			frame.Column = 1
		}
		body.StackFrames = append(body.StackFrames, frame)
	}
	return body, nil
}

// sourceOf returns a file as the client finds it.
func sourceOf(s *Server, file string) *dap.Source {
	if file == "" {
		return nil
	}
	path := file
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.launch.Cwd, path)
	}
	return &dap.Source{Name: filepath.Base(file), Path: path}
}

func scopes(s *Server, frame int) (any, error) {
	h, err := s.handle(frame)
	if err != nil {
		return nil, err
	}
	body := dap.ScopesResponseBody{}
	for _, kind := range [...]string{localsKind, argumentsKind, globalsKind, registersKind, flagsKind, specialKind, sharedKind, lanesKind, stackKind} {
		one := dap.Scope{Name: kind, VariablesReference: s.number(handle{kind: kind, at: h.at}), Expensive: kind == lanesKind || kind == sharedKind}
		switch kind {
		case localsKind:
			one.PresentationHint = "locals"
		case argumentsKind:
			one.PresentationHint = "arguments"
		case registersKind:
			one.PresentationHint = "registers"
		case sharedKind:
			one.IndexedVariables = sharedWords(s, h.focus)
		}
		body.Scopes = append(body.Scopes, one)
	}
	return body, nil
}

// sharedWords returns how many words of shared memory a block has.
func sharedWords(s *Server, f debug.Focus) int {
	target, _, err := s.stoppedTarget()
	if err != nil {
		return 0
	}
	const most = 16 << 10
	return readable(target, debug.Memory{Space: "shared", Focus: f, Size: most}) / 4
}

// evaluate returns the value of an expression.
func (s *Server) evaluate(text string, a at) (*debug.Result, error) {
	target, _, err := s.stoppedTarget()
	if err != nil {
		return nil, err
	}
	return target.Evaluate(debug.Expression{Text: text, Focus: a.focus, Frame: a.frame})
}

func (s *Server) assign(text, value string, a at) (*debug.Result, error) {
	target, _, err := s.stoppedTarget()
	if err != nil {
		return nil, err
	}
	return target.Assign(debug.Expression{Text: text, Focus: a.focus, Frame: a.frame}, value)
}

// nameOf returns the expression of a variable in a container, or of an expression in a frame.
func nameOf(s *Server, container int, name string, frame int) (string, at, error) {
	if container == 0 {
		return name, s.atFrame(frame), nil
	}
	h, err := s.handle(container)
	if err != nil {
		return "", at{}, err
	}
	switch h.kind {
	case sharedKind:
		return "*(@shared unsigned int*)" + name, h.at, nil
	case valueKind:
		if strings.HasPrefix(name, "[") {
			return h.text + name, h.at, nil
		}
		return h.text + "." + name, h.at, nil
	case eachKind:
		a := h.at
		lane, err := strconv.Atoi(strings.Trim(name, "[]"))
		a.focus.Lane = lane
		return h.text, a, err
	}
	return name, h.at, nil
}

func setVariable(s *Server, container int, name, value string) (any, error) {
	text, a, err := nameOf(s, container, name, 0)
	if err != nil {
		return nil, err
	}
	v, err := s.assign(text, value, a)
	if err != nil {
		return nil, err
	}
	return dap.SetVariableResponseBody{Value: v.Text, Type: v.Type}, nil
}

// evaluateRequest evaluates an expression, or in the console a word that chooses a lane.
func evaluateRequest(s *Server, a *dap.EvaluateArguments) (any, error) {
	here := s.atFrame(a.FrameId)
	if a.Context == "repl" {
		if text, ok, err := console(s, a.Expression, here); ok {
			return dap.EvaluateResponseBody{Result: text}, err
		}
	}
	r, err := s.evaluate(a.Expression, here)
	if err != nil {
		return nil, err
	}
	v := dap.Variable{EvaluateName: a.Expression}
	complete(s, &v, r, here)
	return dap.EvaluateResponseBody{
		Result: r.Text, Type: r.Type, VariablesReference: v.VariablesReference, MemoryReference: v.MemoryReference,
	}, nil
}

// console carries out the words of the console: lane N, thread X,Y,Z, block X,Y, last-write EXPR.
func console(s *Server, text string, here at) (answer string, ok bool, err error) {
	target, stop, err := s.stoppedTarget()
	if err != nil {
		return "", false, nil
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	f := here.focus
	switch word {
	case "last-write":
		w, err := target.LastWrite(debug.Expression{Text: rest, Focus: f, Frame: here.frame})
		if err != nil {
			return "", true, err
		}
		thread, _ := stop.Launch.Thread(w.Focus)
		at := stop.Launch.BlockIndex(w.Focus.Block)
		return fmt.Sprintf("block (%d,%d), thread (%d,%d,%d), at %s: %s", at[0], at[1], thread[0], thread[1], thread[2], w.Place, w.Text), true, nil
	case "lane", "thread", "block":
	default:
		return "", false, nil
	}
	var n [3]int
	for i, part := range strings.SplitN(strings.Trim(rest, "() "), ",", 3) {
		if n[i], err = strconv.Atoi(strings.TrimSpace(part)); err != nil {
			return "", true, fmt.Errorf("%s %s: want numbers", word, rest)
		}
	}
	l := stop.Launch
	switch word {
	case "lane":
		f.Lane = n[0]
	case "block":
		f.Block = n[0] + n[1]*l.Grid[0]
	case "thread":
		number := n[0] + l.Block[0]*(n[1]+l.Block[1]*n[2])
		f.Warp, f.Lane = number/32, number%32
	}
	if _, err := target.Frames(f); err != nil {
		return "", true, err
	}
	s.Lock()
	s.lanes[threadOf(f)] = f.Lane
	s.Unlock()
	thread, _ := l.Thread(f)
	at := l.BlockIndex(f.Block)
	s.tell("invalidated", map[string]any{"areas": []string{"stacks", "variables"}, "threadId": threadOf(f)})
	return fmt.Sprintf("block (%d,%d), thread (%d,%d,%d): warp %d, lane %d", at[0], at[1], thread[0], thread[1], thread[2], f.Warp, f.Lane), true, nil
}

func exceptionInfo(s *Server) (any, error) {
	_, stop, err := s.stoppedTarget()
	if err != nil {
		return nil, err
	}
	info := dap.ExceptionInfoResponseBody{ExceptionId: stop.Fault, Description: stop.Text, BreakMode: "always"}
	if stop.Fault == "" && len(stop.Findings) == 0 {
		return nil, errors.New("the program did not stop at a fault or a finding")
	}
	if stop.Fault != "" {
		info.Details = &dap.ExceptionDetails{Message: stop.Text, TypeName: stop.Fault}
	}
	for _, f := range stop.Findings {
		d := dap.ExceptionDetails{Message: f.Report, TypeName: fmt.Sprintf("%s %s", f.Kind, f.What)}
		if info.Details == nil {
			info.ExceptionId, info.Details = d.TypeName, &d
			continue
		}
		info.Details.InnerException = append(info.Details.InnerException, d)
	}
	return info, nil
}
