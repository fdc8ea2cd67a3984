package ssabuild

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
	"jacquard/ptx/output"
	"jacquard/tesla"
)

// system builds a call of a function that CUDA's devices have without a definition. It reports false
// for any other function without a body.
func (b *builder) system(fn *ptx.Func, args, returns []ptx.Operand) bool {
	switch {
	case fn.Name == "vprintf" && len(args) == 2 && len(fn.Returns) <= 1:
		b.vprintf(fn, args, returns)
	case fn.Name == "__assertfail" && len(args) == 5 && len(fn.Returns) == 0:
		b.assertFail(fn, args)
	case fn.Name == "malloc" || fn.Name == "free":
		b.fail("%s is not supported: devices of this generation have no heap", fn.Name)
	default:
		return false
	}
	return true
}

// printCall is a call of vprintf. Its format is known when all values are: sizes come then.
type printCall struct {
	pos           ptx.Pos
	format        *ir.Value
	bytes, number *ir.Value // sums that take the bytes and the number of the arguments
}

// vprintf builds a call of vprintf.
func (b *builder) vprintf(fn *ptx.Func, args, returns []ptx.Operand) {
	buffer := b.output("printf")
	if buffer == nil {
		return
	}
	words := b.words(fn, args)
	p := printCall{b.pos, words[0][0], b.do(ir.Add, b.word(0), b.word(0)), b.do(ir.Add, b.word(0), b.word(0))}
	b.prints = append(b.prints, p)
	b.call("output_printf", []*ir.Value{buffer, b.word(0), words[0][0], words[1][0], words[1][1], p.bytes}, 0)
	b.receive(fn, [][]part{{{0, p.number}}}[:len(fn.Returns)], returns)
}

// assertFail builds a call of __assertfail(message, file, line, function, size of a character): a
// record, and the end of the launch.
func (b *builder) assertFail(fn *ptx.Func, args []ptx.Operand) {
	buffer := b.output("assert")
	if buffer == nil {
		return
	}
	w := b.words(fn, args)
	b.call("output_assert", []*ir.Value{buffer, b.word(0), w[0][0], w[1][0], w[3][0], w[2][0]}, 0)
	b.at.End, b.at = ir.Fault, nil
}

// output returns the address of the buffer for what kernels print.
func (b *builder) output(who string) *ir.Value {
	if b.target.Arch < tesla.SM11 || b.target.Output == nil {
		b.fail("%s needs atomic operations, which %s lacks", who, b.target.Arch)
		return nil
	}
	v := b.do(ir.Symbol)
	v.Sym, v.Space = b.target.Output, ptx.Global
	return v
}

// words returns the Words of arguments of at most 64 bits.
func (b *builder) words(fn *ptx.Func, args []ptx.Operand) [][2]*ir.Value {
	all := make([][2]*ir.Value, len(args))
	for i, a := range b.passed(fn, args) {
		all[i] = [2]*ir.Value{b.word(0), b.word(0)}
		if a.v == nil {
			copy(all[i][:], a.words)
			continue
		}
		for k := range min(size(fn.Params[i])/4, 2) {
			all[i][k] = b.get(b.paramVariable(a.v, uint64(4*k)))
		}
	}
	return all
}

// layoutPrints completes the calls of vprintf.
func (b *builder) layoutPrints() {
	for _, p := range b.prints {
		b.pos = p.pos
		bytes, number := -1, 0
		known := b.variables(p.format, map[*ir.Value]bool{}, func(v *ptx.Var, offset uint64) bool {
			text, ok := initialText(v, offset)
			sizes := output.Sizes(text, b.m.AddressBits/8)
			n := align(output.Bytes(sizes), 4)
			same := bytes < 0 || bytes == n && number == len(sizes)
			bytes, number = n, len(sizes)
			return ok && same
		})
		if !known || bytes < 0 {
			b.fail("printf is supported for formats that the module contains, one at each call")
			continue
		}
		p.bytes.SetArg(1, b.word(uint32(bytes)))
		p.number.SetArg(1, b.word(uint32(number)))
	}
}

// variables calls do for every variable whose address the value may be. It reports false if do
// reports false or if the value may be no address of a variable.
func (b *builder) variables(v *ir.Value, seen map[*ir.Value]bool, do func(v *ptx.Var, offset uint64) bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	switch v.Op {
	case ir.Symbol:
		return v.Sym != nil && do(v.Sym, v.Imm)
	case ir.Generic, ir.Copy:
		return b.variables(v.Args[0], seen, do)
	case ir.Load:
		kept := b.kept[v]
		return kept != nil && b.variables(kept, seen, do)
	case ir.Phi, ir.Select:
		args := v.Args
		if v.Op == ir.Select {
			args = args[1:]
		}
		for _, a := range args {
			if !b.variables(a, seen, do) {
				return false
			}
		}
		return true
	}
	return false
}

// initialText returns the string in the initial content of a variable.
func initialText(v *ptx.Var, offset uint64) (string, bool) {
	if v.Space != ptx.Global && v.Space != ptx.Const || v.Init == nil || offset > uint64(len(v.Init.Bytes)) {
		return "", false
	}
	return output.Text(v.Init.Bytes[offset:]), true
}
