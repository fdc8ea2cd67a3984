package ptx

// Lane is the byte or the half of a word that a video instruction takes of an operand, or replaces.
type Lane uint8

// The lanes, the lowest first.
const (
	WholeLane Lane = iota
	LaneB0
	LaneB1
	LaneB2
	LaneB3
	LaneH0
	LaneH1
)

// Field returns the lowest bit of a lane and how many it has.
func (l Lane) Field() (at, bits int) {
	switch {
	case l >= LaneH0:
		return 16 * int(l-LaneH0), 16
	case l >= LaneB0:
		return 8 * int(l-LaneB0), 8
	}
	return 0, 32
}

// laneNamed returns the lane of a name, WholeLane if there is none.
func laneNamed(text string) Lane {
	for l, name := range laneNames {
		if name == text {
			return Lane(l)
		}
	}
	return WholeLane
}

// lane reads the lane of an operand that may have one.
func (p *parser) lane(o *Operand, may bool) {
	o.Lane = laneNamed(p.tok.text)
	if !may || o.Lane == WholeLane || o.Kind != Register {
		p.want("\",\" or \";\"")
		return
	}
	p.next()
}

// checkVideo reports operands of a scalar video instruction that do not go together: a lane of the
// result needs the word whose other lanes it keeps, and vmad changes the sign of its product or of
// what it adds.
func (p *parser) checkVideo(ins *Instr) {
	args := ins.Args
	for i := range args {
		negates := ins.Op == OpVmad && ins.Mods&PlusOne == 0 && i > 0
		if args[i].Neg && !negates {
			p.errorAt(args[i].Pos, "found \"-\" before an operand that takes none")
		}
	}
	switch merges := args[0].Lane != WholeLane; {
	case ins.Op == OpVmad:
		if args[1].Neg != args[2].Neg && args[3].Neg {
			p.errorAt(ins.Pos, "found \"-\" for the product and for the sum; expected one of them")
		}
	case ins.Atom == NoAtom && merges != (len(args) > 3):
		p.errorAt(ins.Pos, "found %d operands; expected 3, or 4 with a lane of the result", len(args))
	}
}
