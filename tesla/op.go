package tesla

// Op is an operation, independent of how it is encoded. The list is generated
// from the instruction description.
type Op uint8

// Form is the number of a row of the instruction description; 0 is none.
type Form uint16
