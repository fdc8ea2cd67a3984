package tesla

// Exactness is the certainty that an instruction does the same here as on hardware.
type Exactness uint8

const (
	Unverified Exactness = iota // our inference, or known to be open
	Documented                  // stated by public reverse-engineered documentation
	Verified                    // agrees with a model that was run against boards
)

// Exactnesses is the number of classes.
const Exactnesses = len(exactnessNames)

var exactnessNames = [...]string{Unverified: "unverified", Documented: "documented", Verified: "verified"}

// String returns the name of the class.
func (e Exactness) String() string { return exactnessNames[e] }

// Certainty is a class and its evidence: a section of docs/isa, and the open questions.
type Certainty struct {
	Exactness
	Why string
}

// exactRule gives the certainty of the instructions whose bits under mask are bits.
type exactRule struct {
	mask, bits uint64
	Certainty
}

// Certainty returns the certainty of a decoded instruction: the least of its operation and its
// parts. It reads Raw. An instruction that the device refuses is Documented to fault.
func (in *Instruction) Certainty() Certainty {
	if in.Bad != OK || in.Form == 0 {
		return Certainty{Documented, "refused by the device"}
	}
	least := in.operation()
	lower := func(holds bool, c Certainty) {
		if holds && c.Exactness < least.Exactness {
			least = c
		}
	}
	guarded := in.Guard.Cond != CondAlways && in.Op.Guarded()
	for i := range in.Src {
		o := &in.Src[i]
		lower(o.Kind == Shared || o.Kind == Const, limitMemory)
		lower(o.addressed() && o.Base == 7, limitA7)
	}
	lower(guarded, limitGuard)
	lower(in.Marker != MarkerNone, limitMarker)
	lower(in.Marker == MarkerJoin && in.Op != OpNop, limitWorkingJoin)
	lower(in.Marker != MarkerNone && guarded && in.Guard.Cond != CondNever, limitGuardedMarker)
	return least
}

// addressed reports whether an address register belongs to the operand.
func (o *Operand) addressed() bool { return o.Kind == Shared || o.Kind == Const || o.Kind == Local }

func (in *Instruction) operation() Certainty {
	w := uint64(in.Raw[1])<<32 | uint64(in.Raw[0])
	for i := range exactness[in.Form] {
		if r := &exactness[in.Form][i]; w&r.mask == r.bits {
			return r.Certainty
		}
	}
	return Certainty{}
}
