package reference

import "jacquard/tesla"

// move copies a, or makes flags of its low four bits (docs/isa/operations.md, Moves).
func (o *Operation) move() Result {
	switch o.In.Op {
	case tesla.OpMov, tesla.OpMovFromCond, tesla.OpMovFromAddr, tesla.OpMovFromSpecial:
		return Result{Value: o.A}
	case tesla.OpMovToCond:
		return Result{Flags: uint8(o.A & 15)}
	case tesla.OpSlct:
		return o.choose()
	}
	return o.unknown()
}
