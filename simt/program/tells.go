package program

import (
	"jacquard/simt/branch"
	"jacquard/tesla"
)

// Tells returns, by instruction of a program, what a policy must be told of that can skip some Kinds;
// nil as policy if it can skip them at every instruction.
func Tells(p *Program, k branch.Kinds, policy branch.Selective) []branch.Tell {
	list := make([]branch.Tell, len(p.Code))
	for i := range list {
		kinds := p.Code[i].Skippable()
		switch {
		case kinds == 0 || kinds&^k != 0:
			list[i] = branch.TellAlways
		case policy != nil && i < p.Instructions():
			list[i] = policy.Tells(k, i)
		}
	}
	return list
}

// Skippable returns the events of u that a policy may skip, 0 if it must be told of u.
func (u *Op) Skippable() (k branch.Kinds) {
	switch {
	case u.Marker == tesla.MarkerExit || u.Event != 0 && u.Acts:
		return 0
	case u.Event != 0:
		k = branch.KindsOf(u.Event)
	}
	if u.Marker == tesla.MarkerJoin { // the engine executes the instruction, too
		k |= branch.JoinMarker
	}
	return k
}
