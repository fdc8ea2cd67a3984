package simt_test

import (
	"slices"

	"jacquard/simt"
	"jacquard/tesla"
)

// The oracle is a second executor, written from the description of the machine alone: one
// thread at a time, one instruction at a time, on plain values. It borrows arithmetic from
// the scalar references; what it is independent in is everything around it: operands,
// widths, modifiers, guards, flags, write-back, addresses and memory.

const (
	oracleRegisters  = 32 // room for a thread's registers; a kernel owns fewer
	oracleLocalBytes = 64
)

// oracleThread is what one thread owns.
type oracleThread struct {
	regs  [oracleRegisters]uint32
	cond  [4]uint8
	addr  [5]uint16 // $a0 stays 0
	local [oracleLocalBytes]byte
	ended bool
}

// oracleBlock is a block of threads and what they share.
type oracleBlock struct {
	threads []oracleThread
	shared  []byte
	locked  []bool // by word of shared memory
}

// oracle is a whole machine in the middle of a straight-line kernel.
type oracle struct {
	registers int // a thread owns
	local     int // bytes a thread owns
	base      uint32
	global    []byte // the one allocation, from base on
	consts    [16][]byte
	blocks    []oracleBlock
}

// clone returns a copy that shares nothing that changes.
func (m *oracle) clone() *oracle {
	c := *m
	c.global = slices.Clone(m.global)
	c.blocks = slices.Clone(m.blocks)
	for i := range c.blocks {
		b := &c.blocks[i]
		b.threads, b.shared, b.locked = slices.Clone(b.threads), slices.Clone(b.shared), slices.Clone(b.locked)
	}
	return &c
}

// oracleStop says why an instruction did not happen: a fault, or, if kind is 0, that the
// description leaves open what it does.
type oracleStop struct {
	kind  simt.FaultKind
	why   string
	space string
	block int
	warp  int
	lanes uint32 // that fault
	addr  uint32 // of the lowest of them
	mixed bool   // lanes of the warp fault in different ways
}

// step carries out an instruction for every thread, in the reference order. After a stop
// the machine is of no more use.
func (m *oracle) step(in *tesla.Instruction) *oracleStop {
	if why := oracleOpen(in); why != "" {
		return &oracleStop{why: why}
	}
	if why := oracleIllegal(in); why != "" {
		return &oracleStop{kind: simt.FaultIllegalInstruction, why: why}
	}
	for i := range m.blocks {
		for first := 0; first < len(m.blocks[i].threads); first += 32 {
			if stop := m.stepWarp(i, first, in); stop != nil {
				stop.block, stop.warp = i, first/32
				return stop
			}
		}
	}
	return nil
}

// over tells whether every thread has ended.
func (m *oracle) over() bool {
	for i := range m.blocks {
		if slices.ContainsFunc(m.blocks[i].threads, func(t oracleThread) bool { return !t.ended }) {
			return false
		}
	}
	return true
}

// stepWarp carries out an instruction for the threads of one warp.
func (m *oracle) stepWarp(block, first int, in *tesla.Instruction) *oracleStop {
	b := &m.blocks[block]
	last := min(first+32, len(b.threads))
	warp := b.threads[first:last]
	if in.Op == tesla.OpVote {
		oracleVote(warp, in)
		return nil
	}
	var stop *oracleStop
	before := slices.Clone(warp) // what quadop sees of its neighbours
	for lane := range warp {
		x := oracleLane{m: m, b: b, t: &warp[lane], lane: lane, warp: m.slot(block) + first/32, quad: before}
		if x.t.ended || !oracleHolds(in.Guard.Cond, x.t.cond[in.Guard.Reg]) || in.Idle>>(lane%4)&1 != 0 {
			continue
		}
		x.run(in)
		switch {
		case x.stop == nil:
		case stop == nil:
			stop = x.stop
			stop.lanes = 1 << lane
		default:
			stop.mixed = stop.mixed || stop.kind != x.stop.kind
			stop.lanes |= 1 << lane
		}
	}
	return stop
}

// slot is the number of the block's first warp among all of the multiprocessor.
func (m *oracle) slot(block int) int { return block * ((len(m.blocks[block].threads) + 31) / 32) }

// oracleVote gives every thread of the warp the same answer.
func oracleVote(warp []oracleThread, in *tesla.Instruction) {
	anyone, everyone := false, true
	for i := range warp {
		holds := oracleHolds(in.Guard.Cond, warp[i].cond[in.Guard.Reg])
		if warp[i].ended {
			continue
		}
		anyone, everyone = anyone || holds, everyone && holds
	}
	answer := anyone
	if in.Vote == tesla.VoteAll {
		answer = everyone
	}
	for i := range warp {
		if !warp[i].ended {
			warp[i].cond[in.CDst.Index()] = oracleTruth(answer)
		}
	}
}

// oracleTruth is the flags of compare-and-set: false is zero, true is all ones.
func oracleTruth(v bool) uint8 {
	if v {
		return 2
	}
	return 1
}

// oracleHolds evaluates a condition on the four bits of a $c.
func oracleHolds(c tesla.Cond, flags uint8) bool {
	z, s, carry, o := flags&1 != 0, flags&2 != 0, flags&4 != 0, flags&8 != 0
	switch c {
	case tesla.CondNever:
		return false
	case 0x01:
		return (s && !z) != o
	case 0x02:
		return z && !s
	case 0x03:
		return s != (z || o)
	case 0x04:
		return !z && !(s != o)
	case 0x05:
		return !z
	case 0x06:
		return !(s != o)
	case 0x07:
		return !z || !s
	case 0x08:
		return z && s
	case 0x09:
		return s != o
	case 0x0a:
		return z
	case 0x0b:
		return z || s != o
	case 0x0c:
		return !s != (z || o)
	case 0x0d:
		return !z || s
	case 0x0e:
		return (!s || z) != o
	case tesla.CondAlways:
		return true
	case 0x10:
		return o
	case 0x11:
		return carry
	case 0x12:
		return !z && carry
	case 0x13:
		return s
	case 0x1c:
		return !s
	case 0x1d:
		return z || !carry
	case 0x1e:
		return !carry
	case 0x1f:
		return !o
	}
	panic("no such condition")
}
