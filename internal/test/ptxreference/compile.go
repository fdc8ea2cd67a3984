package ptxreference

import "jacquard/ptx"

// step executes an instruction for one thread.
type step func(t *thread) error

// instr is an instruction made ready.
type instr struct {
	pos     ptx.Pos
	guard   source // read only if guarded is set
	when    uint64 // the value of guard that lets the instruction execute
	run     step
	guarded bool
}

// code is a function made ready.
type code struct {
	fn     *ptx.Func
	index  int // among the functions made ready
	instrs []instr
	regs   int // words of registers
	frame  int // bytes of local memory, parameters of calls included
	params []formal
	result []formal
	calls  []*ptx.Func // called by name
	err    error       // why the function cannot run
}

// formal is where a function finds a parameter or leaves a result: in a register, or in its frame.
type formal struct {
	slot, offset, size int // slot is -1 for variables in the frame
	count              int // elements of a vector in registers
	mask               uint64
}

// compiler makes one function ready.
type compiler struct {
	p      *Program
	code   *code
	fn     *ptx.Func
	slots  map[*ptx.Var]int    // registers: the first word
	frame  map[*ptx.Var]uint64 // variables in the frame
	kernel map[*ptx.Var]uint64 // parameters of a kernel
	labels map[*ptx.Label]int
	area   area // of the frame
}

// codeOf returns a function made ready; its err says if it cannot run.
func (p *Program) codeOf(f *ptx.Func) *code {
	if d := p.bodies[f.Name]; d != nil {
		f = d
	}
	if k := p.codes[f]; k != nil {
		return k
	}
	c := &compiler{p: p, fn: f, code: &code{fn: f, index: len(p.codes)}, slots: map[*ptx.Var]int{},
		frame: map[*ptx.Var]uint64{}, kernel: map[*ptx.Var]uint64{}, labels: map[*ptx.Label]int{}}
	p.codes[f] = c.code
	c.code.err = c.compile()
	return c.code
}

func (c *compiler) compile() error {
	if c.fn.Body == nil {
		return c.p.errorAt(Unsupported, c.fn.Pos, "function %s of another module", c.fn.Name)
	}
	if err := c.formals(); err != nil {
		return err
	}
	if err := c.declare(); err != nil {
		return err
	}
	for _, s := range c.fn.Body {
		if in, ok := s.(*ptx.Instr); ok {
			made, err := c.instr(in)
			if err != nil {
				return err
			}
			c.code.instrs = append(c.code.instrs, made)
		}
	}
	if c.code.regs > mostRegs || c.area.size > mostLocal {
		return c.unsupported(c.fn.Pos, "registers or local memory of %s", c.fn.Name)
	}
	c.code.instrs = append(c.code.instrs, instr{pos: c.fn.Pos, run: (*thread).ret})
	c.code.frame = roundUp(c.area.size, frameAlign)
	return nil
}

// formals places the parameters and results.
func (c *compiler) formals() (err error) {
	if c.fn.Entry {
		var a area
		for _, v := range c.fn.Params {
			if v == nil {
				return c.malformed(c.fn.Pos, "missing parameter")
			}
			offset, ok := a.place(v)
			if !ok {
				return c.unsupported(v.Pos, "size or alignment of parameter %s", v.Name)
			}
			c.kernel[v] = uint64(offset)
		}
		return nil
	}
	if c.code.params, err = c.formalsOf(c.fn.Params); err != nil {
		return err
	}
	c.code.result, err = c.formalsOf(c.fn.Returns)
	return err
}

func (c *compiler) formalsOf(vars []*ptx.Var) (list []formal, err error) {
	for _, v := range vars {
		if v == nil {
			return nil, c.malformed(c.fn.Pos, "missing parameter")
		}
		size, _ := sizeOf(v)
		f := formal{slot: -1, size: size, count: max(v.Vector, 1), mask: ones(width(v.Type))}
		if v.Space == ptx.Reg {
			f.slot, err = c.slot(v, v.Pos)
		} else {
			err = c.inFrame(v)
			f.offset = int(c.frame[v])
		}
		if err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}

func (c *compiler) inFrame(v *ptx.Var) error {
	offset, ok := c.area.place(v)
	if !ok {
		return c.unsupported(v.Pos, "size or alignment of %s", v.Name)
	}
	c.frame[v] = uint64(offset)
	return nil
}

// declare finds the labels and places the variables of the frame.
func (c *compiler) declare() error {
	n := 0
	for _, s := range c.fn.Body {
		switch s := s.(type) {
		case *ptx.Instr:
			if s == nil {
				return c.malformed(c.fn.Pos, "missing instruction")
			}
			n++
		case *ptx.Label:
			c.labels[s] = n
		case *ptx.Decl:
			if s == nil {
				return c.malformed(c.fn.Pos, "missing declaration")
			}
			for _, v := range s.Vars {
				if v == nil || v.Space != ptx.Local && v.Space != ptx.Param {
					continue
				}
				if err := c.inFrame(v); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// slot returns the first word of a register. Registers that no one names take no room.
func (c *compiler) slot(v *ptx.Var, pos ptx.Pos) (int, error) {
	switch n, ok := c.slots[v]; {
	case ok:
		return n, nil
	case v == nil || v.Space != ptx.Reg:
		return 0, c.malformed(pos, "operand that is no register")
	case width(v.Type) == 0:
		return 0, c.unsupported(pos, "type of register %s", v.Name)
	}
	n := c.code.regs
	c.slots[v] = n
	c.code.regs += min(max(v.Vector, 1), 4)
	return n, nil
}

func (c *compiler) instr(in *ptx.Instr) (instr, error) {
	made := instr{pos: in.Pos}
	if in.Guard.Pred != nil {
		n, err := c.slot(in.Guard.Pred, in.Pos)
		if err != nil {
			return made, err
		}
		made.guarded, made.when = true, 1
		made.guard = source{slot: n, mask: 1}
		if in.Guard.Not {
			made.when = 0
		}
	}
	b := &binder{compiler: c, in: c.p.demote(in)}
	made.run = b.bind()
	return made, b.err
}

func (c *compiler) malformed(pos ptx.Pos, format string, args ...any) error {
	return c.p.errorAt(Malformed, pos, format, args...)
}

func (c *compiler) unsupported(pos ptx.Pos, format string, args ...any) error {
	return c.p.errorAt(Unsupported, pos, format, args...)
}

// flushes reports whether subnormal f32 operands and results of an instruction are zeros: always on
// sm_1x, with .ftz on others.
func (p *Program) flushes(in *ptx.Instr) bool {
	return p.module.Target.Arch < 20 || in.Mods&ptx.Ftz != 0
}

// keepsNaN reports whether .sat leaves a NaN of f32, as machines of sm_1x do. Elsewhere it becomes 0.
func (b *binder) keepsNaN() bool {
	return b.p.module.Target.Arch < 20 && b.in.Type == ptx.F32 && b.in.From != ptx.F64
}
