package translate

import (
	"unsafe"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/mem"
)

// segments counts all segments at once: by the first lane of each, and by the lanes in another half
// of the segment than the first lane, or in another half of that half.
func (e accessor512) segments(half, log int) {
	const group, first, other, differs = work0, work0 + 1, work0 + 2, work0 + 3
	addr, lanes, all := addr0+vector.Vec(half), lanesLow+half, e.a.NewLabel()
	apart := e.constantRow(func(i int) uint32 { return 1<<31 + uint32(i) })
	e.vec(x86.VMOVDQU32, group, 0, apart) // idle lanes have groups of their own
	e.a.V(x86.Ins{Op: x86.VPSRLDi, L: x86.Z, D: uint8(group), RM: r(addr), K: uint8(lanes), Imm: uint8(log)})
	e.vec(x86.VPCONFLICTD, group, 0, r(group))
	e.compare(x86.VPTESTMD, test0, lanes, group, r(group), 0)
	e.toGeneral(regWork1, test0)
	e.a.Popcnt(32, regWork0, x86.R(regWork2)) // as many segments as lanes
	if log == 5 {
		e.a.Popcnt(32, regWork1, x86.R(regWork1)) // less the lanes that are not the first
		e.a.Sub(32, x86.R(regWork0), x86.R(regWork1))
		e.addCount(atGT200+by32, x86.R(regWork0))
		return
	}
	e.a.Test(32, x86.R(regWork1), x86.R(regWork1))
	e.a.Jcc(x86.E, all)
	e.a.Popcnt(32, regWork1, x86.R(regWork1))
	e.a.Sub(32, x86.R(regWork0), x86.R(regWork1))

	e.vec(x86.VPXORD, first, first, r(first))
	e.vec(x86.VPSUBD, first, first, r(group))
	e.vec(x86.VPANDD, first, first, r(group)) // the bit of the first lane
	e.vec(x86.VPLZCNTD, other, 0, r(first))
	e.vec(x86.VPXORD, other, other, operand(e.Literal(31)))
	e.vec(x86.VPERMD, other, other, r(addr))
	e.vec(x86.VPXORD, other, other, r(addr))
	e.compare(x86.VPTESTMD, test1, test0, other, operand(e.Literal(1<<5)), 0)
	e.a.V(x86.Ins{Op: x86.VPSLLDi, L: x86.Z, D: uint8(differs), RM: r(first), K: test1, Zero: true, Imm: 16})
	e.compare(x86.VPTESTMD, test1, test0, other, operand(e.Literal(1<<6)), 0)
	e.a.V(x86.Ins{Op: x86.VPORD, L: x86.Z, D: uint8(differs), S: uint8(differs), RM: r(first), K: test1})
	e.union(regWork1, differs, other)
	// Segments with lanes in both halves, and other segments with lanes in both halves of one half.
	e.a.MovZX(32, regHost, 16, x86.R(regWork1))
	e.a.Shr(32, x86.R(regWork1), x86.Imm(16))
	e.a.Andn(32, regWork1, regHost, x86.R(regWork1))
	for _, n := range []struct {
		reg   x86.Reg
		count uintptr
	}{{regHost, by128}, {regWork1, by64}} {
		e.a.Popcnt(32, n.reg, x86.R(n.reg))
		e.a.Sub(32, x86.R(regWork0), x86.R(n.reg))
		e.addCount(atGT200+n.count, x86.R(n.reg))
	}
	e.a.Bind(all)
	e.addCount(atGT200+by32, x86.R(regWork0))
}

func (e accessor512) distinct(half int) {
	lanes := lanesLow + half
	apart := e.constantRow(func(i int) uint32 { return 1<<16 + uint32(i) })
	e.vec(x86.VMOVDQU32, work0, 0, apart) // idle lanes have addresses of their own
	e.a.V(x86.Ins{Op: x86.VMOVDQA32, L: x86.Z, D: uint8(work0), RM: r(addr0 + vector.Vec(half)), K: uint8(lanes)})
	e.vec(x86.VPCONFLICTD, work0, 0, r(work0))
	e.compare(x86.VPTESTNMD, test0, lanes, work0, r(work0), 0)
	e.toGeneral(regHost, test0)
	e.a.Popcnt(32, regHost, x86.R(regHost))
}

// sharedCost counts both half-warps at once. Sets of banks and words decide most accesses, because
// VPCONFLICTD is slow on many hosts. The mask registers of the half-warps have the lanes that wait
// for their step.
func (e accessor512) sharedCost(k kind) {
	words := int64(k.words())
	const word, set = work0, work0 + 2 // and the next
	const select16 = 0xe4              // by the last operand
	several, many, counted, done := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	e.takeLanes()
	e.words(word)
	e.sets(set, word, 1<<16+1, set+1) // of banks, in both halves of a word
	e.a.V(x86.Ins{Op: x86.VPTERNLOGD, L: x86.Z, D: uint8(set), S: uint8(set + 1), RM: operand(e.Literal(0xffff)), Imm: select16})
	e.union(regWork0, set, set+1)
	e.a.Popcnt(32, regWork0, x86.R(regWork0))
	e.a.Popcnt(32, regWork1, x86.R(regLanes))
	e.a.Cmp(32, x86.R(regWork0), x86.R(regWork1))
	e.a.Jcc(x86.NE, several)
	e.halvesOf(x86.R(regLanes), regWork0, regWork1)
	e.addTimes(unsafe.Offsetof(mem.Access{}.Singles), regWork0, words)
	e.a.Jmp(done)

	e.a.Bind(several)
	e.words(word)
	e.ifDiffer(set, word, many)
	e.stepsOfPairs()
	e.a.Jmp(counted)
	e.a.Bind(many)
	e.steps(word, set)
	e.a.Bind(counted)
	e.countBoth(words)
	e.a.Bind(done)
}

// words puts the words of the addresses in a vector and the next.
func (e accessor512) words(word vector.Vec) {
	for half := range vector.Vec(2) {
		e.shiftBy(x86.VPSRLDi, word+half, addr0+half, 2)
	}
}

// The steps of the half-warps.
var stepsOf = [2]x86.Reg{regHost, regWork2}

// sets makes one set per word of a vector and the next: bits rotated by the word, none for idle
// lanes. It changes the vector other, which may be the last set.
func (e accessor512) sets(set, word vector.Vec, bits uint32, other vector.Vec) {
	e.vec(x86.VMOVDQU32, other, 0, e.constantRow(func(int) uint32 { return bits }))
	for half := range vector.Vec(2) {
		e.a.V(x86.Ins{Op: x86.VPROLVD, L: x86.Z, D: uint8(set + half), S: uint8(other), RM: r(word + half), K: lanesLow + uint8(half), Zero: true})
	}
}

// union puts the union of the sets of a half-warp in a general register. It changes both vectors.
func (e accessor512) union(to x86.Reg, set, other vector.Vec) {
	for _, x := range [...]struct {
		move     x86.VOp
		from, to x86.Width
		imm      uint8
	}{
		{x86.VEXTRACTI64X4, x86.Z, x86.Y, 1}, {x86.VEXTRACTI32X4, x86.Y, x86.X, 1},
		{x86.VPSHUFD, x86.X, x86.X, 0x4e}, {x86.VPSHUFD, x86.X, x86.X, 0xb1},
	} {
		e.a.V(x86.Ins{Op: x.move, L: x.from, D: uint8(other), RM: r(set), Imm: x.imm})
		e.a.V(x86.Ins{Op: x86.VPORD, L: x.to, D: uint8(set), S: uint8(set), RM: r(other)})
	}
	e.a.V(x86.Ins{Op: x86.VMOVDR, D: uint8(to), RM: r(set)})
}

// ifDiffer goes to alike if lanes of a half-warp have equal words in a vector and the next, modulo
// 32. It leaves the sets of these words in stepsOf. It changes the addresses.
func (e accessor512) ifDiffer(set, word vector.Vec, alike x86.Label) {
	e.sets(set, word, 1, addr0)
	for half, to := range stepsOf {
		e.union(to, set+vector.Vec(half), addr1)
	}
	e.a.Popcnt(32, regWork0, x86.R(stepsOf[0]))
	e.a.Popcnt(32, regWork1, x86.R(stepsOf[1]))
	e.a.Add(32, x86.R(regWork0), x86.R(regWork1))
	e.a.Popcnt(32, regWork1, x86.R(regLanes))
	e.a.Cmp(32, x86.R(regWork0), x86.R(regWork1))
	e.a.Jcc(x86.NE, alike)
}

// stepsOfPairs computes stepsOf from sets of words that differ modulo 32: a bank has at most two
// words.
func (e accessor512) stepsOfPairs() {
	for half, n := range stepsOf {
		lanes, banks := x86.R(regWork0), x86.R(regWork1)
		e.a.Mov(32, banks, x86.R(n))
		e.a.Shr(32, banks, x86.Imm(16))
		e.a.Or(32, banks, x86.R(n))
		e.a.MovZX(32, regWork1, 16, banks)
		e.a.Popcnt(32, regWork1, banks)
		e.toGeneral(regWork0, uint8(lanesLow+half))
		e.a.Popcnt(32, regWork0, lanes)
		e.a.Xor(32, x86.R(n), x86.R(n))
		e.a.Cmp(32, banks, lanes) // carry: a second step
		e.a.Adc(32, x86.R(n), x86.Imm(0))
		e.a.Cmp(32, lanes, x86.Imm(1)) // carry: no step
		e.a.Sbb(32, x86.R(n), x86.Imm(-1))
	}
}

// steps computes stepsOf. It changes the addresses.
func (e accessor512) steps(word, earlier vector.Vec) {
	shared, each, served, done := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	for half := range vector.Vec(2) { // hashes that, modulo 32, differ for strides of up to 32 words
		e.shiftBy(x86.VPSRLDi, earlier+half, word+half, 4)
		e.vec(x86.VPXORD, earlier+half, earlier+half, r(word+half))
	}
	e.ifDiffer(earlier, earlier, shared)
	// All words differ, so each step serves one lane of every bank.
	e.lowerLanes(earlier, word)
	e.a.Bind(each)
	for half, n := range stepsOf {
		e.oneStep(half, n)
		t, b := addr0+vector.Vec(half), earlier+vector.Vec(half)
		e.compare(x86.VPTESTMD, lanesLow+uint8(half), lanesLow+half, b, r(b), 0)
		e.vec(x86.VPADDD, t, b, operand(e.Literal(1<<32-1)))
		e.vec(x86.VPANDD, b, b, r(t)) // one bit less
	}
	e.a.V(x86.Ins{Op: x86.KORTESTW, D: lanesLow, RM: x86.K(lanesHigh)})
	e.a.Jcc(x86.NE, each)
	e.a.Jmp(done)

	// Each step serves the lanes with the word of the lowest lane, and one lane of every bank.
	e.a.Bind(shared)
	e.lowerLanes(earlier, word)
	e.a.Bind(served)
	for half, n := range stepsOf {
		e.oneStep(half, n)
		t, w, lanes := addr0+vector.Vec(half), word+vector.Vec(half), lanesLow+half
		e.broadcastLowest(t, w, lanes)
		e.compare(x86.VPCMPEQD, test0, lanes, w, r(t), 0)
		e.vec(x86.VPBROADCASTD, t, 0, x86.R(regWork0))
		e.compare(x86.VPTESTNMD, test1, lanes, earlier+vector.Vec(half), r(t), 0)
		e.a.V(x86.Ins{Op: x86.KORW, D: test0, S: test0, RM: x86.K(test1)})
		e.a.V(x86.Ins{Op: x86.KANDNW, D: uint8(lanes), S: test0, RM: x86.K(uint8(lanes))})
	}
	e.a.V(x86.Ins{Op: x86.KORTESTW, D: lanesLow, RM: x86.K(lanesHigh)})
	e.a.Jcc(x86.NE, served)
	e.a.Bind(done)
}

// lowerLanes makes vectors of the lower lanes that use the same bank, and stepsOf zero.
func (e accessor512) lowerLanes(lower, word vector.Vec) {
	apart := e.constantRow(func(i int) uint32 { return uint32(16 + i) })
	for half, n := range stepsOf {
		b := lower + vector.Vec(half)
		e.vec(x86.VMOVDQU32, b, 0, apart) // idle lanes have no bank
		e.a.V(x86.Ins{Op: x86.VPANDD, L: x86.Z, D: uint8(b), S: uint8(word) + uint8(half), RM: operand(e.Literal(15)), K: lanesLow + uint8(half)})
		e.vec(x86.VPCONFLICTD, b, 0, r(b))
		e.a.Xor(32, x86.R(n), x86.R(n))
	}
}

// oneStep adds a step if lanes of a half-warp wait, and puts the waiting lanes in regWork0.
func (e accessor512) oneStep(half int, steps x86.Reg) {
	e.toGeneral(regWork0, uint8(lanesLow+half))
	e.a.Cmp(32, x86.R(regWork0), x86.Imm(1)) // carry: none
	e.a.Sbb(32, x86.R(steps), x86.Imm(-1))
}

// countBoth counts the accesses to words of the half-warps, whose steps are in stepsOf. Half-warps
// without lanes have no steps.
func (e accessor512) countBoth(words int64) {
	at := func(field uintptr) uintptr { return atShared + field }
	e.halvesOf(x86.R(regLanes), regWork0, regWork1)
	e.addTimes(at(unsafe.Offsetof(mem.Steps{}.Accesses)), regWork0, words)
	for _, n := range stepsOf {
		e.a.Xor(32, x86.R(regWork0), x86.R(regWork0))
		e.a.Cmp(32, x86.R(n), x86.Imm(1))
		e.a.Setcc(x86.E, x86.R(regWork0))
		e.addTimes(at(unsafe.Offsetof(mem.Steps{}.Single)), regWork0, words)
		e.addTimes(at(unsafe.Offsetof(mem.Steps{}.Steps)), n, words)
	}
}

// addTimes adds a number times times to a field of the counts of the instruction's accesses.
func (e accessor512) addTimes(field uintptr, n x86.Reg, times int64) {
	if times > 1 {
		e.a.ImulImm(32, n, x86.R(n), int32(times))
	}
	e.addCount(field, x86.R(n))
}
