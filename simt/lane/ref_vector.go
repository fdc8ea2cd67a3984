package lane

import "fmt"

// RefInt evaluates one row of a golden vector file of integer operations: the operation
// and modifiers in the file's words, operands before modifiers, cc the source flags.
// An operation or modifier it does not know is an error.
func RefInt(op string, mods []string, a, b, c uint32, cc uint8) (r uint32, flags uint8, err error) {
	m, err := parseMods(op, mods)
	if err != nil {
		return 0, 0, err
	}
	carry := cc&BitC != 0
	switch op {
	case "add":
		r, flags = RefAdd(SumAdd, a, b, m.width, carry, m.sat)
	case "sub":
		r, flags = RefAdd(SumSub, a, b, m.width, carry, m.sat)
	case "subr":
		r, flags = RefAdd(SumSubR, a, b, m.width, carry, m.sat)
	case "addc":
		r, flags = RefAdd(SumCarry, a, b, m.width, carry, m.sat)
	case "mad":
		r, flags = RefMad(m.product(), SumAdd, a, b, c, carry, m.sat)
	case "msub":
		r, flags = RefMad(m.product(), SumSub, a, b, c, carry, m.sat)
	case "msubr":
		r, flags = RefMad(m.product(), SumSubR, a, b, c, carry, m.sat)
	case "madc":
		r, flags = RefMad(m.product(), SumCarry, a, b, c, carry, m.sat)
	case "mul":
		if m.width == 16 {
			r, flags = RefMul16(a, b, m.signed, m.signed2)
		} else {
			r, flags = RefMul(m.product(), a, b)
		}
	case "sad":
		r, flags = RefSad(a, b, c, m.width, m.signed)
	case "shl":
		r, flags = RefShl(a, b, m.width)
	case "shr":
		r, flags = RefShr(a, b, m.width, m.signed)
	case "set":
		r, flags = RefSet(a, b, m.cmp, m.width, m.signed)
	case "min":
		r, flags = RefMin(a, b, m.width, m.signed)
	case "max":
		r, flags = RefMax(a, b, m.width, m.signed)
	case "and":
		r, flags = RefResult((a^m.not1)&(b^m.not2), m.width, 0)
	case "or":
		r, flags = RefResult((a^m.not1)|(b^m.not2), m.width, 0)
	case "xor":
		r, flags = RefResult(a^m.not1^b^m.not2, m.width, 0)
	case "mov2":
		r, flags = RefResult(b^m.not2, m.width, 0)
	default:
		return 0, 0, fmt.Errorf("unknown integer operation %q", op)
	}
	return r, flags, nil
}

// RefAtomic performs one row of a golden vector file of global atomics: typ is the
// type in the file's words, old the memory before. It returns the memory after; the
// instruction's own result is old.
func RefAtomic(op, typ string, old, a, b uint64) (mem uint64, err error) {
	switch op {
	case "atom.exch":
		return a, nil
	case "atom.cas":
		if old == a {
			return b, nil
		}
		return old, nil
	case "atom.add":
		if typ == "u64" {
			return old + a, nil
		}
		return uint64(uint32(old + a)), nil
	}
	r, err := refAtomic32(op, typ == "s32", uint32(old), uint32(a))
	return uint64(r), err
}

func refAtomic32(op string, signed bool, old, a uint32) (uint32, error) {
	switch op {
	case "atom.inc":
		if old+1 > a { // the sum wraps first
			return 0, nil
		}
		return old + 1, nil
	case "atom.dec":
		if old-1 > a {
			return a, nil
		}
		return old - 1, nil
	case "atom.max":
		r, _ := RefMax(old, a, 32, signed)
		return r, nil
	case "atom.min":
		r, _ := RefMin(old, a, 32, signed)
		return r, nil
	case "atom.and":
		return old & a, nil
	case "atom.or":
		return old | a, nil
	case "atom.xor":
		return old ^ a, nil
	}
	return 0, fmt.Errorf("unknown atomic operation %q", op)
}

// vectorMods is what the modifier words of a row say.
type vectorMods struct {
	width           int // 16, 24 or 32
	signed, signed2 bool
	sat, high       bool
	not1, not2      uint32 // all ones for a complement
	cmp             uint8
}

func parseMods(op string, mods []string) (m vectorMods, err error) {
	for i, s := range mods {
		switch s {
		case "b16", "u16", "s16", "u24", "s24", "b32", "u32", "s32":
			m.width = int(s[1]-'0')*10 + int(s[2]-'0')
			m.signed2 = s[0] == 's'
			if i == 0 {
				m.signed = m.signed2
			}
		case "sat":
			m.sat = true
		case "high":
			m.high = true
		case "not1":
			m.not1 = ones
		case "not2":
			m.not2 = ones
		case "shcnt": // where the count came from changes nothing
		default:
			cmp, ok := comparisons[s]
			if !ok {
				return m, fmt.Errorf("%s: unknown modifier %q", op, s)
			}
			m.cmp = cmp
		}
	}
	multiplies := op == "mul" || op == "mad" || op == "msub" || op == "msubr" || op == "madc"
	if m.width == 0 || multiplies && m.width == 32 || !multiplies && m.width == 24 {
		return m, fmt.Errorf("%s: no fitting type among the modifiers %q", op, mods)
	}
	return m, nil
}

var comparisons = map[string]uint8{
	"never": 0, "l": 1, "e": 2, "le": 3, "g": 4, "lg": 5, "ge": 6, "always": 7,
}

func (m vectorMods) product() Product {
	switch {
	case m.width == 16 && !m.signed:
		return ProductU16
	case m.width == 16:
		return ProductS16
	case m.high && !m.signed:
		return ProductU24Hi
	case m.high:
		return ProductS24Hi
	case !m.signed:
		return ProductU24
	}
	return ProductS24
}
