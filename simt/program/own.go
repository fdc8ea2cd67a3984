package program

import "jacquard/tesla"

// linear is the value of a register if blocks have one dimension: base + plus + step * tid.x,
// modulo 2^32. All threads of a block have one base, at any time.
type linear struct {
	known      bool
	base       int32 // 1 + index of the Op that computes it, 0 if there is none
	plus, step uint32
}

// newBase is a base that the present Op computes.
const newBase = -1

// thread is tid.x: $r0 at entry.
var thread = linear{known: true, step: 1}

// common reports whether all threads of a block have the value.
func (v linear) common() bool { return v.known && v.step == 0 }

// lines finds the linear values of registers, in code to which no other way leads.
type lines struct {
	p      *Program
	least  uint32   // the lowest offset of a store to shared memory: words below do not change
	values []linear // by register
}

// span is the range that a thread accesses by some parameters: bytes from and to distances from an
// address.
type span struct {
	address  linear
	from, to int64
	apart    bool // every address is the first and a constant
}

// add adds an access.
func (s *span) add(address linear, bytes int) {
	at := int64(int32(address.plus - s.address.plus))
	s.from, s.to = min(s.from, at), max(s.to, at+int64(bytes))
	address.plus = s.address.plus
	s.apart = s.apart && address == s.address
}

// own reports whether no thread of a block has bytes of another. The steps of all stay below 2^31.
func (s *span) own() bool {
	const most = 1 << 22
	step := int64(int32(s.address.step))
	step = max(step, -step)
	return s.apart && s.address.known && s.to-s.from <= step && step <= most
}

// ownWords returns the parameters through which each thread accesses its own words alone, in
// blocks of one dimension. It returns none if some address is unknown.
func ownWords(spans map[reads]*span) (own reads) {
	var once, shared reads
	for set, s := range spans {
		if set&readsGlobal != 0 {
			return 0
		}
		if shared |= once & set; !s.own() {
			shared |= set
		}
		once |= set
	}
	return once &^ shared
}

// write gives the registers that u writes their values.
func (l *lines) write(u *Op) {
	v := l.result(u)
	if u.partial() || u.Ins.Dst.Kind != tesla.Reg {
		v = linear{}
	}
	if v.base == newBase {
		v.base = u.At + 1
	}
	for r := range u.Ins.Defs().General() {
		if r < len(l.values) {
			l.values[r] = v
		}
	}
}

// result returns the value of what u computes.
func (l *lines) result(u *Op) (v linear) {
	if u.CIn != NoCond || u.Ins.Mods&tesla.Sat != 0 || u.Src[0].Mode == SrcNone {
		return v
	}
	a, b, c := l.source(&u.Src[0]), l.source(&u.Src[1]), l.source(&u.Src[2])
	whole := u.Width == 32
	switch u.Ins.Op {
	case tesla.OpMov:
		if whole {
			return a
		}
	case tesla.OpIAdd:
		if whole {
			return a.add(b, u.Arith)
		}
	case tesla.OpIMad:
		if a.common() && b.common() {
			return linear{known: true, base: newBase}.add(c, u.Arith)
		}
	case tesla.OpShl:
		if whole && b.common() && b.base == 0 && b.plus < 32 {
			return a.shift(b.plus)
		}
	case tesla.OpCvt:
		if x := &u.Ins.Src[0]; a == thread && widens(u.Ins) && !x.Neg && !x.Abs {
			return thread
		}
	case tesla.OpLogic: // tid.x is below tesla.MaxThreads
		if whole && u.Ins.Logic == tesla.And && a == thread && b.common() && b.base == 0 && b.plus%tesla.MaxThreads == tesla.MaxThreads-1 {
			return thread
		}
	case tesla.OpShr, tesla.OpIMul:
	default:
		return v
	}
	if a.common() && b.common() && c.common() {
		return linear{known: true, base: newBase}
	}
	return v
}

// widens reports whether a conversion leaves small numbers as they are.
func widens(in *tesla.Instruction) bool {
	switch in.From {
	case tesla.U16, tesla.S16, tesla.U32, tesla.S32:
		return in.Type == tesla.U32 || in.Type == tesla.S32
	}
	return false
}

// source returns the value of a source, 0 for none.
func (l *lines) source(x *Source) linear {
	switch x.Mode {
	case SrcNone:
		return linear{known: true}
	case SrcReg, SrcLow, SrcHigh:
		if int(x.Index) >= len(l.values) {
			break
		}
		v := l.values[x.Index]
		if x.Fix == 0 && (x.Mode == SrcReg || x.Mode == SrcLow && v == thread) {
			return v
		}
		return linear{known: v.common(), base: newBase}
	case SrcRow:
		if row := &l.p.Rows[x.Index]; row.Bank < 0 {
			return linear{known: true, plus: row.Value(nil)}
		}
		return linear{known: true, base: newBase}
	case SrcShared:
		return linear{known: x.Offset|3 < l.least, base: newBase}
	}
	return linear{}
}

// add returns the sum or the difference of two values.
func (v linear) add(w linear, how tesla.Arith) linear {
	switch how {
	case tesla.Add:
	case tesla.Sub:
		w = w.negate()
	case tesla.SubR:
		v = v.negate()
	default:
		return linear{}
	}
	base := v.base | w.base
	if v.base != 0 && w.base != 0 {
		base = newBase
	}
	return linear{v.known && w.known, base, v.plus + w.plus, v.step + w.step}
}

func (v linear) negate() linear {
	if v.base != 0 {
		v.base = newBase
	}
	return linear{v.known, v.base, -v.plus, -v.step}
}

// shift returns the value, shifted left by n bits.
func (v linear) shift(n uint32) linear {
	if v.base != 0 && n != 0 {
		v.base = newBase
	}
	return linear{v.known, v.base, v.plus << n, v.step << n}
}
