package dap

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/go-dap"

	"jacquard/debug"
	"jacquard/simt/check"
)

// The sets of breakpoints besides those of a source, whose set has its path.
const (
	functionSet    = "function:"
	instructionSet = "instruction:"
	dataSet        = "data:"
)

// entryID is the number of the breakpoint of stopOnEntry.
const entryID = 1 << 30

// points are the breakpoints of a client.
type points struct {
	guard sync.Mutex
	sets  map[string][]debug.Breakpoint
	known map[int]bool // breakpoints that were found in a kernel
	last  int
	catch debug.Catch
	entry bool // stop where the next kernel begins
}

const notYet = "no kernel with this line has run yet"

// setPoints carries out a request about breakpoints.
func (s *Server) setPoints(m dap.Message) (body any, err error, ok bool) {
	switch r := m.(type) {
	case *dap.SetBreakpointsRequest:
		var list []debug.Breakpoint
		path := r.Arguments.Source.Path
		if path == "" {
			path = r.Arguments.Source.Name
		}
		for _, b := range r.Arguments.Breakpoints {
			list = append(list, debug.Breakpoint{File: path, Line: b.Line, Condition: b.Condition, Hits: b.HitCondition, Log: b.LogMessage})
		}
		made, err := s.replace(path, list)
		return dap.SetBreakpointsResponseBody{Breakpoints: made}, err, true
	case *dap.SetFunctionBreakpointsRequest:
		var list []debug.Breakpoint
		for _, b := range r.Arguments.Breakpoints {
			list = append(list, debug.Breakpoint{Kernel: b.Name, Entry: true, Condition: b.Condition, Hits: b.HitCondition})
		}
		made, err := s.replace(functionSet, list)
		return dap.SetFunctionBreakpointsResponseBody{Breakpoints: made}, err, true
	case *dap.SetInstructionBreakpointsRequest:
		var list []debug.Breakpoint
		for _, b := range r.Arguments.Breakpoints {
			at, err := strconv.ParseUint(b.InstructionReference, 0, 32)
			if err != nil {
				return nil, fmt.Errorf("no instruction %q", b.InstructionReference), true
			}
			pc := uint32(int(at) + b.Offset)
			list = append(list, debug.Breakpoint{PC: &pc, Condition: b.Condition, Hits: b.HitCondition})
		}
		made, err := s.replace(instructionSet, list)
		return dap.SetInstructionBreakpointsResponseBody{Breakpoints: made}, err, true
	case *dap.SetDataBreakpointsRequest:
		body, err := setData(s, r.Arguments.Breakpoints)
		return body, err, true
	case *dap.DataBreakpointInfoRequest:
		return dataInfo(s, &r.Arguments), nil, true
	case *dap.SetExceptionBreakpointsRequest:
		c, err := catchOf(&r.Arguments)
		if err == nil {
			err = setCatch(s, c)
		}
		return nil, err, true
	}
	return nil, nil, false
}

// replace replaces a set of breakpoints, and returns what has become of them.
func (s *Server) replace(set string, list []debug.Breakpoint) ([]dap.Breakpoint, error) {
	s.guard.Lock()
	made := []dap.Breakpoint{}
	var good []debug.Breakpoint
	for _, b := range list {
		s.last++
		b.ID = s.last
		answer := dap.Breakpoint{Id: b.ID, Line: b.Line, Message: notYet}
		if b.Line == 0 {
			answer.Verified, answer.Message = true, ""
		}
		if err := b.Check(); err != nil {
			answer.Verified, answer.Message = false, err.Error()
		} else {
			good = append(good, b)
		}
		made = append(made, answer)
	}
	if s.sets == nil {
		s.sets, s.known = map[string][]debug.Breakpoint{}, map[int]bool{}
	}
	s.sets[set] = good
	s.guard.Unlock()
	if err := s.sendPoints(); err != nil {
		return nil, err
	}
	resolved := s.resolved()
	for i := range made {
		if b, ok := resolved[made[i].Id]; ok && b.Line > 0 {
			made[i].Verified, made[i].Message, made[i].Line = true, "", b.Line
		} else if ok && b.Missing != "" && made[i].Message == notYet {
			made[i].Message = b.Missing
		}
	}
	return made, nil
}

// all returns the breakpoints of all sets.
func (p *points) all() (list []debug.Breakpoint) {
	p.guard.Lock()
	defer p.guard.Unlock()
	for _, name := range slices.Sorted(maps.Keys(p.sets)) {
		list = append(list, p.sets[name]...)
	}
	if p.entry {
		list = append(list, debug.Breakpoint{ID: entryID, Entry: true})
	}
	return list
}

// sendPoints sends the breakpoints to the program, if it runs.
func (s *Server) sendPoints() error {
	s.Lock()
	target := s.target
	s.Unlock()
	if target == nil {
		return nil
	}
	return target.SetBreakpoints(s.all())
}

// resolved returns what is known of the breakpoints in the present kernel.
func (s *Server) resolved() map[int]debug.Resolved {
	s.Lock()
	target := s.target
	s.Unlock()
	known := map[int]debug.Resolved{}
	if target != nil {
		list, _ := target.Breakpoints()
		for _, b := range list {
			known[b.ID] = b
		}
	}
	return known
}

// tellPoints tells the client of breakpoints that were found.
func tellPoints(s *Server) {
	for id, b := range s.resolved() {
		s.guard.Lock()
		news := len(b.Places) > 0 && b.Line > 0 && !s.known[id]
		if news {
			s.known[id] = true
		}
		s.guard.Unlock()
		if news {
			s.tell("breakpoint", dap.BreakpointEventBody{Reason: "changed", Breakpoint: dap.Breakpoint{
				Id: id, Verified: true, Line: b.Line, InstructionReference: fmt.Sprintf("0x%x", b.Places[0].PC),
			}})
		}
	}
}

// catchOf returns what exception filters stop at.
func catchOf(a *dap.SetExceptionBreakpointsArguments) (c debug.Catch, err error) {
	options := a.FilterOptions
	for _, id := range a.Filters {
		options = append(options, dap.ExceptionFilterOptions{FilterId: id})
	}
	for _, o := range options {
		switch o.FilterId {
		case "faults":
			c.Faults = true
		case "traps":
			c.Traps = true
		case "findings":
			if c.Findings, err = check.ParseSet(cmp.Or(strings.ReplaceAll(o.Condition, " ", ""), "all")); err != nil {
				return c, fmt.Errorf("the condition of findings: %w: want kinds with commas between, as race,sync", err)
			}
		default:
			return c, fmt.Errorf("no exception filter %q: want faults, traps or findings", o.FilterId)
		}
		if o.Condition != "" && o.FilterId != "findings" {
			return c, fmt.Errorf("the exception filter %s takes no condition", o.FilterId)
		}
	}
	return c, nil
}

func setCatch(s *Server, c debug.Catch) error {
	s.guard.Lock()
	s.catch = c
	s.guard.Unlock()
	s.Lock()
	target := s.target
	s.Unlock()
	if target == nil {
		return nil
	}
	return target.SetCatch(c)
}

// dataInfo says whether a variable can be watched. The id of the data is the watchpoint itself.
func dataInfo(s *Server, a *dap.DataBreakpointInfoArguments) dap.DataBreakpointInfoResponseBody {
	refuse := func(err error) dap.DataBreakpointInfoResponseBody {
		return dap.DataBreakpointInfoResponseBody{Description: err.Error()}
	}
	text, at, err := nameOf(s, a.VariablesReference, a.Name, a.FrameId)
	if err != nil {
		return refuse(err)
	}
	v, err := s.evaluate(text, at)
	if err != nil {
		return refuse(err)
	}
	w, err := debug.WatchOf(v, at.focus)
	if err != nil {
		return refuse(err)
	}
	id, err := json.Marshal(w)
	if err != nil {
		return refuse(err)
	}
	body := dap.DataBreakpointInfoResponseBody{DataId: string(id), Description: text + ": " + w.String()}
	body.AccessTypes = []dap.DataBreakpointAccessType{"write"}
	if w.Register == "" {
		body.AccessTypes = append(body.AccessTypes, "read", "readWrite")
	}
	return body
}

// setData sets the watchpoints.
func setData(s *Server, list []dap.DataBreakpoint) (any, error) {
	var made []debug.Breakpoint
	for _, b := range list {
		w := &debug.Watch{}
		if err := json.NewDecoder(strings.NewReader(b.DataId)).Decode(w); err != nil {
			return nil, fmt.Errorf("data %q: %w", b.DataId, err)
		}
		w.Writes, w.Reads = b.AccessType != "read", b.AccessType == "read" || b.AccessType == "readWrite"
		made = append(made, debug.Breakpoint{Watch: w, Condition: b.Condition, Hits: b.HitCondition})
	}
	answers, err := s.replace(dataSet, made)
	return dap.SetDataBreakpointsResponseBody{Breakpoints: answers}, err
}
