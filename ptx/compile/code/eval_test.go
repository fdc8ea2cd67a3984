package code_test

import (
	"fmt"

	"jacquard/ptx/compile/code"
	"jacquard/tesla"
)

// thread evaluates a function with virtual registers for one thread: the reference of the tests.
// It knows the operations that the tests use.
type thread struct {
	f      *code.Func
	words  []uint32 // by Reg: the Word, the flags of a Cond, or an Addr
	shared []uint32 // words of s[]
	memory map[uint32]uint32
	steps  int
}

const maxSteps = 100_000

// run evaluates from the entry to the end of the kernel.
func (t *thread) run() error {
	b := t.f.Blocks[0]
	for {
		for i := 0; i < len(b.Code); {
			n := b.Code[i].Parallel
			var writes []func()
			for first := true; i < len(b.Code) && (first || n != 0 && b.Code[i].Parallel == n); i++ {
				w, err := t.step(&b.Code[i])
				if err != nil {
					return err
				}
				writes = append(writes, w)
				first = false
			}
			for _, w := range writes {
				w()
			}
		}
		if t.steps++; t.steps > maxSteps {
			return fmt.Errorf("the thread does not end")
		}
		switch b.End.Kind {
		case code.Jump:
			b = b.End.To[0]
		case code.Branch:
			if t.holds(b.End.Guard) {
				b = b.End.To[0]
			} else {
				b = b.End.To[1]
			}
		case code.Exit:
			return nil
		default:
			return fmt.Errorf("trap")
		}
	}
}

// holds evaluates a guard after an integer comparison.
func (t *thread) holds(g code.Guard) bool {
	if g.Reg == 0 || g.Cond == tesla.CondAlways {
		return true
	}
	f := t.words[g.Reg]
	z, s := f&1 != 0, f&2 != 0
	o := f&8 != 0
	switch g.Cond {
	case tesla.CondE:
		return z && !s
	case tesla.CondLG:
		return !z
	case tesla.CondLGU:
		return !z || s
	case tesla.CondEU:
		return z
	case tesla.CondL:
		return s && !z != o
	case tesla.CondGEU:
		return (!s || z) != o
	}
	panic("unknown condition")
}

// step evaluates an instruction and returns what writes its results.
func (t *thread) step(in *code.Instr) (func(), error) {
	if !t.holds(in.Guard) {
		return func() {}, nil
	}
	var d [4]uint32
	flags, n := uint32(0), 1
	a, b := t.source(in, 0), t.source(in, 1)
	bits := uint(32)
	switch in.In.Op {
	case tesla.OpBar:
		return func() {}, nil
	case tesla.OpMov, tesla.OpLdConst, tesla.OpMovFromAddr, tesla.OpMovFromCond, tesla.OpMovToCond:
		d[0], flags = a, a&15
	case tesla.OpIAdd:
		d[0], flags = add(a, b, in.In.Arith, t.words[in.CarryIn]>>2&1)
	case tesla.OpLogic:
		if in.In.Type == tesla.B16 {
			bits = 16
		}
		switch in.In.Logic {
		case tesla.And:
			d[0] = a & b
		case tesla.Or:
			d[0] = a | b
		case tesla.Xor:
			d[0] = a ^ b
		}
		flags = signs(d[0])
	case tesla.OpShl:
		d[0] = a << b
		flags = signs(d[0])
	case tesla.OpShr:
		d[0] = a >> b
		flags = signs(d[0])
	case tesla.OpIMul:
		d[0] = a & 0xffff * (b & 0xffff)
	case tesla.OpIMad:
		d[0] = a&0xffffff*(b&0xffffff) + t.source(in, 2)
	case tesla.OpISet:
		flags = 1
		less := int32(a) < int32(b)
		if in.In.Type == tesla.U32 {
			less = a < b
		}
		if less && in.In.Cmp&tesla.Less != 0 || a == b && in.In.Cmp&tesla.Equal != 0 ||
			!less && a != b && in.In.Cmp&tesla.Greater != 0 {
			d[0], flags = ^uint32(0), 2
		}
	case tesla.OpShlToAddr:
		d[0] = a << b & 0xffff
	case tesla.OpLdGlobal:
		n = in.In.Type.Bytes() / 4
		at := t.words[in.Src[0].Regs[0]]
		for k := range n {
			d[k] = t.memory[at+uint32(4*k)]
		}
	case tesla.OpStGlobal:
		at, data := t.words[in.Src[0].Regs[0]], [4]uint32{}
		for k := range in.In.Type.Bytes() / 4 {
			data[k] = t.words[in.Src[1].Regs[k]]
		}
		return func() {
			for k := range in.In.Type.Bytes() / 4 {
				t.memory[at+uint32(4*k)] = data[k]
			}
		}, nil
	default:
		return nil, fmt.Errorf("the evaluator lacks %s", in.In.Op)
	}
	return func() { t.write(in, d, flags, bits) }, nil
}

func (t *thread) write(in *code.Instr, d [4]uint32, flags uint32, bits uint) {
	for k, r := range in.Dst.Regs {
		if r == 0 {
			continue
		}
		if bits == 16 {
			old := t.words[r]
			if in.Dst.High {
				t.words[r] = old&0xffff | d[0]<<16
			} else {
				t.words[r] = old&^0xffff | d[0]&0xffff
			}
			continue
		}
		t.words[r] = d[k]
	}
	if in.CDst != 0 {
		t.words[in.CDst] = flags
	}
}

func signs(d uint32) uint32 {
	f := d >> 31 << 1
	if d == 0 {
		f |= 1
	}
	return f
}

// add is the adder of the machine.
func add(a, b uint32, how tesla.Arith, carry uint32) (d, flags uint32) {
	k := uint32(0)
	switch how {
	case tesla.Sub:
		b, k = ^b, 1
	case tesla.SubR:
		a, k = ^a, 1
	case tesla.AddC:
		k = carry
	}
	sum := uint64(a) + uint64(b) + uint64(k)
	d = uint32(sum)
	flags = signs(d) | uint32(sum>>32)<<2
	if a>>31 == b>>31 && d>>31 != a>>31 {
		flags |= 8
	}
	return d, flags
}

// source returns the value of a source.
func (t *thread) source(in *code.Instr, k int) uint32 {
	o, v := &in.In.Src[k], &in.Src[k]
	switch o.Kind {
	case tesla.Reg, tesla.AddrReg, tesla.CondReg:
		return t.words[v.Regs[0]]
	case tesla.Half:
		if v.High {
			return t.words[v.Regs[0]] >> 16
		}
		return t.words[v.Regs[0]] & 0xffff
	case tesla.Imm:
		return o.Value
	case tesla.Const:
		return t.f.Literals[(t.words[v.Base]+o.Value)/4]
	case tesla.Shared:
		return t.shared[(t.words[v.Base]+o.Value)/4]
	}
	return 0
}
