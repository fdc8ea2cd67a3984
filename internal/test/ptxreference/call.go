package ptxreference

import (
	"slices"

	"jacquard/ptx"
)

// callSite is one call instruction.
type callSite struct {
	args, results []actual
}

// actual is an argument or result of a call: a register or number, the elements of a vector, or a
// variable of the frame.
type actual struct {
	sources      []source
	sinks        []sink
	inFrame      bool
	offset, size int
}

// call binds call: of a function by name, or by an address in a register.
func (b *binder) call() step {
	site, callee := &callSite{}, 0
	if b.has(0) && b.arg(0).Kind == ptx.List {
		callee = 1
		for i := range b.arg(0).List {
			site.results = append(site.results, b.actual(&b.arg(0).List[i], true))
		}
	}
	if b.has(callee+1) && b.arg(callee+1).Kind == ptx.List {
		list := b.arg(callee + 1).List
		for i := range list {
			site.args = append(site.args, b.actual(&list[i], false))
		}
	}
	o := b.arg(callee)
	if o.Kind == ptx.Register {
		return b.indirect(site, b.source(callee, ptx.B64))
	}
	if o.Func == nil || o.Func.Entry {
		b.fail(Malformed, "call of what is no function")
		return nil
	}
	if run := b.builtin(o.Func, site); run != nil {
		return run
	}
	k := b.p.codeOf(o.Func)
	b.code.calls = append(b.code.calls, k.fn)
	if len(k.fn.Params) != len(site.args) || len(k.fn.Returns) != len(site.results) {
		b.fail(Malformed, "number of arguments or results of %s", k.fn.Name)
	}
	return func(t *thread) error { return t.enter(k, site) }
}

func (b *binder) indirect(site *callSite, address source) step {
	return func(t *thread) error {
		f := t.block.program.functionAt(address.get(t))
		if f == nil || f.Entry {
			return t.fault(Fault, "call of address %#x", address.get(t))
		}
		return t.enter(t.block.program.codeOf(f), site)
	}
}

// actual binds an argument or a result of a call.
func (b *binder) actual(o *ptx.Operand, result bool) (a actual) {
	if o.Var != nil && o.Var.Space != ptx.Reg {
		if offset, ok := b.frame[o.Var]; ok {
			size, _ := sizeOf(o.Var)
			return actual{inFrame: true, offset: int(offset), size: size}
		}
	}
	list := elementsOf(o)
	for i := range list {
		if result {
			a.sinks = append(a.sinks, b.sinkOf(&list[i]))
		} else {
			a.sources = append(a.sources, b.sourceOf(&list[i], ptx.B64))
		}
	}
	return a
}

// enter calls a function.
func (t *thread) enter(k *code, site *callSite) error {
	switch {
	case k.err != nil:
		return k.err
	case len(k.params) != len(site.args) || len(k.result) != len(site.results):
		return t.fault(Fault, "number of arguments or results of %s", k.fn.Name)
	case len(t.calls) >= mostCalls:
		return t.fault(Fault, "calls deeper than %d", mostCalls)
	}
	base := t.base + t.code.frame
	if base+k.frame > mostLocal {
		return t.fault(Fault, "more than %d bytes of local memory", mostLocal)
	}
	caller := frame{t.code, t.pc, len(t.file) - len(t.regs), t.base, t.carry, site}
	values := make([][]uint64, len(site.args))
	for i := range site.args {
		if values[i] = site.args[i].values(t); k.params[i].slot >= 0 && len(values[i]) != k.params[i].count {
			return t.fault(Fault, "%d elements for parameter %d of %s", len(values[i]), i, k.fn.Name)
		}
	}
	for i, f := range k.result {
		if n := len(site.results[i].sinks); n > 0 && f.slot >= 0 && n != f.count {
			return t.fault(Fault, "%d elements for result %d of %s", n, i, k.fn.Name)
		}
	}
	t.calls = append(t.calls, caller)
	t.begin(k, base)
	for i, f := range k.params {
		t.accept(f, &site.args[i], values[i], caller.base)
	}
	return nil
}

// values returns an argument: the elements of a vector, or up to eight bytes.
func (a *actual) values(t *thread) (all []uint64) {
	if a.inFrame {
		at := t.base + a.offset
		return []uint64{little(t.local[at : at+min(a.size, 8)])}
	}
	for i := range a.sources {
		all = append(all, a.sources[i].get(t))
	}
	return all
}

// accept puts an argument where the function expects it.
func (t *thread) accept(f formal, a *actual, values []uint64, callerBase int) {
	at := t.base + f.offset
	switch {
	case f.slot >= 0:
		for i, x := range values {
			t.regs[f.slot+i] = x & f.mask
		}
	case a.inFrame:
		from := callerBase + a.offset
		copy(t.local[at:at+f.size], t.local[from:from+a.size])
	default:
		putLittle(t.local[at:at+min(f.size, 8)], values[0])
	}
}

// ret returns to the caller, or ends the thread.
func (t *thread) ret() error {
	if len(t.calls) == 0 {
		t.state = ended
		return nil
	}
	if t.code.fn.NoReturn {
		return t.fault(Fault, "return from %s, which does not return", t.code.fn.Name)
	}
	caller, callee, base := t.calls[len(t.calls)-1], t.code, t.base
	values := make([][]uint64, len(callee.result))
	for i, f := range callee.result {
		if f.slot >= 0 {
			values[i] = slices.Clone(t.regs[f.slot : f.slot+f.count])
		} else {
			values[i] = []uint64{little(t.local[base+f.offset : base+f.offset+min(f.size, 8)])}
		}
	}
	t.calls = t.calls[:len(t.calls)-1]
	t.file = t.file[:len(t.file)-len(t.regs)]
	t.code, t.pc, t.base, t.carry, t.regs = caller.code, caller.pc, caller.base, caller.carry, t.file[caller.regs:]
	for i, f := range callee.result {
		t.receive(f, &caller.site.results[i], values[i], base)
	}
	t.local = t.local[:t.base+t.code.frame]
	return nil
}

// receive puts a result where the caller expects it. The callee's frame at base is still there.
func (t *thread) receive(f formal, a *actual, values []uint64, base int) {
	at := t.base + a.offset
	switch {
	case !a.inFrame:
		for i := range min(len(a.sinks), len(values)) {
			a.sinks[i].put(t, values[i])
		}
	case f.slot < 0:
		from := base + f.offset
		copy(t.local[at:at+a.size], t.local[from:from+f.size])
	default:
		putLittle(t.local[at:at+min(a.size, 8)], values[0])
	}
}
