package program

// Special register numbers (isa/semantics.md 7).
const (
	SpecialPhysID = 0
	SpecialClock  = 1
)
