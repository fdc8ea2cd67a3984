package tesla

// Op is an operation, independent of how it is encoded. The list is generated
// from the instruction description.
type Op uint8

// Ops is the number of operations, OpInvalid included.
const Ops = len(opNames)

// String returns the operation's name, such as "IAdd".
func (o Op) String() string { return NameOf(opNames[:], "Op", o) }

// Form is the number of a row of the instruction description; 0 is none.
type Form uint16

// Forms is the number of rows, counting 0.
const Forms = len(formNames)

// String returns the row's name in the description, such as "L20w".
func (f Form) String() string { return NameOf(formNames[:], "Form", f) }
