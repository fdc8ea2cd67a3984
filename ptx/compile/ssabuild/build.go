package ssabuild

import (
	"errors"
	"fmt"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
	"jacquard/tesla"
)

// Target describes the device and the memory that a kernel is built for.
type Target struct {
	Arch tesla.Arch
	// Output is the buffer for what kernels print; nil if there is none.
	Output *ptx.Var
	// Scope returns the scope of a statement of a function, as debugging information counts those of
	// a function; -1 if there is none. It is nil without debugging information.
	Scope func(fn *ptx.Func, statement int) int32
	// Params is the variable in constant memory that holds the parameters of the kernel; nil if they
	// are in shared memory.
	Params *ptx.Var
}

// Error is a construct that cannot be compiled.
type Error struct {
	Pos     ptx.Pos
	Message string
}

// Error returns "line:column: message".
func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Pos, e.Message) }

// Build returns kernel k of m in static single assignment form. The error joins an [*Error] for
// each construct that the target cannot express.
func Build(m *ptx.Module, k *ptx.Func, t Target) (*ir.Func, error) {
	f := ir.NewFunc(k.Name)
	f.Scopes = []ir.Scope{{}}
	f.Locks = t.Arch >= tesla.SM12
	b := &builder{m: m, kernel: k, target: t, f: f, active: map[*ptx.Func]bool{}, kept: map[*ir.Value]*ir.Value{},
		frameAlign: leastAlign}
	b.ssa.completing = map[*ir.Value]bool{}
	b.ssa.entries, b.ssa.resumes = map[*ir.Block]*activation{}, map[*ir.Block]*resume{}
	b.layoutParams(k)
	entry := b.f.Blocks[0]
	b.seal(entry)
	b.at = entry
	b.enter(k, nil, func() {})
	b.layoutPrints()
	b.layoutStack()
	b.bindTextures()
	if len(b.errs) > 0 {
		return nil, errors.Join(b.errs...)
	}
	b.placeStarts()
	b.f.Locals = b.locals
	b.f.Order()
	return b.f, nil
}

// builder holds the state of a construction.
type builder struct {
	m      *ptx.Module
	kernel *ptx.Func
	target Target
	f      *ir.Func
	ssa    ssa
	frame  *frame
	// lastFrame is the frame of the function that was built last.
	lastFrame *frame
	// at is the block that grows; nil where control does not come.
	at   *ir.Block
	line ir.Line
	pos  ptx.Pos
	// inLibrary counts the functions of the library around the statement. Their statements have no
	// place in the source.
	inLibrary int
	divisions int32 // of f32 so far, see ir.Value
	errs      []error
	// called counts the instructions of functions, once for each time that one is built; full says
	// that they are too many.
	called int
	full   bool
	// weighed says that the calls of the kernel have been counted before they are built.
	weighed bool
	// active are the functions that are being built in place.
	active map[*ptx.Func]bool
	// params are the offsets of the kernel's parameters in bytes.
	params map[*ptx.Var]int
	// locals are the offsets of .local variables in a thread's local memory.
	locals map[*ptx.Var]int
	// calls is the call graph of the module; nil before the first call.
	calls *calls
	sizes []sized
	// frameAlign is the alignment of all frames in the stack.
	frameAlign int
	// fetches are texture fetches whose texture is in a register.
	fetches []fetch
	// prints are the calls of vprintf.
	prints []printCall
	// kept are the values that frames keep over calls, by the loads behind.
	kept map[*ir.Value]*ir.Value
	// carry is the sum whose carry the next addc of the block takes; nil if the frame holds it.
	carry *ir.Value
	// changes are the assignments of a guarded instruction; nil outside one.
	changes []change
}

// frame is a function whose body is being built.
type frame struct {
	fn *ptx.Func
	// first is the first variable of each register, by ptx.Var.Index.
	first []variable
	// carry is the carry between blocks.
	carry variable
	// done is where ret goes; nil in a kernel.
	done *ir.Block
	// bytes are the variables of parameters of calls, by offset.
	bytes map[paramKey]variable
	keys  []paramKey // of bytes, in order
	// memory are the parameters that lie in memory, as the function takes their addresses.
	memory map[*ptx.Var]bool
	up     *frame
	// call is the line of the call; scopes are the indices in ir.Func.Scopes by the number of the
	// scope in the function.
	call   ir.Line
	scopes map[int32]int32
	// act is the function with a stack that the frame is in; nil outside of such functions.
	act *activation
}

// limit bounds the errors of a kernel.
const limit = 100

// fail records that a construct cannot be compiled.
func (b *builder) fail(format string, args ...any) {
	if !b.full && len(b.errs) < limit {
		b.errs = append(b.errs, &Error{b.pos, fmt.Sprintf(format, args...)})
	}
}

// add appends a value to the current block.
func (b *builder) add(op ir.Op, kind ir.Kind, args ...*ir.Value) *ir.Value {
	v := b.f.New(op, kind, args...)
	v.Line, v.Divisions = b.line, b.divisions
	return b.at.Add(v)
}

// do appends an operation on Words.
func (b *builder) do(op ir.Op, args ...*ir.Value) *ir.Value { return b.add(op, ir.Word, args...) }

// typed is do for an operation with a type.
func (b *builder) typed(op ir.Op, t ptx.Type, args ...*ir.Value) *ir.Value {
	v := b.do(op, args...)
	v.Sub = t
	return v
}

// word returns a constant.
func (b *builder) word(imm uint32) *ir.Value { return b.f.Word(imm) }

// undef returns a Word of any bits.
func (b *builder) undef() *ir.Value { return b.add(ir.Undef, ir.Word) }

// layoutParams places the parameters of a kernel as a C compiler places members of a structure.
func (b *builder) layoutParams(k *ptx.Func) {
	b.params = map[*ptx.Var]int{}
	offset := 0
	for _, p := range k.Params {
		offset = align(offset, p.Align)
		b.params[p] = offset
		offset += size(p)
	}
}

// Layout returns the offset of each parameter of k, and the bytes that all take.
func Layout(k *ptx.Func) (offsets []int, bytes int) {
	for _, p := range k.Params {
		bytes = align(bytes, p.Align)
		offsets = append(offsets, bytes)
		bytes += size(p)
	}
	return offsets, bytes
}

func align(n, to int) int {
	if to < 1 {
		to = 1
	}
	return (n + to - 1) / to * to
}

// size returns the bytes of a variable.
func size(v *ptx.Var) int {
	n := v.Type.Bits() / 8 * max(v.Vector, 1)
	for _, d := range v.Dims {
		n *= d
	}
	return n
}
