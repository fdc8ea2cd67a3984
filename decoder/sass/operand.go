package sass

import (
	"fmt"

	"jacquard/tesla"
)

// operand returns an operand of in with its sign, complement and absolute value.
func operand(in *tesla.Instruction, o *tesla.Operand) string {
	text := place(in, o)
	if o.Abs {
		text = "|" + text + "|"
	}
	if o.Not {
		text = "~" + text
	}
	if o.Neg {
		text = "-" + text
	}
	return text
}

// place returns the place of an operand.
func place(in *tesla.Instruction, o *tesla.Operand) string {
	switch o.Kind {
	case tesla.Reg, tesla.Pair, tesla.Quadruple: // the operation gives the number of registers
		return fmt.Sprintf("R%d", o.Index)
	case tesla.Half:
		return fmt.Sprintf("R%d%c", o.Index/2, "LH"[o.Index&1])
	case tesla.Discard:
		return "o [0x7f]"
	case tesla.CondReg:
		return fmt.Sprintf("C%d", o.Index)
	case tesla.AddrReg:
		return fmt.Sprintf("A%d", o.Index)
	case tesla.Imm:
		return number(in, o.Value)
	case tesla.Shared:
		text := "g [" + offset(o) + "]"
		// The names of these operations include the type.
		if in.Op.Class() != tesla.ClassShared {
			text += accesses[o.Type]
		}
		return text
	case tesla.Const:
		return fmt.Sprintf("c [0x%x] [%s]", o.Index, offset(o))
	case tesla.Local:
		return "local [" + offset(o) + "]"
	case tesla.Output:
		return "o [" + offset(o) + "]"
	case tesla.Global:
		return fmt.Sprintf("global%d [R%d]", o.Index, o.Value)
	case tesla.Special:
		if int(o.Index) < len(specials) {
			return specials[o.Index]
		}
		return fmt.Sprintf("SR%d", o.Index)
	}
	return "???"
}

// accesses are the suffixes of an operand in shared memory; 32 bits have none.
var accesses = map[tesla.Type]string{tesla.U8: ".U8", tesla.S8: ".S8", tesla.U16: ".U16", tesla.S16: ".S16", tesla.B64: ".U64", tesla.F64: ".F64"}

// specials are the special registers by number.
var specials = [...]string{"SR_PhysID", "SR_Clock", "SR2", "SR_VStride", "SR_PM0", "SR_PM1", "SR_PM2", "SR_PM3"}

// number returns an immediate: the whole number, even if the operation uses only a part of it.
// Floats are signed integers.
func number(in *tesla.Instruction, value uint32) string {
	if immediate(in) {
		value = in.Raw[0]>>16&0x3f | in.Raw[1]>>2<<6
		if in.Type == tesla.F32 && int32(value) < 0 {
			return fmt.Sprintf("-0x%x", -value)
		}
	}
	return fmt.Sprintf("0x%x", value)
}

// offset returns an offset in memory, in units of the access; offsets in local memory and steps of
// an address register are in bytes.
func offset(o *tesla.Operand) string {
	unit := uint32(1)
	if o.Kind != tesla.Local && !o.Post {
		unit = uint32(o.Type.Bytes())
	}
	switch {
	case o.Post:
		return fmt.Sprintf("A%d+++0x%x", o.Base, o.Value)
	case o.Base != 0:
		return fmt.Sprintf("A%d+0x%x", o.Base, o.Value/unit)
	}
	return fmt.Sprintf("0x%x", o.Value/unit)
}
