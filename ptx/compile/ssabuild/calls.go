package ssabuild

import (
	"slices"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// calls says which functions of a module may be called again before they return, and which a call by
// address may reach.
type calls struct {
	// addressed are the functions whose addresses the module takes, in its order.
	addressed []*ptx.Func
	numbers   map[*ptx.Func]uint32
	// knots are the strongly connected components of the calls, by number. It is 0 for a function
	// that returns before it is called again.
	knots map[*ptx.Func]int

	order, low map[*ptx.Func]int // of Tarjan's search
	stack      []*ptx.Func
}

// knot returns the component of a function, 0 without recursion.
func (c *calls) knot(fn *ptx.Func) int {
	if _, ok := c.order[fn]; !ok {
		c.visit(fn)
	}
	return c.knots[fn]
}

func newCalls(m *ptx.Module) *calls {
	c := &calls{numbers: map[*ptx.Func]uint32{}, knots: map[*ptx.Func]int{},
		order: map[*ptx.Func]int{}, low: map[*ptx.Func]int{}}
	taken := map[*ptx.Func]bool{}
	for _, item := range m.Items {
		switch x := item.(type) {
		case *ptx.Func:
			for _, s := range x.Body {
				if in, ok := s.(*ptx.Instr); ok {
					takes(taken, in)
				}
			}
		case *ptx.Var:
			if x.Init != nil {
				for _, r := range x.Init.Refs {
					if fn, ok := r.Of.(*ptx.Func); ok {
						taken[fn] = true
					}
				}
			}
		}
	}
	for _, item := range m.Items {
		if fn, ok := item.(*ptx.Func); ok && taken[fn] {
			c.addressed = append(c.addressed, fn)
			c.numbers[fn] = FirstFunction + FunctionStep*uint32(len(c.numbers))
		}
	}
	return c
}

// The architecture calls no address, so the address of a function is a number of its own. Zero
// stays the null pointer.
const (
	FirstFunction = 8
	FunctionStep  = 8
)

// Addresses returns the numbers that stand for the addresses of functions in a module.
func Addresses(m *ptx.Module) map[*ptx.Func]uint32 { return newCalls(m).numbers }

// takes notes the functions whose addresses an instruction takes.
func takes(taken map[*ptx.Func]bool, in *ptx.Instr) {
	for i := range in.Args {
		if in.Op == ptx.OpCall && i == 1 {
			continue
		}
		taking(taken, &in.Args[i])
	}
}

func taking(taken map[*ptx.Func]bool, o *ptx.Operand) {
	if o.Func != nil {
		taken[o.Func] = true
	}
	for i := range o.List {
		taking(taken, &o.List[i])
	}
}

// callees returns the functions that a call may reach.
func (c *calls) callees(in *ptx.Instr) []*ptx.Func {
	if fn := in.Args[1].Func; fn != nil {
		return []*ptx.Func{fn}
	}
	return c.candidates(in)
}

// candidates returns the functions that a call by address may reach: the functions of the call's
// list, or all functions of its type whose addresses the module takes.
func (c *calls) candidates(in *ptx.Instr) (list []*ptx.Func) {
	var sign ptx.Operand
	if len(in.Args) > 3 {
		sign = in.Args[3]
	}
	for _, fn := range c.addressed {
		switch {
		case fn.Body == nil || fn.Entry:
		case sign.Targets != nil:
			if slices.Contains(sign.Targets.Funcs, fn) {
				list = append(list, fn)
			}
		case sign.Proto == nil && len(fn.Params) == len(in.Args[2].List) && len(fn.Returns) <= len(in.Args[0].List):
			list = append(list, fn)
		case sign.Proto != nil && alike(fn.Params, sign.Proto.Params) && alike(fn.Returns, sign.Proto.Returns):
			list = append(list, fn)
		}
	}
	return list
}

// alike reports whether parameters are passed in the same way.
func alike(a, b []*ptx.Var) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Space != b[i].Space || size(a[i]) != size(b[i]) || (a[i].Type == ptx.Pred) != (b[i].Type == ptx.Pred) {
			return false
		}
	}
	return true
}

// visit is Tarjan's search for strongly connected components.
func (c *calls) visit(fn *ptx.Func) {
	c.order[fn] = len(c.order) + 1
	c.low[fn] = c.order[fn]
	c.stack = append(c.stack, fn)
	again := false
	for _, s := range fn.Body {
		in, ok := s.(*ptx.Instr)
		if !ok || in.Op != ptx.OpCall {
			continue
		}
		for _, to := range c.callees(in) {
			again = again || to == fn
			if c.order[to] == 0 {
				c.visit(to)
			}
			if _, done := c.knots[to]; !done {
				c.low[fn] = min(c.low[fn], c.low[to])
			}
		}
	}
	if c.low[fn] < c.order[fn] {
		return
	}
	alone := c.stack[len(c.stack)-1] == fn
	for {
		top := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		c.knots[top] = c.order[fn]
		if alone && !again {
			c.knots[top] = 0
		}
		if top == fn {
			return
		}
	}
}

// functionNumber returns what stands for the address of a function.
func (b *builder) functionNumber(fn *ptx.Func) *ir.Value {
	if b.calls == nil {
		b.calls = newCalls(b.m)
	}
	if fn.Body == nil {
		b.fail("function %s has no body in this module", fn.Name)
	}
	return b.word(b.calls.numbers[fn])
}
