package sass

import (
	"fmt"

	"jacquard/tesla"
)

// The modifiers of names. Each function serves the operations of one kind.

// flag returns text if in has the flag.
func flag(in *tesla.Instruction, m tesla.Mods, text string) string {
	if in.Mods&m != 0 {
		return text
	}
	return ""
}

// arithmetic is for floating point: rounding, saturation.
func arithmetic(in *tesla.Instruction) string { return roundings[in.Round&3] + special(in) }

// special is the modifier of special functions.
func special(in *tesla.Instruction) string { return flag(in, tesla.Sat, ".SAT") }

func integer(in *tesla.Instruction) string { return operationType(in.Type) }

func access(in *tesla.Instruction) string { return types[in.Type] }

// addition has the carry that it adds.
func addition(in *tesla.Instruction) string {
	return carry(in) + operationType(in.Type) + flag(in, tesla.Sat, ".SAT")
}

func carry(in *tesla.Instruction) string {
	if in.Arith == tesla.AddC {
		return fmt.Sprintf(".CARRY%d", in.CarryIn.Index())
	}
	return ""
}

// product has the types of both factors.
func product(in *tesla.Instruction) string {
	high := flag(in, tesla.High, ".HI")
	if in.Src[0].As != tesla.TypeNone {
		return high + types[in.Src[0].As] + types[in.Src[1].As]
	}
	return high + types[in.Type] + types[in.Type]
}

func multiplyAdd(in *tesla.Instruction) string {
	return flag(in, tesla.High, ".HI") + carry(in) + types[in.Type] + flag(in, tesla.Sat, ".SAT")
}

func logic(in *tesla.Instruction) string { return logics[in.Logic&3] + operationType(in.Type) }

// moved is the name of a move, which tells the place of the value.
func moved(in *tesla.Instruction) string {
	switch {
	case immediate(in):
		return "MVI"
	case in.Size == 4:
		return "MOV32"
	}
	return "MOV"
}

// move shows a mask of lanes other than all.
func move(in *tesla.Instruction) string {
	text := operationType(in.Type) + flag(in, tesla.SFU, ".SFU")
	if in.Idle != 0 {
		text += fmt.Sprintf(".L%X", ^in.Idle&15)
	}
	return text
}

// converted is the name of a conversion, which tells which sides are integers.
func converted(in *tesla.Instruction) string { return side(in.From) + "2" + side(in.Type) }

func side(t tesla.Type) string {
	if t == tesla.F16 || t == tesla.F32 || t == tesla.F64 {
		return "F"
	}
	return "I"
}

// bytes are the types of conversions that read a byte of a register: the register's type and a
// mark.
var bytes = map[tesla.Type]string{tesla.U8: ".U16.BEXT", tesla.S8: ".S16.BEXT", tesla.U8W: ".U32.BEXT", tesla.S8W: ".S32.BEXT"}

// conversion has the types of both sides. Between integers and floats the result is always
// integral, and no flag shows it.
func conversion(in *tesla.Instruction) string {
	text := types[in.Type]
	if extracted, ok := bytes[in.From]; ok {
		text += extracted
	} else {
		text += types[in.From]
	}
	if side(in.From) == side(in.Type) {
		text += flag(in, tesla.Integral, ".IR")
	}
	return text + roundings[in.Round&3] + flag(in, tesla.Sat, ".SAT")
}

// constant is the type of a load of a constant; a word has none.
func constant(in *tesla.Instruction) string { return operationType(in.Src[0].Type) }

// sharedLoad has the types of the register and of memory.
func sharedLoad(in *tesla.Instruction) string {
	return registerType(&in.Dst) + types[in.Type] + flag(in, tesla.Lock, ".LCK")
}

func sharedStore(in *tesla.Instruction) string {
	return registerType(&in.Src[1]) + types[in.Type] + flag(in, tesla.Unlock, ".UNL")
}

func registerType(o *tesla.Operand) string {
	if o.Kind == tesla.Half {
		return ".U16"
	}
	return ".U32"
}

func atomic(in *tesla.Instruction) string {
	name, ok := atomics[in.Atom]
	if !ok {
		name = fmt.Sprintf(".OP%d", in.Atom)
	}
	return name + types[in.Type]
}

func barrier(in *tesla.Instruction) (text string) {
	if in.Barrier.Inc {
		text += ".ARV"
	}
	if in.Barrier.Wait {
		text += ".WAIT"
	}
	return text
}

// increment marks calls that do not count against the nesting limit.
func increment(in *tesla.Instruction) string {
	if in.Mods&tesla.Limited != 0 {
		return ""
	}
	return ".NOINC"
}

func vote(in *tesla.Instruction) string {
	if in.Vote == tesla.VoteAll {
		return ".ALL"
	}
	return ".ANY"
}

func texture(in *tesla.Instruction) (text string) {
	if in.Tex.Cube {
		text += ".CUBE"
	}
	if in.Tex.Deriv {
		text += ".DERIV"
	}
	if in.Tex.Live {
		text += ".LIVE"
	}
	return text
}
