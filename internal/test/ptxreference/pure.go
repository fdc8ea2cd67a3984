package ptxreference

import "jacquard/ptx"

// function computes a result from the bits of up to four operands, each as wide as its type. The
// bits of the result beyond its type's width are ignored.
type function func(a, b, c, d uint64) uint64

// operation is an instruction whose result depends on its operands alone.
type operation struct {
	result ptx.Type
	args   []ptx.Type
	f      function
}

func unary(t ptx.Type, f func(a uint64) uint64) operation {
	return operation{t, []ptx.Type{t}, func(a, _, _, _ uint64) uint64 { return f(a) }}
}

func binary(t ptx.Type, f func(a, b uint64) uint64) operation {
	return operation{t, []ptx.Type{t, t}, func(a, b, _, _ uint64) uint64 { return f(a, b) }}
}

func ternary(t ptx.Type, f func(a, b, c uint64) uint64) operation {
	return operation{t, []ptx.Type{t, t, t}, func(a, b, c, _ uint64) uint64 { return f(a, b, c) }}
}

// compute binds an operation whose result is operand 0.
func (b *binder) compute(op operation) step {
	if op.f == nil {
		b.fail(Unsupported, "%v with this type or these modifiers", b.in.Op)
	}
	if b.err != nil {
		return nil
	}
	d, f, t := b.sink(0), op.f, op.result
	var s [4]source
	for i := range op.args {
		s[i] = b.source(i+1, op.args[i])
	}
	b.operands(1 + len(op.args))
	switch len(op.args) {
	case 1:
		return func(th *thread) error {
			d.put(th, extend(f(s[0].get(th), 0, 0, 0), t))
			return nil
		}
	case 2:
		return func(th *thread) error {
			d.put(th, extend(f(s[0].get(th), s[1].get(th), 0, 0), t))
			return nil
		}
	}
	return func(th *thread) error {
		d.put(th, extend(f(s[0].get(th), s[1].get(th), s[2].get(th), s[3].get(th)), t))
		return nil
	}
}

// operands checks the number of operands.
func (b *binder) operands(n int) {
	if len(b.in.Args) != n {
		b.fail(Malformed, "%d operands instead of %d", len(b.in.Args), n)
	}
}

func truth(x bool) uint64 {
	if x {
		return 1
	}
	return 0
}
