package compile

import (
	"fmt"
	"slices"

	"jacquard/cubin"
	"jacquard/ptx"
	"jacquard/ptx/compile/library"
	"jacquard/ptx/compile/ssabuild"
	"jacquard/ptx/output"
	"jacquard/tesla"
)

// moduleLayout places the variables of a module.
type moduleLayout struct {
	m         *ptx.Module
	vars      []*ptx.Var // in order
	names     map[*ptx.Var]string
	constants map[*ptx.Var]int // offsets in bank 0
	bytes     int              // of bank 0
	globals   map[*ptx.Var]int // indices among the variables in global memory
	slots     map[slotKey]uint32
	order     []slotKey
	textures  map[*ptx.Var]int // indices among the texture references
	functions map[*ptx.Func]uint32
	output    *ptx.Var // the buffer for what kernels print
	params    *ptx.Var // the parameters of kernels with many; nil if there are none
	err       error    // for a variable beyond the end of bank 0
}

// Sizes of a device's memories, in bytes.
const (
	mostConstant = tesla.BankBytes // for a module
	mostParams   = 4096            // for a kernel
)

// mostTextures is how many texture references a kernel can use: an instruction names one of so many
// samplers.
const mostTextures = 32

// numbers reports whether each texture reference has one unit in all kernels, as a text cubin
// needs it. In a module with more references every kernel numbers only the ones that it uses.
func (l *moduleLayout) numbers() bool { return len(l.textures) <= mostTextures }

// slotKey is an address that bank 14 holds.
type slotKey struct {
	v      *ptx.Var
	addend uint32
}

func newModuleLayout(m *ptx.Module) *moduleLayout {
	l := &moduleLayout{m: m, constants: map[*ptx.Var]int{}, globals: map[*ptx.Var]int{}, slots: map[slotKey]uint32{},
		textures: map[*ptx.Var]int{}, functions: ssabuild.Addresses(m),
		output: &ptx.Var{Name: output.Name, Space: ptx.Global, Type: ptx.B8, Vector: 1, Align: 16, Dims: []int{output.Size}}}
	l.vars = moduleVariables(m)
	if l.params = paramVariable(m); l.params != nil {
		l.vars = append(l.vars, l.params)
	}
	l.names = namesOf(append(l.vars, l.output))
	for _, v := range l.vars {
		switch {
		case isTexture(v):
			l.textures[v] = len(l.textures)
		case v.Space == ptx.Const:
			l.constant(v)
		case v.Space == ptx.Global:
			l.globals[v] = len(l.globals)
		}
	}
	return l
}

// constant gives a variable in constant memory its place.
func (l *moduleLayout) constant(v *ptx.Var) {
	at, n := alignUp(l.bytes, v.Align), bytesOf(v)
	if n > mostConstant-at {
		if l.err == nil {
			l.err = refused(v, fmt.Sprintf("ends at byte %d of %d of constant memory", int64(at)+int64(n), mostConstant))
		}
		return
	}
	l.constants[v] = at
	l.bytes = at + n
}

func isTexture(v *ptx.Var) bool { return v.Space == ptx.Tex || v.Type == ptx.TexRef }

// slot returns the offset in bank 14 of the address of a variable plus an addend.
func (l *moduleLayout) slot(v *ptx.Var, addend uint32) uint32 {
	key := slotKey{v, addend}
	at, ok := l.slots[key]
	if !ok {
		at = uint32(4 * len(l.order))
		l.slots[key] = at
		l.order = append(l.order, key)
	}
	return at
}

// describe puts the variables into an image, with the contents that they begin with.
func (l *moduleLayout) describe(im *cubin.Image, contents map[*ptx.Var]content) {
	for _, v := range l.vars { // by the place of the address, as in a file
		if v.Space == ptx.Const {
			l.pointersOf(im, contents[v], -1, l.constants[v])
		}
	}
	for _, v := range l.vars {
		switch {
		case isTexture(v):
			s := cubin.Sampler{Name: l.names[v], Unit: -1}
			if l.numbers() {
				s.Unit = l.textures[v]
			}
			im.Samplers = append(im.Samplers, s)
		case v.Space == ptx.Const:
			im.Constants = append(im.Constants, cubin.Variable{Name: l.names[v], Offset: l.constants[v], Bytes: bytesOf(v), Init: contents[v].bytes})
		case v.Space == ptx.Global:
			l.pointersOf(im, contents[v], l.globals[v], 0)
			im.Globals = append(im.Globals, l.global(v, contents[v].bytes))
		}
	}
	if l.prints() {
		im.Globals = append(im.Globals, l.global(l.output, nil))
	}
}

// prints reports whether a kernel prints.
func (l *moduleLayout) prints() bool {
	return slices.ContainsFunc(l.order, func(key slotKey) bool { return key.v == l.output })
}

func (l *moduleLayout) global(v *ptx.Var, init []byte) cubin.Global {
	g := cubin.Global{Name: l.names[v], Bytes: bytesOf(v), Init: init}
	for _, key := range l.order {
		if key.v == v {
			g.Slots = append(g.Slots, cubin.Slot{Offset: int(l.slots[key]), Addend: key.addend})
		}
	}
	return g
}

// kernelLayout places the shared variables and textures that a kernel uses.
type kernelLayout struct {
	module  *moduleLayout
	shared  map[*ptx.Var]int
	fixed   int        // bytes of s[] that are never written: the header and the parameters
	bytes   int        // of s[], so far
	warps   int        // of the largest block
	dynamic []*ptx.Var // arrays whose length the launch gives
	units   []*ptx.Var // texture references by unit, if the module does not number them
	kernel  *ptx.Func
	err     error // for a variable beyond the end of shared memory
}

func newKernelLayout(m *moduleLayout, k *ptx.Func, params int) *kernelLayout {
	return &kernelLayout{module: m, kernel: k, shared: map[*ptx.Var]int{}, fixed: tesla.HeaderBytes + params, bytes: tesla.HeaderBytes + params}
}

// forWarps says how many warps the largest block of kernel k has.
func (l *kernelLayout) forWarps(k *ptx.Func) {
	block := blockLimit(k)
	if block == 0 {
		block = tesla.MaxThreads
	}
	l.warps = (block + 31) / 32
}

// place gives a shared variable its place, after the parameters.
func (l *kernelLayout) place(v *ptx.Var) {
	if _, ok := l.shared[v]; ok {
		return
	}
	if bytesOf(v) == 0 {
		l.dynamic = append(l.dynamic, v)
		l.shared[v] = -1
		return
	}
	at, n := alignUp(l.bytes, v.Align), bytesOf(v)
	l.shared[v] = at
	if library.PerWarp(v) {
		n *= l.warps
	}
	if n > tesla.SharedBytes-at {
		l.exceed(v, int64(at)+int64(n))
		return
	}
	l.bytes = at + n
}

// exceed keeps the error for the first variable that does not fit.
func (l *kernelLayout) exceed(v *ptx.Var, end int64) {
	switch {
	case l.err != nil:
	case library.PerWarp(v):
		l.err = &ssabuild.Error{Pos: l.kernel.Pos, Message: fmt.Sprintf("%d of %d bytes of shared memory, with what "+
			"the lanes of a warp exchange", end, tesla.SharedBytes)}
	default:
		l.err = refused(v, fmt.Sprintf("ends at byte %d of %d of shared memory in kernel %s", end, tesla.SharedBytes,
			l.kernel.Name))
	}
}

// unit returns the texture unit of a reference.
func (l *kernelLayout) unit(v *ptx.Var) int {
	if l.module.numbers() {
		return l.module.textures[v]
	}
	i := slices.Index(l.units, v)
	if i < 0 {
		i = len(l.units)
		l.units = append(l.units, v)
	}
	return i
}

// ownTextures returns the texture units of the kernel alone.
func (l *kernelLayout) ownTextures() (own []cubin.Texture) {
	for i, v := range l.units {
		own = append(own, cubin.Texture{Sampler: l.module.textures[v], Unit: i})
	}
	return own
}

// dynamicAlign is the alignment of the shared memory that a launch adds to a kernel's.
const dynamicAlign = 16

// finish places the arrays whose length the launch gives: all at the end.
func (l *kernelLayout) finish() {
	if len(l.dynamic) == 0 {
		return
	}
	l.bytes = alignUp(l.bytes, dynamicAlign)
	for _, v := range l.dynamic {
		l.shared[v] = l.bytes
	}
}

func (l *kernelLayout) sharedBytes() int { return l.bytes }

func alignUp(n, to int) int {
	to = max(to, 1)
	return (n + to - 1) / to * to
}

// bytesOf returns the size of a variable.
func bytesOf(v *ptx.Var) int { return int(v.Bytes()) }
