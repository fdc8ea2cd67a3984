package tesla

import "fmt"

var specialNames = [...]string{"$physid", "$clock", "$sr2", "$vstride", "$pm0", "$pm1", "$pm2", "$pm3"}

// String returns the operand as it prints within an instruction, a memory operand
// with its access type.
func (o Operand) String() string { return o.text(true) }

func (o *Operand) text(typed bool) string {
	switch o.Kind {
	case None:
		return ""
	case Reg:
		return fmt.Sprintf("$r%d", o.Index)
	case Half:
		return fmt.Sprintf("$r%d%c", o.Index/2, "lh"[o.Index&1])
	case Pair:
		return fmt.Sprintf("$r%dd", o.Index)
	case Quadruple:
		return fmt.Sprintf("$r%dq", o.Index)
	case Discard:
		return "#"
	case CondReg:
		return fmt.Sprintf("$c%d", o.Index)
	case AddrReg:
		return addrText(o.Index)
	case Imm:
		return fmt.Sprintf("0x%x", o.Value)
	case Shared:
		if typed {
			return o.Type.String() + " s" + o.address()
		}
		return "s" + o.address()
	case Const:
		return fmt.Sprintf("c%d", o.Index) + o.address()
	case Local:
		return "l" + o.address()
	case Output:
		return "o" + o.address()
	case Global:
		return fmt.Sprintf("g%d[$r%d]", o.Index, o.Value)
	case Special:
		if int(o.Index) < len(specialNames) {
			return specialNames[o.Index]
		}
		return fmt.Sprintf("$sr%d", o.Index)
	default:
		return "???"
	}
}

// addrText prints $a0, which always reads 0, as 0.
func addrText(a uint8) string {
	if a == 0 {
		return "0x0"
	}
	return fmt.Sprintf("$a%d", a)
}

// address prints base and offset in brackets; a step is sign extended to 64 bits.
func (o *Operand) address() string {
	switch {
	case o.Post:
		return fmt.Sprintf("[%s++0x%x]", addrText(o.Base), uint64(int64(int32(o.Value))))
	case o.Base == 0:
		return fmt.Sprintf("[0x%x]", o.Value)
	case o.Value == 0:
		return fmt.Sprintf("[$a%d]", o.Base)
	}
	return fmt.Sprintf("[$a%d+0x%x]", o.Base, o.Value)
}
