package program

import (
	"jacquard/simt/branch"
	"jacquard/tesla"
)

// findApart finds the straight-line code that warps can run apart. Only its last Op is ordered
// (Flow.Apart), or only its last Op is final, and no Op before it is ordered then (Flow.Alike): loads
// may come in any order, if a fault takes back the counts of Ops that come after it.
//
// A store to shared memory is apart from code that reads words of s[]: it may hit one, though no
// program means it to.
func findApart(p *Program) {
	apart := cuts{p: p, to: func(u *Op) *int32 { return &u.Apart }}
	alike := cuts{p: p, to: func(u *Op) *int32 { return &u.Alike }}
	for i := range p.Code {
		u := &p.Code[i]
		ordered, reads, final := u.ordered(p.Kernel.Shared), u.readsWord(), u.final()
		stores := u.Memory && u.Space == SpaceShared && u.Ins.Op.HandsOver(1)
		apart.pass(u, stores && apart.noted, ordered)
		apart.noted = apart.noted || reads
		alike.pass(u, final && alike.noted, final)
		alike.noted = alike.noted || reads || ordered && !final
	}
}

// cuts cuts straight-line code into pieces.
type cuts struct {
	p     *Program
	to    func(u *Op) *int32 // where the index behind the piece of u goes
	begin int                // of the present piece
	noted bool               // the piece has an Op with which some others cannot be
}

// pass cuts before and behind u, if that is so.
func (c *cuts) pass(u *Op, before, behind bool) {
	if u.Control || before {
		c.cut(int(u.At))
	}
	if u.Control || behind {
		c.cut(int(u.At) + 1)
	}
	if u.Control {
		*c.to(u) = u.At
	}
}

func (c *cuts) cut(at int) {
	for ; c.begin < at; c.begin++ {
		*c.to(&c.p.Code[c.begin]) = int32(at)
	}
	c.noted = false
}

// final reports whether u changes memory that warps share, or reads the time.
func (u *Op) final() bool {
	if u.Ins.Op == tesla.OpMovFromSpecial {
		return u.Ins.Src[0].Index != SpecialPhysID
	}
	return u.Memory && u.Space != SpaceLocal && (u.Ins.Op.HandsOver(1) || u.Ins.Mods&(tesla.Lock|tesla.Unlock) != 0)
}

// Passes reports whether control instruction u leads all lanes of a warp to another instruction, if
// they do not part there, and does nothing else. Where they go tells whether they take a branch.
func (u *Op) Passes() bool {
	switch {
	case u.Acts || u.Marker == tesla.MarkerExit:
		return false
	case u.Event == branch.Branch:
		return u.To >= 0 && u.To != u.At && u.To != u.At+1
	}
	return u.Event == branch.JoinAt || u.Event == 0 && u.Marker == tesla.MarkerJoin
}

// readsWord reports whether u reads a word of s[] whose address is in the instruction.
func (u *Op) readsWord() bool {
	for i := range u.Src {
		if u.Src[i].Mode == SrcShared {
			return true
		}
	}
	return false
}

// ordered reports whether it may show in which order warps execute u: it accesses memory that others
// write, may fault, or reads the time. Blocks have at least so much shared memory.
func (u *Op) ordered(shared int) bool {
	for i := range u.Src {
		switch x := &u.Src[i]; x.Mode {
		case SrcSharedAt, SrcConstAt:
			return true
		case SrcShared:
			if int(x.Offset)+4 > shared {
				return true
			}
		}
	}
	return u.Memory || u.final()
}
