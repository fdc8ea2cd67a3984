package program

import (
	"jacquard/simt/branch"
	"jacquard/tesla"
)

// findApart finds the straight-line code that warps can run apart (Flow.Apart). A store to shared
// memory is apart from code that reads words of s[]: it may hit one, though no program means it to.
func findApart(p *Program) {
	begin, reads := 0, false // reads: a word of s[] since begin
	cut := func(at int) {
		for ; begin < at; begin++ {
			p.Code[begin].Apart = int32(at)
		}
		reads = false
	}
	for i := range p.Code {
		u := &p.Code[i]
		stores := u.Memory && u.Space == SpaceShared && u.Ins.Op.HandsOver(1)
		if u.Control || reads && stores {
			cut(i)
		}
		reads = reads || u.readsWord()
		if u.Control || u.ordered(p.Kernel.Shared) {
			cut(i + 1)
		}
		if u.Control {
			u.Apart = u.At
		}
	}
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
	return u.Memory || u.Ins.Op == tesla.OpMovFromSpecial && u.Ins.Src[0].Index != SpecialPhysID
}
