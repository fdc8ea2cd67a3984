package ptx

import "strings"

// Lane names bytes or halves of words. For an operand of a video instruction it names the parts
// that the instruction reads, the lowest last; for a result, the parts that it replaces. It has
// one part, or as many as the instruction works on. The parts of the second source are numbered
// after the parts of the first.
type Lane uint16

// WholeLane is an operand without parts.
const WholeLane Lane = 0

// The fields of a Lane: four parts of three bits, their number, and whether they are halves.
const (
	laneBits  = 3
	laneCount = 4 * laneBits
	laneHalf  = 1 << 15
)

// Count returns how many parts there are.
func (l Lane) Count() int { return int(l &^ laneHalf >> laneCount) }

// Part returns the number of part i. Part 0 is the last in the text.
func (l Lane) Part(i int) int { return int(l>>(laneBits*i)) & (1<<laneBits - 1) }

// Field returns the lowest bit of the only part and how many it has.
func (l Lane) Field() (at, bits int) {
	switch {
	case l == WholeLane:
		return 0, 32
	case l&laneHalf != 0:
		return 16 * l.Part(0), 16
	}
	return 8 * l.Part(0), 8
}

// Has reports whether a result has a part, or is whole.
func (l Lane) Has(part int) bool {
	for i := range l.Count() {
		if l.Part(i) == part {
			return true
		}
	}
	return l == WholeLane
}

// String returns the name in the text without the dot, "" for WholeLane.
func (l Lane) String() string {
	if l == WholeLane {
		return ""
	}
	name := []byte{"bh"[l>>15]}
	for i := l.Count() - 1; i >= 0; i-- {
		name = append(name, '0'+byte(l.Part(i)))
	}
	return string(name)
}

// laneNamed returns the lane of a name, WholeLane if there is none.
func laneNamed(text string) Lane {
	if len(text) < 2 || len(text) > 5 || text[0] != 'b' && text[0] != 'h' {
		return WholeLane
	}
	l := Lane(len(text)-1) << laneCount
	if text[0] == 'h' {
		l |= laneHalf
	}
	for i := range len(text) - 1 {
		c := text[len(text)-1-i]
		if c < '0' || c > '7' {
			return WholeLane
		}
		l |= Lane(c-'0') << (laneBits * i)
	}
	return l
}

// Lanes returns how many parts of a word a video instruction works on: 1, 2 or 4.
func (o Op) Lanes() int {
	switch name := o.String(); {
	case strings.HasSuffix(name, "2"):
		return 2
	case strings.HasSuffix(name, "4"):
		return 4
	}
	return 1
}

// fits reports whether a video instruction takes a lane. The parts of a result descend.
func (l Lane) fits(op Op, result bool) bool {
	n, parts, words := op.Lanes(), 4, 1
	if l&laneHalf != 0 {
		parts = 2
	}
	switch {
	case n == 1 && l.Count() != 1, n > 1 && n != parts, n > 1 && !result && l.Count() != n:
		return false
	case n > 1 && !result:
		words = 2
	}
	for i := range l.Count() {
		if l.Part(i) >= parts*words || result && i > 0 && l.Part(i) <= l.Part(i-1) {
			return false
		}
	}
	return l != WholeLane
}

// lane reads the lane of an operand that may have one.
func (p *parser) lane(o *Operand, f *form, at int) {
	o.Lane = laneNamed(p.tok.text)
	may := at < len(f.args) && f.args[at].shape.lane && o.Kind == Register
	if !may || !o.Lane.fits(f.op, f.args[at].shape.role == roleResult) {
		p.want("\",\" or \";\"")
		return
	}
	p.next()
}

// checkVideo reports operands of a video instruction that do not go together: a lane of the result
// needs the word whose other lanes it keeps, and vmad changes the sign of its product or of its
// addend.
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
	case ins.Op.Lanes() == 1 && ins.Atom == NoAtom && merges != (len(args) > 3):
		p.errorAt(ins.Pos, "found %d operands; expected 3, or 4 with a lane of the result", len(args))
	}
}
