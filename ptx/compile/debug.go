package compile

import (
	"slices"

	"jacquard/cubin"
	"jacquard/internal/debuginfo"
	"jacquard/ptx"
	"jacquard/ptx/compile/code"
	"jacquard/ptx/compile/ir"
	"jacquard/ptx/compile/ssabuild"
	"jacquard/tesla"
)

// describer describes a kernel for debuggers.
type describer struct {
	*compiler
	kernel *ptx.Func
	f      *ir.Func
	layout *kernelLayout
	made   map[scopeKey]*debuginfo.Scope
	up     map[*debuginfo.Scope]*debuginfo.Scope // the scopes around
	root   *debuginfo.Scope
}

// scopeKey identifies a scope of a function in the place of a call.
type scopeKey struct {
	fn    *ptx.Func
	index int32
	call  ir.Line
}

// debug returns the description of a kernel with code r, nil if the text has none.
func (c *compiler) debug(k *ptx.Func, f *ir.Func, l *kernelLayout, r *code.Result) *debuginfo.Info {
	if c.scopes == nil || len(r.Scopes) == 0 {
		return nil
	}
	d := &describer{compiler: c, kernel: k, f: f, layout: l, made: map[scopeKey]*debuginfo.Scope{},
		up: map[*debuginfo.Scope]*debuginfo.Scope{}}
	size := uint64(4 * len(r.Words))
	d.root = &debuginfo.Scope{Function: k.Name, Ranges: []debuginfo.Range{{To: size}}}
	for i, e := range r.Scopes {
		to := size
		if i+1 < len(r.Scopes) {
			to = uint64(r.Scopes[i+1].Offset)
		}
		d.cover(d.scope(e.Scope), uint64(e.Offset), to)
	}
	info := &debuginfo.Info{Root: d.root}
	for _, v := range c.scopes.Globals {
		if v := d.placed(v, nil); v.Place.Space != debuginfo.Nowhere {
			info.Globals = append(info.Globals, v)
		}
	}
	return info
}

// scope returns the scope of a number, the root for code of no scope.
func (d *describer) scope(n int32) *debuginfo.Scope {
	s := &d.f.Scopes[n]
	if s.Fn == nil {
		return d.root
	}
	return d.inFunction(s.Fn, s.Index, s.Call)
}

// inFunction returns a scope of a function in the place of a call, with all around it.
func (d *describer) inFunction(fn *ptx.Func, index int32, call ir.Line) *debuginfo.Scope {
	key := scopeKey{fn, index, call}
	if s := d.made[key]; s != nil {
		return s
	}
	from := d.scopes.Of(fn).Scopes[index]
	s, up := &debuginfo.Scope{Function: from.Function, Call: from.Call}, (*debuginfo.Scope)(nil)
	switch {
	case from.Up >= 0:
		up = d.inFunction(fn, from.Up, call)
	case fn == d.kernel:
		s = d.root
		s.Function = from.Function
	default:
		s.Call = debuginfo.Line{File: d.sources[call.File], Line: int(call.Line)}
		up = d.scope(call.Scope)
	}
	d.made[key] = s
	if up != nil {
		up.Inner = append(up.Inner, s)
		d.up[s] = up
	}
	lost := from.Up < 0 && onlyStructures(from.Variables)
	params := 0
	for _, v := range from.Variables {
		var param *ptx.Var
		if v.Param && lost && params < len(fn.Params) {
			param = fn.Params[params]
		}
		if v.Param {
			params++
		}
		s.Variables = append(s.Variables, d.placed(v, d.param(fn, param)))
	}
	return s
}

// onlyStructures reports whether all variables but parameters that are structures have places. Then
// clang, without optimization, reads these structures where the caller put them, and says nothing.
func onlyStructures(list []*debuginfo.Variable) bool {
	return !slices.ContainsFunc(list, func(v *debuginfo.Variable) bool {
		structure := v.Param && v.Type.Under().Kind == debuginfo.Struct
		return v.Place.Space == debuginfo.Nowhere && !structure
	})
}

// param returns the place of a parameter, nil if it has none.
func (d *describer) param(fn *ptx.Func, p *ptx.Var) *debuginfo.Place {
	if p == nil {
		return nil
	}
	if fn != d.kernel {
		at, ok := d.f.Locals[p]
		if !ok {
			return nil
		}
		return &debuginfo.Place{Space: debuginfo.Local, Offset: uint64(at)}
	}
	offsets, bytes := ssabuild.Layout(fn)
	at := uint64(offsets[slices.Index(fn.Params, p)])
	if bytes > cubin.SharedParams {
		return &debuginfo.Place{Space: debuginfo.Const, Symbol: cubin.ParamVariable, Offset: at}
	}
	return &debuginfo.Place{Space: debuginfo.Shared, Offset: tesla.HeaderBytes + at}
}

// placed returns a variable of the text in its place on the device. otherwise is the place of one that
// the text gives none.
func (d *describer) placed(v *debuginfo.Variable, otherwise *debuginfo.Place) *debuginfo.Variable {
	out := *v
	if v.Place.Space == debuginfo.Nowhere && otherwise != nil {
		out.Place = *otherwise
		return &out
	}
	of := d.scopes.Variable(v.Place.Symbol)
	out.Place = debuginfo.Place{}
	if of == nil {
		return &out
	}
	at, ok := 0, false
	switch of.Space {
	case ptx.Local:
		out.Place.Space = debuginfo.Local
		at, ok = d.f.Locals[of]
	case ptx.Shared:
		out.Place.Space = debuginfo.Shared
		at, ok = d.layout.shared[of]
	case ptx.Global, ptx.Const:
		out.Place.Symbol, ok = d.module.names[of]
		out.Place.Space = debuginfo.Global
		if of.Space == ptx.Const {
			out.Place.Space = debuginfo.Const
		}
		ok = ok && !isTexture(of)
	}
	if out.Place.Offset = v.Place.Offset + uint64(at); !ok {
		out.Place = debuginfo.Place{}
	}
	return &out
}

// cover adds code to a scope and to those around it.
func (d *describer) cover(s *debuginfo.Scope, from, to uint64) {
	for ; s != nil && s != d.root; s = d.up[s] {
		if n := len(s.Ranges); n > 0 && s.Ranges[n-1].To >= from {
			s.Ranges[n-1].To = max(s.Ranges[n-1].To, to)
			continue
		}
		s.Ranges = append(s.Ranges, debuginfo.Range{From: from, To: to})
	}
}
