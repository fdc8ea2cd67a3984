package reference

// move copies a (docs/isa/operations.md, Mov, MovFromCond, MovFromAddr, MovFromSpecial).
func (o *Operation) move() Result { return Result{Value: o.A} }

// moveToCond makes flags of the low four bits of a (docs/isa/operations.md, MovToCond).
func (o *Operation) moveToCond() Result { return Result{Flags: uint8(o.A & 15)} }

// shiftToAddr shifts a left (docs/isa/operations.md, ShlToAddr).
func (o *Operation) shiftToAddr() Result { return Result{Value: o.A << o.B} }

// addAddr adds to an address register (docs/isa/operations.md, AddAddr).
func (o *Operation) addAddr() Result { return Result{Value: o.A + o.B} }
