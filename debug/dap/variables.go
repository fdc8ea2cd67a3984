package dap

import (
	"fmt"
	"strings"

	"github.com/google/go-dap"

	"jacquard/debug"
)

// variables returns the variables of a scope, or the parts of a value.
func variables(s *Server, a *dap.VariablesArguments) (any, error) {
	target, _, err := s.stoppedTarget()
	if err != nil {
		return nil, err
	}
	h, err := s.handle(a.VariablesReference)
	if err != nil {
		return nil, err
	}
	var list []dap.Variable
	switch h.kind {
	case localsKind, argumentsKind, globalsKind:
		list, err = locals(s, target, h)
	case registersKind, flagsKind, specialKind:
		list, err = registers(s, target, h)
	case sharedKind:
		list, err = shared(s, target, h, a.Start, a.Count)
		return dap.VariablesResponseBody{Variables: list}, err
	case lanesKind:
		list, err = lanesOf(s, target, h)
	case eachKind:
		list, err = each(s, target, h)
	case stackKind:
		list, err = divergence(s, target, h)
	case valueKind:
		list, err = fields(s, h)
	}
	if a.Start > 0 {
		list = list[min(a.Start, len(list)):]
	}
	if a.Count > 0 {
		list = list[:min(a.Count, len(list))]
	}
	if list == nil {
		list = []dap.Variable{}
	}
	return dap.VariablesResponseBody{Variables: list}, err
}

func locals(s *Server, target debug.Target, h handle) (list []dap.Variable, err error) {
	all, err := target.Variables(h.focus, h.frame)
	for _, v := range all {
		if kindOf[h.kind] != v.Kind {
			continue
		}
		one := dap.Variable{Name: v.Name, Value: v.Value, Type: v.Type, EvaluateName: v.Name}
		if v.Fault != "" {
			one.Value = v.Fault
		} else if r, err := s.evaluate(v.Name, h.at); err == nil {
			complete(s, &one, r, h.at)
		}
		list = append(list, one)
	}
	return list, err
}

// complete adds the children and the memory of a value.
func complete(s *Server, v *dap.Variable, r *debug.Result, a at) {
	if len(r.Fields) > 0 {
		v.VariablesReference = s.number(handle{kind: valueKind, at: a, text: v.EvaluateName})
	}
	switch {
	case r.Space != "":
		v.MemoryReference = reference(r.Space, uint32(r.Bits), a.focus)
	case r.Place != nil && r.Place.Space != "":
		v.MemoryReference = reference(r.Place.Space, r.Place.Address, a.focus)
	}
}

// fields are the fields of a struct, or the elements of an array.
func fields(s *Server, h handle) (list []dap.Variable, err error) {
	r, err := s.evaluate(h.text, h.at)
	if err != nil {
		return nil, err
	}
	for _, f := range r.Fields {
		name := h.text + "." + f.Name
		if strings.HasPrefix(f.Name, "[") {
			name = h.text + f.Name
		}
		one := dap.Variable{Name: f.Name, Value: f.Value, Type: f.Type, EvaluateName: name}
		if v, err := s.evaluate(name, h.at); err == nil {
			complete(s, &one, v, h.at)
		}
		list = append(list, one)
	}
	return list, nil
}

func registers(s *Server, target debug.Target, h handle) (list []dap.Variable, err error) {
	all, err := target.Registers(h.focus)
	for _, r := range all {
		group := r.Group
		if group == "Addresses" {
			group = registersKind
		}
		if group != h.kind {
			continue
		}
		text := fmt.Sprintf("0x%08x", r.Value)
		if r.Text != "" {
			text += " " + r.Text
		}
		list = append(list, dap.Variable{Name: r.Name, Value: text, Type: "unsigned int", EvaluateName: r.Name})
	}
	return list, err
}

// shared are words of shared memory.
func shared(s *Server, target debug.Target, h handle, start, count int) (list []dap.Variable, err error) {
	words := sharedWords(s, h.focus)
	if count <= 0 {
		count = words
	}
	list = []dap.Variable{}
	data, err := target.Read(debug.Memory{Space: "shared", Focus: h.focus, Address: uint32(4 * start), Size: 4 * max(min(count, words-start), 0)})
	for i := 0; i+4 <= len(data); i += 4 {
		at := 4*start + i
		word := uint32(data[i]) | uint32(data[i+1])<<8 | uint32(data[i+2])<<16 | uint32(data[i+3])<<24
		list = append(list, dap.Variable{
			Name: fmt.Sprintf("0x%x", at), Value: fmt.Sprintf("0x%08x", word), Type: "unsigned int",
			EvaluateName: fmt.Sprintf("*(@shared unsigned int*)0x%x", at), MemoryReference: reference("shared", uint32(at), h.focus),
		})
	}
	return list, err
}

// lanesOf are the names with a value in each lane.
func lanesOf(s *Server, target debug.Target, h handle) (list []dap.Variable, err error) {
	var names []string
	locals, _ := target.Variables(h.focus, h.frame)
	for _, v := range locals {
		names = append(names, v.Name)
	}
	registers, err := target.Registers(h.focus)
	for _, r := range registers {
		if r.Group == registersKind {
			names = append(names, r.Name)
		}
	}
	for _, n := range names {
		list = append(list, dap.Variable{
			Name: n, Value: "in 32 lanes", EvaluateName: n, IndexedVariables: 32,
			VariablesReference: s.number(handle{kind: eachKind, at: h.at, text: n}),
		})
	}
	return list, err
}

// each are the values of an expression in all lanes.
func each(s *Server, target debug.Target, h handle) (list []dap.Variable, err error) {
	r, err := target.Evaluate(debug.Expression{Text: h.text, Focus: h.focus, Frame: h.frame, Lanes: true})
	if err != nil {
		return nil, err
	}
	for l, v := range r.Lanes {
		if v == "" {
			v = "-"
		}
		list = append(list, dap.Variable{Name: fmt.Sprintf("[%d]", l), Value: v})
	}
	return list, nil
}

// divergence is where the lanes of the warp are, and what the policy keeps.
func divergence(s *Server, target debug.Target, h handle) (list []dap.Variable, err error) {
	warps, err := target.Warps(h.focus.Block)
	if err != nil {
		return nil, err
	}
	w := warps[h.focus.Warp]
	for _, p := range w.Paths {
		text := p.Place.String()
		if p.Blocked {
			text += ", at a barrier"
		}
		list = append(list, dap.Variable{Name: fmt.Sprintf("lanes %08x", p.Lanes), Value: text})
	}
	for _, e := range w.Stack {
		text := fmt.Sprintf("lanes %08x", e.Lanes)
		if e.PC >= 0 {
			text += fmt.Sprintf(" at 0x%x", e.PC)
		}
		list = append(list, dap.Variable{Name: "kept: " + e.Kind, Value: text})
	}
	return list, nil
}
