package translate

import (
	"unsafe"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/mem"
)

// With AVX2 the code of costs reads addresses from memory. A half-warp is two vectors.

// eachPart calls f for each vector of a half-warp, with its place in the half-warp's words.
func eachPart(f func(part, at int32)) {
	for part := range int32(2) {
		f(part, 32*part)
	}
}

// signsOfHalf collects the signs of a half-warp. It changes scratch.
func (e accessor2) signsOfHalf(to, scratch x86.Reg, low, high vector.Vec) {
	e.signs(to, low)
	e.signs(scratch, high)
	e.a.Shl(32, x86.R(scratch), x86.Imm(8))
	e.a.Or(32, x86.R(to), x86.R(scratch))
}

// bit computes the lanes whose address has bit n set. It changes regHost.
func (e accessor2) bit(half, n int, to x86.Reg) {
	eachPart(func(part, at int32) {
		v := vec0 + vector.Vec(part)
		e.vec(x86.VMOVDQU, v, 0, addressesAt(64*int32(half)+at))
		e.shiftBy(x86.VPSLLDi, v, v, 31-n)
	})
	e.signsOfHalf(to, regHost, vec0, vec1)
}

// segments counts segments one after the other, unless each lane is in a higher segment than the
// lane below.
func (e accessor2) segments(half, log int) {
	next, some, done := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	e.a.Cmp(32, x86.R(regWork2), x86.Imm(0xffff))
	e.a.Jcc(x86.NE, some)
	eachPart(func(part, at int32) {
		own, above := vec0, vec1+vector.Vec(part)
		e.vec(x86.VMOVDQU, own, 0, addressesAt(64*int32(half)+at))
		e.vec(x86.VMOVDQU, above, 0, addressesAt(64*int32(half)+at+4))
		e.shiftBy(x86.VPSRLDi, own, own, log)
		e.shiftBy(x86.VPSRLDi, above, above, log)
		e.vec(x86.VPCMPGTD, above, above, r(own))
	})
	e.signsOfHalf(regWork0, regWork1, vec1, vec2)
	e.a.Not(32, x86.R(regWork0))
	e.a.Test(32, x86.R(regWork0), x86.Imm(0x7fff)) // no lane is above the last
	e.a.Jcc(x86.NE, some)
	e.addCount(atGT200+by32, x86.Imm(16)) // one lane uses 32 bytes at most
	e.a.Jmp(done)

	e.a.Bind(some)
	e.sides(half, log)
	e.group(half, log)
	e.a.Lea(64, regHost, e.sizeTable())
	e.a.Bind(next)
	e.a.Tzcnt(32, regWork0, x86.R(regWork2))
	e.alike()
	e.a.Xor(32, x86.R(regWork2), x86.R(regWork1))
	e.a.Imul(64, regWork1, e.word64(0x0001000100010001))
	e.a.And(64, x86.R(regWork1), x86.R(regSite))
	// One bit for each field that is not 0.
	e.a.Mov(64, x86.R(regWork0), x86.R(regWork1))
	e.a.And(64, x86.R(regWork0), e.word64(0x7fff7fff7fff7fff))
	e.a.Add(64, x86.R(regWork0), e.word64(0x7fff7fff7fff7fff))
	e.a.Or(64, x86.R(regWork0), x86.R(regWork1))
	e.a.Pext(64, regWork0, regWork0, e.word64(0x8000800080008000))
	e.a.MovZX(32, regWork0, 8, x86.At(regHost, 0).Index(regWork0, 1))
	e.a.Inc(64, x86.At(regCount, int32(atGT200)).Index(regWork0, 1))
	e.a.Test(32, x86.R(regWork2), x86.R(regWork2))
	e.a.Jcc(x86.NE, next)
	e.a.Bind(done)
}

// sides puts four fields of 16 bits in regSite: the lanes in the lower half of a segment of 128
// bytes, the lanes in the upper half, and the same for a segment of 64 bytes. In segments larger
// than the rule's, all lanes count as in the lower half.
func (e accessor2) sides(half, log int) {
	site := x86.R(regSite)
	e.a.Xor(32, site, site)
	if log > 6 {
		e.bit(half, 6, regSite)
	}
	if log > 5 {
		e.bit(half, 5, regWork1)
		e.a.Shl(64, x86.R(regWork1), x86.Imm(32))
		e.a.Or(64, site, x86.R(regWork1))
	}
	e.a.Mov(64, x86.R(regWork0), site)
	e.a.Not(64, x86.R(regWork0))
	e.a.And(64, x86.R(regWork0), e.word64(0x0000ffff0000ffff))
	e.a.Shl(64, site, x86.Imm(16))
	e.a.Or(64, site, x86.R(regWork0))
}

// sizeTable returns the place of a transaction's counter, by the set of fields of sides with lanes:
// a transaction is halved while lanes use only one half.
func (e accessor2) sizeTable() x86.Operand {
	var table [16]byte
	for used := range table {
		switch {
		case used&3 == 3:
			table[used] = byte(by128)
		case used&12 == 12:
			table[used] = byte(by64)
		default:
			table[used] = byte(by32)
		}
	}
	return e.a.Const(table[:], 16)
}

// group prepares alike: it divides addresses by a power of two, into scratch row 0.
func (e accessor2) group(half, log int) {
	eachPart(func(_, at int32) {
		e.vec(x86.VMOVDQU, vec0, 0, addressesAt(64*int32(half)+at))
		e.shiftBy(x86.VPSRLDi, vec0, vec0, log)
		e.vec(x86.VMOVDQUStore, vec0, 0, scratchAt(0, at))
	})
}

// alike puts in regWork1 the lanes of regWork2 in the same group as the lane with the index in
// regWork0.
func (e accessor2) alike() {
	e.vec(x86.VPBROADCASTD, vec0, 0, scratchAt(0, 0).Index(regWork0, 4))
	e.vec(x86.VPCMPEQD, vec1, vec0, scratchAt(0, 0))
	e.vec(x86.VPCMPEQD, vec2, vec0, scratchAt(0, 32))
	e.signsOfHalf(regWork1, regWork0, vec1, vec2)
	e.a.And(32, x86.R(regWork1), x86.R(regWork2))
}

func (e accessor2) distinct(half int) {
	next := e.a.NewLabel()
	e.group(half, 0)
	e.a.Xor(32, x86.R(regHost), x86.R(regHost))
	e.a.Bind(next)
	e.a.Inc(32, x86.R(regHost))
	e.a.Tzcnt(32, regWork0, x86.R(regWork2))
	e.alike()
	e.a.Xor(32, x86.R(regWork2), x86.R(regWork1))
	e.a.Jcc(x86.NE, next)
}

func (e accessor2) sharedCost(k kind) {
	words := int64(k.words())
	e.eachHalf(func(half int) {
		several, two, counted, done := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
		e.wordsModulo32(half, several)
		e.a.Mov(32, x86.R(regHost), x86.R(regWork0))
		e.a.Shr(32, x86.R(regHost), x86.Imm(16))
		e.a.Or(32, x86.R(regHost), x86.R(regWork0)) // the banks
		e.a.MovZX(32, regHost, 16, x86.R(regHost))
		e.a.Popcnt(32, regHost, x86.R(regHost))
		e.a.Cmp(32, x86.R(regHost), x86.R(regWork1))
		e.a.Jcc(x86.NE, two)
		e.addCount(unsafe.Offsetof(mem.Access{}.Singles), x86.Imm(words))
		e.a.Jmp(done)
		e.a.Bind(two) // at most two lanes use a bank, with two words
		e.a.Mov(32, x86.R(regHost), x86.Imm(2))
		e.a.Jmp(counted)
		e.a.Bind(several)
		e.steps(half)
		e.a.Bind(counted)
		e.countSteps(atShared, words)
		e.a.Bind(done)
	})
}

// wordsModulo32 computes the set of the lanes' words, modulo 32, in regWork0, and the number of
// lanes in regWork1. It jumps if two words are equal. It adds one power of two per lane: the sum
// has as many bits as there are lanes, or fewer if words are equal.
func (e accessor2) wordsModulo32(half int, equal x86.Label) {
	const sum, word, own, lanes = vec0, vec1, vec2, vec3
	e.fill(lanes, regWork2)
	eachPart(func(part, at int32) {
		e.vec(x86.VMOVDQU, word, 0, addressesAt(64*int32(half)+at))
		e.shiftBy(x86.VPSRLDi, word, word, 2)
		e.vec(x86.VPAND, word, word, operand(e.Literal(31)))
		e.vec(x86.VMOVDQU, own, 0, operand(e.Literal(1)))
		e.vec(x86.VPSLLVD, word, own, r(word))
		e.mask(own, lanes, part)
		if part == 0 {
			e.vec(x86.VPAND, sum, word, r(own))
			return
		}
		e.vec(x86.VPAND, word, word, r(own))
		e.vec(x86.VPADDD, sum, sum, r(word))
	})
	e.a.V(x86.Ins{Op: x86.VEXTRACTI128, L: x86.Y, D: uint8(word), RM: r(sum), Imm: 1})
	e.vec(x86.VPADDD, sum, sum, r(word))
	for _, order := range []uint8{0x4e, 0xb1} { // swap pairs, then neighbours
		e.a.V(x86.Ins{Op: x86.VPSHUFD, L: x86.Y, D: uint8(word), RM: r(sum), Imm: order})
		e.vec(x86.VPADDD, sum, sum, r(word))
	}
	e.a.V(x86.Ins{Op: x86.VMOVDR, D: uint8(regWork0), RM: r(sum)})
	e.a.Popcnt(32, regHost, x86.R(regWork0))
	e.a.Popcnt(32, regWork1, x86.R(regWork2))
	e.a.Cmp(32, x86.R(regHost), x86.R(regWork1))
	e.a.Jcc(x86.NE, equal)
}

// The scratch rows of steps; the words of a half-warp are in row 0, as its groups.
const (
	earlierRow = 1 // the lower lanes that use the same bank
	bankRow    = 2 // the lanes that use a bank
)

// steps computes in regHost the steps that serve the lanes of regWork2, and changes regWork2.
func (e accessor2) steps(half int) {
	const shared, waiting, served, free = vec0, vec1, vec2, vec3
	done, next := e.a.NewLabel(), e.a.NewLabel()
	e.group(half, 2)
	e.a.Mov(32, x86.R(regHost), x86.Imm(1))
	e.a.Tzcnt(32, regWork0, x86.R(regWork2))
	e.alike()
	e.a.Cmp(32, x86.R(regWork1), x86.R(regWork2))
	e.a.Jcc(x86.E, done) // one word for all
	e.findEarlier()
	e.a.Xor(32, x86.R(regHost), x86.R(regHost))
	e.a.Bind(next)
	e.a.Inc(32, x86.R(regHost))
	e.a.Tzcnt(32, regWork0, x86.R(regWork2))
	e.vec(x86.VPBROADCASTD, shared, 0, scratchAt(0, 0).Index(regWork0, 4))
	e.fill(waiting, regWork2)
	eachPart(func(part, at int32) {
		word := served
		if part == 1 {
			word = shared
		}
		e.vec(x86.VPAND, free, waiting, scratchAt(earlierRow, at))
		e.vec(x86.VPCMPEQD, free, free, operand(e.Literal(0)))
		e.vec(x86.VPCMPEQD, word, shared, scratchAt(0, at))
		e.vec(x86.VPOR, word, word, r(free))
	})
	e.signsOfHalf(regWork0, regWork1, served, shared)
	e.a.Andn(32, regWork2, regWork0, x86.R(regWork2))
	e.a.Jcc(x86.NE, next)
	e.a.Bind(done)
}

// findEarlier computes the row of lower lanes that use the same bank, from the words in scratch
// row 0.
func (e accessor2) findEarlier() {
	next := e.a.NewLabel()
	e.vec(x86.VPXOR, vec0, vec0, r(vec0))
	eachPart(func(_, at int32) { e.vec(x86.VMOVDQUStore, vec0, 0, scratchAt(bankRow, at)) })
	e.a.Mov(32, x86.R(regSite), x86.R(regWork2))
	e.a.Bind(next)
	e.a.Tzcnt(32, regWork0, x86.R(regSite))
	e.a.Mov(32, x86.R(regWork1), scratchAt(0, 0).Index(regWork0, 4))
	e.a.And(32, x86.R(regWork1), x86.Imm(15))
	e.a.Mov(32, x86.R(regHost), scratchAt(bankRow, 0).Index(regWork1, 4))
	e.a.Mov(32, scratchAt(earlierRow, 0).Index(regWork0, 4), x86.R(regHost))
	e.a.Bts(32, x86.R(regHost), x86.R(regWork0))
	e.a.Mov(32, scratchAt(bankRow, 0).Index(regWork1, 4), x86.R(regHost))
	e.a.Blsr(32, regSite, x86.R(regSite))
	e.a.Jcc(x86.NE, next)
}
