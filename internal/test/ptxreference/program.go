package ptxreference

import "jacquard/ptx"

// Program is a module whose variables have addresses. Functions are made ready when a kernel that
// calls them first runs. Not safe for use by two goroutines at once.
type Program struct {
	module   *ptx.Module
	memory   *Memory
	approx   Approx
	texture  func(Sample) ([4]uint64, error)
	print    func(Printed)
	constant []byte
	// addresses has all variables, each in its space, except registers, parameters and variables
	// in a frame.
	addresses map[*ptx.Var]uint64
	variables map[string]*ptx.Var // definitions of the module's variables, by name
	bodies    map[string]*ptx.Func
	functions []*ptx.Func // function i has the address functionAddress(i)
	indices   map[*ptx.Func]int
	codes     map[*ptx.Func]*code
	shared    int // bytes of static shared memory, and the address of dynamic shared memory
	local     int // bytes of the module's local variables
}

// Load places the module's variables: global ones in c.Memory. A function that the reference cannot
// execute is an error only for the kernels that call it.
func Load(m *ptx.Module, c Config) (*Program, error) {
	p := &Program{module: m, memory: c.Memory, approx: c.Approx, texture: c.Texture, print: c.Print,
		addresses: map[*ptx.Var]uint64{}, variables: map[string]*ptx.Var{},
		bodies: map[string]*ptx.Func{}, indices: map[*ptx.Func]int{}, codes: map[*ptx.Func]*code{}}
	if p.memory == nil {
		p.memory = &Memory{}
	}
	if p.approx == nil {
		p.approx = Accurate{}
	}
	vars := p.collect()
	if err := p.place(vars); err != nil {
		return nil, err
	}
	for _, v := range vars {
		if err := p.initialise(v); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// collect names the module's functions and returns all variables that last longer than a call.
func (p *Program) collect() (vars []*ptx.Var) {
	for _, item := range p.module.Items {
		switch item := item.(type) {
		case *ptx.Var:
			if item != nil {
				vars = append(vars, item)
				if item.Linkage != ptx.Extern || p.variables[item.Name] == nil {
					p.variables[item.Name] = item
				}
			}
		case *ptx.Alias:
			if item != nil && item.Of != nil && item.Of.Body != nil {
				p.bodies[item.Name] = item.Of
			}
		case *ptx.Func:
			if item != nil {
				p.addFunction(item)
				vars = append(vars, staticsOf(item)...)
			}
		}
	}
	return vars
}

func (p *Program) addFunction(f *ptx.Func) {
	if f.Body != nil {
		p.bodies[f.Name] = f
	}
	p.indices[f] = len(p.functions)
	p.functions = append(p.functions, f)
}

// staticsOf returns the variables that a function declares outside its frame.
func staticsOf(f *ptx.Func) (vars []*ptx.Var) {
	for _, s := range f.Body {
		d, ok := s.(*ptx.Decl)
		if !ok || d == nil {
			continue
		}
		for _, v := range d.Vars {
			if v != nil && (v.Space == ptx.Global || v.Space == ptx.Const || v.Space == ptx.Shared) {
				vars = append(vars, v)
			}
		}
	}
	return vars
}

// dynamic reports whether the launch gives the size of a shared array.
func dynamic(v *ptx.Var) bool {
	return v.Space == ptx.Shared && len(v.Dims) > 0 && v.Dims[0] == 0
}

// place gives the variables addresses. Externals of other modules get none.
func (p *Program) place(vars []*ptx.Var) error {
	var global, constant, shared, local area
	areas := map[ptx.Space]*area{ptx.Global: &global, ptx.Const: &constant, ptx.Shared: &shared,
		ptx.Local: &local, ptx.Tex: new(area)}
	for _, v := range vars {
		a := areas[v.Space]
		switch {
		case a == nil:
			return p.errorAt(Malformed, v.Pos, "variable %s in an unknown space", v.Name)
		case v.Linkage == ptx.Extern || dynamic(v):
			continue
		}
		offset, ok := a.place(v)
		if !ok {
			return p.errorAt(Unsupported, v.Pos, "size or alignment of variable %s", v.Name)
		}
		p.addresses[v] = uint64(offset)
	}
	if local.size > mostLocal {
		return p.errorAt(Unsupported, ptx.Pos{}, "%d bytes of local memory", local.size)
	}
	p.constant = make([]byte, constant.size)
	p.shared, p.local = roundUp(shared.size, 16), roundUp(local.size, frameAlign)
	if err := p.placeGlobals(vars, global.size); err != nil {
		return err
	}
	p.placeOthers(vars)
	return nil
}

// placeGlobals moves the global variables to where memory has room.
func (p *Program) placeGlobals(vars []*ptx.Var, size int) error {
	if size == 0 {
		return nil
	}
	const align = 1 << 16 // the greatest of a variable
	base, _, err := p.memory.Alloc(size + align)
	if err != nil {
		return p.errorAt(Unsupported, ptx.Pos{}, "%v", err)
	}
	base = (base + align - 1) &^ (align - 1)
	for _, v := range vars {
		if _, ok := p.addresses[v]; ok && v.Space == ptx.Global {
			p.addresses[v] += base
		}
	}
	return nil
}

// placeOthers places dynamic shared memory, and declarations where their definitions are.
func (p *Program) placeOthers(vars []*ptx.Var) {
	for _, v := range vars {
		d := p.variables[v.Name]
		switch {
		case dynamic(v):
			p.addresses[v] = uint64(p.shared)
		case v.Linkage == ptx.Extern && d != nil && d.Linkage != ptx.Extern && d.Space == v.Space:
			p.addresses[v] = p.addresses[d]
		}
	}
}

// initialise writes the initial content of a variable of global or constant memory.
func (p *Program) initialise(v *ptx.Var) error {
	address, placed := p.addresses[v]
	if v.Init == nil || !placed || v.Linkage == ptx.Extern {
		return nil
	}
	b := p.bytesOf(v, address)
	if len(v.Init.Bytes) > len(b) {
		return p.errorAt(Malformed, v.Pos, "initial content of %s is longer than the variable", v.Name)
	}
	copy(b, v.Init.Bytes)
	for _, r := range v.Init.Refs {
		if r.Offset < 0 || r.Bytes < 1 || r.Bytes > 8 || r.Offset > len(b)-r.Bytes {
			return p.errorAt(Malformed, v.Pos, "address outside of %s", v.Name)
		}
		a, err := p.refAddress(v, r)
		if err != nil {
			return err
		}
		word := b[r.Offset : r.Offset+r.Bytes]
		putLittle(word, little(word)+a)
	}
	return nil
}

func (p *Program) refAddress(v *ptx.Var, r ptx.Ref) (uint64, error) {
	var a uint64
	switch of := r.Of.(type) {
	case *ptx.Func:
		a = p.functionAddress(of)
	case *ptx.Var:
		offset, ok := p.addresses[of]
		if !ok {
			return 0, p.errorAt(Unsupported, v.Pos, "address of a variable that no one defines")
		}
		a = offset
		if r.Generic {
			base, _ := windowOf(of.Space)
			a += base
		}
	default:
		return 0, p.errorAt(Malformed, v.Pos, "address of what has none in %s", v.Name)
	}
	return (a + uint64(r.Addend)) >> uint(r.Shift&63), nil
}

// bytesOf returns the bytes of a variable of global or constant memory, nil for others.
func (p *Program) bytesOf(v *ptx.Var, address uint64) []byte {
	n, _ := sizeOf(v)
	switch v.Space {
	case ptx.Global:
		return p.memory.Bytes(address, n)
	case ptx.Const:
		return window(p.constant, address, n)
	}
	return nil
}

// Variable returns the address of a module's variable in its space and, for global and constant
// ones, the bytes there. Writing to them writes to memory. ok is false if there is none.
func (p *Program) Variable(name string) (address uint64, bytes []byte, ok bool) {
	v := p.variables[name]
	if v == nil {
		return 0, nil, false
	}
	address, ok = p.addresses[v]
	return address, p.bytesOf(v, address), ok
}

// Memory returns the global memory that the program runs in.
func (p *Program) Memory() *Memory { return p.memory }

// functionBase is the address of the first function.
const (
	functionBase = 0x40
	functionStep = 0x10
)

// functionAddress returns the address of a function, the same for a declaration and its definition.
func (p *Program) functionAddress(f *ptx.Func) uint64 {
	if f == nil {
		return 0
	}
	if d := p.bodies[f.Name]; d != nil {
		f = d
	}
	i, ok := p.indices[f]
	if !ok {
		return 0
	}
	return functionBase + functionStep*uint64(i)
}

// functionAt returns the function at an address, nil if there is none.
func (p *Program) functionAt(address uint64) *ptx.Func {
	i := (address - functionBase) / functionStep
	if address < functionBase || address%functionStep != 0 || i >= uint64(len(p.functions)) {
		return nil
	}
	return p.functions[i]
}
