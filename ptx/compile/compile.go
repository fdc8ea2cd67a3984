package compile

import (
	"errors"
	"fmt"

	"jacquard/cubin"
	"jacquard/ptx"
	"jacquard/ptx/compile/code"
	"jacquard/ptx/compile/ir"
	"jacquard/ptx/compile/optimize"
	"jacquard/ptx/compile/scopes"
	"jacquard/ptx/compile/selection"
	"jacquard/ptx/compile/ssabuild"
	"jacquard/ptx/output"
	"jacquard/tesla"
)

// Options say how a module is compiled.
type Options struct {
	Arch tesla.Arch
	// TextLines gives kernels without .loc lines a line table of the PTX text itself, under the name
	// of the module.
	TextLines bool
	// Verify checks the form of a kernel after each of [Passes], and the registers that values got. A
	// violation is a mistake of the compiler and an error. It takes several times as long.
	Verify bool
	// Observe is called after each of [Passes], with the kernel in its form; nil for none.
	Observe func(kernel, pass string, form fmt.Stringer)
	// Report is called for each kernel that was compiled; nil for none.
	Report func(k *cubin.Kernel, u Usage)
}

// Usage is the resources of a kernel that its cubin does not state.
type Usage struct {
	code.Spills
	// Stack is how much of its local memory is the stack of functions that call themselves, in bytes.
	Stack int
}

// Compile returns the machine code of all kernels of a module. The error joins a [*ptx.Error] for
// each construct that the architecture cannot express, in all kernels.
func Compile(m *ptx.Module, o Options) (*cubin.Image, error) {
	c := &compiler{m: m, o: o, module: newModuleLayout(m), sources: newSources(m), escaped: hasConstantAddress(m)}
	c.escaped = c.escaped || c.module.params != nil
	c.scopes, _ = scopes.Read(m) // code runs without what cannot be read
	im := &cubin.Image{Arch: o.Arch, Name: m.Name, Pointer: m.AddressBits / 8}
	if target := m.Target.Arch; target != im.Target() {
		im.Virtual = target
	}
	contents := map[*ptx.Var]content{}
	bad := &mistakes{module: m.Name, known: map[string]bool{}}
	if c.module.err != nil {
		bad.add("", c.module.err)
	}
	for _, v := range c.module.vars {
		init, err := c.module.contentOf(v)
		if err != nil {
			bad.add(v.Name, err)
		}
		contents[v] = init
		if v.Name == output.Name || v.Name == cubin.ParamVariable && v != c.module.params {
			bad.add(v.Name, refused(v, "the name is reserved"))
		}
	}
	for _, item := range m.Items {
		k, ok := item.(*ptx.Func)
		if !ok || !k.Entry || k.Body == nil {
			continue
		}
		kernel, err := c.kernel(k)
		if err != nil {
			bad.add(k.Name, err)
			continue
		}
		im.Kernels = append(im.Kernels, *kernel)
	}
	if len(bad.errs) > 0 {
		return nil, errors.Join(bad.errs...)
	}
	c.module.describe(im, contents)
	return im, nil
}

// compiler compiles the kernels of a module.
type compiler struct {
	m       *ptx.Module
	o       Options
	module  *moduleLayout
	sources sources
	escaped bool // see [ir.Func]
	scopes  *scopes.Module
}

// after shows and verifies a kernel after a pass.
func (c *compiler) after(kernel, pass string, form fmt.Stringer) error {
	if c.o.Observe != nil {
		c.o.Observe(kernel, pass, form)
	}
	if !c.o.Verify {
		return nil
	}
	var err error
	switch f := form.(type) {
	case *ir.Func:
		err = ir.Verify(f)
	case *code.Func:
		err = code.Verify(f)
	}
	if err != nil {
		return fmt.Errorf("internal error, please report it: after pass %s: %w", pass, err)
	}
	return nil
}

// kernel compiles one kernel. A mistake of the compiler is an error, too, and no crash of the host.
func (c *compiler) kernel(k *ptx.Func) (_ *cubin.Kernel, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error, please report it: %v", r)
		}
	}()
	from := k
	if c.o.TextLines && c.m.Name != "" {
		from = traced(k)
	}
	offsets, bytes := ssabuild.Layout(k)
	if bytes > mostParams {
		return nil, &ssabuild.Error{Pos: k.Pos, Message: fmt.Sprintf("%s has %d bytes of parameters; a kernel can have %d", k.Name, bytes, mostParams)}
	}
	target := ssabuild.Target{Arch: c.o.Arch, Output: c.module.output}
	if bytes > cubin.SharedParams {
		target.Params, bytes = c.module.params, 0
	}
	if c.scopes != nil {
		target.Scope = c.scopes.At
	}
	f, err := ssabuild.Build(c.m, from, target)
	if err != nil {
		return nil, err
	}
	if err := c.after(k.Name, "build", f); err != nil {
		return nil, err
	}
	f.Escaped = c.escaped
	l := newKernelLayout(c.module, k, bytes)
	l.forWarps(k)
	resolve(f, l)
	if l.err != nil {
		return nil, l.err
	}
	if err := c.after(k.Name, "resolve", f); err != nil {
		return nil, err
	}
	for _, p := range optimize.Passes {
		if p.Moves() && c.scopes.Variables() {
			continue
		}
		p.Run(f)
		if err := c.after(k.Name, p.Name, f); err != nil {
			return nil, err
		}
	}
	barriers, stack := countBarriers(f), f.Stack
	r, err := c.code(k, f, l)
	if err != nil {
		return nil, err
	}
	kernel := describe(k, r, l, offsets)
	kernel.Barriers = barriers
	kernel.Lines = c.sources.lines(r.Lines)
	kernel.Debug = c.debug(k, f, l, r)
	if c.o.Report != nil {
		c.o.Report(kernel, Usage{r.Spills, stack})
	}
	return kernel, nil
}

// code makes machine code of a kernel.
func (c *compiler) code(k *ptx.Func, f *ir.Func, l *kernelLayout) (*code.Result, error) {
	out, err := c.selected(k, f, l)
	if err != nil {
		return nil, err
	}
	if !out.Meets() {
		f = nil // Nothing asks for another try; values and instructions need not be in memory together.
	}
	r, err := c.finish(k, out)
	if f == nil || !errors.Is(err, code.ErrParted) {
		return r, err
	}
	if out, err = c.selected(k, f, l); err != nil {
		return nil, err
	}
	out.Gather = true
	return c.finish(k, out)
}

// selected returns the instructions of a kernel.
func (c *compiler) selected(k *ptx.Func, f *ir.Func, l *kernelLayout) (*code.Func, error) {
	out, err := selection.Select(f, c.o.Arch, selection.Layout{Slot: c.module.slot, Unit: l.unit})
	if err != nil {
		return nil, err
	}
	if n := len(l.units); n > mostTextures {
		return nil, fmt.Errorf("%d texture references; a kernel can use %d", n, mostTextures)
	}
	out.MaxRegs = registerLimit(k, c.o.Arch)
	out.Constant = l.fixed
	out.Verify = c.o.Verify
	return out, c.after(k.Name, "select", out)
}

// finish runs the passes of package code.
func (c *compiler) finish(k *ptx.Func, f *code.Func) (*code.Result, error) {
	for _, p := range code.Passes() {
		if err := p.Run(f); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		if err := c.after(k.Name, ofCode+p.Name, f); err != nil {
			return nil, err
		}
	}
	if f.Local > tesla.LocalBytes {
		return nil, &ssabuild.Error{Pos: k.Pos, Message: fmt.Sprintf("%s takes %d bytes of local memory, with the "+
			"registers that it spills; a thread has %d", k.Name, f.Local, tesla.LocalBytes)}
	}
	return code.Emit(f)
}

// registerLimit returns the most registers of a thread: at most as many as the text allows, and
// few enough for a block of the largest size that the text announces. A limit below the need of
// every kernel is raised, as nvcc does with -maxrregcount.
func registerLimit(k *ptx.Func, a tesla.Arch) int {
	n := tesla.MaxRegisters
	if k.Bounds.MaxNReg > 0 {
		n = min(n, k.Bounds.MaxNReg)
	}
	if block := blockLimit(k); block > 0 {
		n = min(n, a.Limits().MostRegisters(block, 0))
	}
	return max(n, leastRegisters)
}

// blockLimit returns the threads of the largest block that the text announces, 0 if it announces
// none.
func blockLimit(k *ptx.Func) int {
	return min(threads(largestBlock(k)), tesla.MaxThreads)
}

// largestBlock returns the largest block that the text announces, zeros if it announces none.
func largestBlock(k *ptx.Func) [3]int {
	if threads(k.Bounds.ReqNTid) > 0 {
		return k.Bounds.ReqNTid
	}
	return k.Bounds.MaxNTid
}

// leastRegisters is a limit with which allocation always succeeds.
const leastRegisters = 10

// threads returns the threads of a block, or a number above all that run.
func threads(n [3]int) int {
	all := 1
	for _, x := range n {
		all *= min(x, tesla.MaxThreads+1)
	}
	return all
}

// describe makes the kernel of an image.
func describe(k *ptx.Func, r *code.Result, l *kernelLayout, offsets []int) *cubin.Kernel {
	out := &cubin.Kernel{
		Name: k.Name, Code: r.Words, Registers: r.Registers, Shared: l.sharedBytes(), Local: r.Local,
		MaxThreads: largestBlock(k), Params: []cubin.Param{}, Textures: l.ownTextures(),
	}
	if len(r.Literals) > 0 {
		s := cubin.Segment{Bank: 1, Bytes: 4 * len(r.Literals)}
		for _, w := range r.Literals {
			s.Init = append(s.Init, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
		}
		out.Segments = append(out.Segments, s)
	}
	for i, p := range k.Params {
		out.Params = append(out.Params, cubin.Param{Offset: offsets[i], Size: bytesOf(p)})
	}
	return out
}

// countBarriers counts the barriers of a kernel.
func countBarriers(f *ir.Func) int {
	n := 0
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ir.Bar {
				n = max(n, int(v.Imm)+1)
			}
		}
	}
	return n
}
