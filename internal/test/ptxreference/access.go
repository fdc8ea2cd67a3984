package ptxreference

import "jacquard/ptx"

// place is a bound address operand.
type place struct {
	source
	space  ptx.Space
	offset uint64
	mask   uint64 // of an address
}

func (p *place) address(t *thread) uint64 { return (p.get(t) + p.offset) & p.mask }

// place binds operand i as an address in the instruction's space.
func (b *binder) place(i int) place {
	o := b.arg(i)
	p := place{space: b.in.Space, mask: ones(64)}
	if b.p.module.AddressBits == 32 {
		p.mask = ones(32)
	}
	switch {
	case o.Kind != ptx.Address:
		b.fail(Malformed, "operand that is no address")
	case o.Var == nil:
		p.offset = o.Value
	case o.Var.Space == ptx.Reg:
		p.source = source{slot: b.register(o), mask: ones(64)}
		p.offset = o.Value
	default:
		p.source = b.address(o)
		p.ofVariable(o.Var)
	}
	p.inFrame(b)
	if _, ok := windowOf(p.space); !ok && p.space != ptx.Generic {
		b.fail(Unsupported, "state space")
	}
	return p
}

// ofVariable gives a generic access to a variable by name the variable's space.
func (p *place) ofVariable(v *ptx.Var) {
	if p.space == ptx.Generic {
		p.space = v.Space
	}
}

// inFrame sends the parameters of functions and of calls to the frame in local memory.
func (p *place) inFrame(b *binder) {
	if p.space != ptx.Param {
		return
	}
	if o := b.in.Args; !b.fn.Entry {
		p.space = ptx.Local
	} else if i := addressOf(o); i >= 0 && o[i].Var != nil {
		if _, ok := b.frame[o[i].Var]; ok {
			p.space = ptx.Local
		}
	}
}

func addressOf(args []ptx.Operand) int {
	for i := range args {
		if args[i].Kind == ptx.Address {
			return i
		}
	}
	return -1
}

// load binds ld and ldu.
func (b *binder) load() step {
	t, n := b.in.Type, width(b.in.Type)/8
	p, d := b.place(1), b.sinks(b.vector(0))
	if n == 0 {
		b.fail(Unsupported, "type of the access")
	}
	return func(th *thread) error {
		m, err := th.bytes(p.space, p.address(th), n*len(d), false)
		if err != nil {
			return err
		}
		for i := range d {
			d[i].put(th, extend(little(m[i*n:(i+1)*n]), t))
		}
		return nil
	}
}

// store binds st.
func (b *binder) store() step {
	n := width(b.in.Type) / 8
	p, s := b.place(0), b.sources(b.vector(1), b.in.Type)
	if n == 0 {
		b.fail(Unsupported, "type of the access")
	}
	return func(th *thread) error {
		m, err := th.bytes(p.space, p.address(th), n*len(s), true)
		if err != nil {
			return err
		}
		for i := range s {
			putLittle(m[i*n:(i+1)*n], s[i].get(th))
		}
		return nil
	}
}

// vector returns the registers of an access, as many as the instruction says.
func (b *binder) vector(i int) []ptx.Operand {
	list := b.list(i)
	if want := max(b.in.Vector, 1); len(list) != want || want > 8 {
		b.fail(Malformed, "vector of %d elements instead of %d", len(list), want)
		return nil
	}
	return list
}
