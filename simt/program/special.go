package program

// Special register numbers (docs/isa/machine.md, Special registers).
const (
	SpecialPhysID = 0
	SpecialClock  = 1
)
