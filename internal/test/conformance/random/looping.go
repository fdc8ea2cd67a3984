package random

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt/engine/reference"
	"jacquard/simt/lane"
	"jacquard/simt/program"
	"jacquard/tesla"
)

const (
	regCounter = 21 // rounds left to the thread
	mostRounds = 3
	partLength = 8 // random instructions of each of the three parts of a loop
)

// Looping writes a kernel like a straight one, but the instructions stand in a loop, which threads
// leave after one to three rounds, and a third of them in a branch. None of them faults, as long as
// threads that race do so in the order in which the kernel was tried.
func (f *Forms) Looping(seed uint64, seen *Seen) (*Kernel, error) {
	r := rand.New(rand.NewPCG(seed, 8+uint64(f.Arch)))
	threads := []int{1, 32, 40, 64, 70}[r.IntN(5)]
	k := f.empty(threads, 1+r.IntN(2), r)
	k.Name = fmt.Sprintf("looping%d", seed)
	missing, more := unset(seed)
	begin := append(prologue(k.Registers, threads, missing), rounds(r)...)
	code, err := assemble(f.Arch, begin)
	if err != nil {
		return nil, err
	}
	k.Registers += more
	t, err := k.trial(code)
	if err != nil {
		return nil, err
	}
	first := t.save()
	body, err := f.loop(t, r, seen)
	for bad := 0; bad >= 0 && err == nil; {
		t.restore(first)
		if bad, err = t.loop(body); bad >= 0 {
			body = slices.Delete(body, bad, bad+1)
		}
	}
	if err != nil {
		return nil, err
	}
	words, err := wrap(f.Arch, code, body)
	k.Code = decoder.Kernel(f.Arch, words)
	return k, err
}

// rounds sets the counter: to the same in all threads, or to bits of the record.
func rounds(r *rand.Rand) []tesla.Instruction {
	if r.IntN(2) == 0 {
		return []tesla.Instruction{instruction(tesla.OpMov, tesla.B32, reg(regCounter), imm(2))}
	}
	and := instruction(tesla.OpLogic, tesla.B32, reg(regCounter), reg(regCounter), imm(mostRounds))
	and.Logic = tesla.And
	return []tesla.Instruction{and}
}

// loop returns the body of a loop, of random instructions that can be executed in the first round. A
// bra skips the instructions up to the one with a join marker; a break leaves the loop.
func (f *Forms) loop(t *trial, r *rand.Rand, seen *Seen) (body []tesla.Instruction, err error) {
	part := func(fits func(*tesla.Instruction) bool) {
		for n := 0; n < partLength && err == nil && !t.over(); {
			in := f.candidate(r)
			if !fits(&in) || touches(&in, regCounter) {
				continue
			}
			fault, failed := t.step(in)
			if err = failed; err == nil && fault == nil {
				body, n = append(body, in), n+1
			}
			seen.note(&in, fault == nil)
		}
	}
	all := func(*tesla.Instruction) bool { return true }
	part(all)
	skip := tesla.Guard{Reg: uint8(r.IntN(4)), Cond: tesla.Cond(1 + r.IntN(14))}
	before := t.part(skip)
	inside := slices.Clone(t.alive)
	body = append(body, tesla.Instruction{Op: tesla.OpBra, Guard: skip})
	part(func(in *tesla.Instruction) bool { return in.Op != tesla.OpBar }) // a barrier is for all threads
	t.meet(before, inside)
	body = append(body, tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerJoin})
	part(all)
	less := instruction(tesla.OpIAdd, tesla.B32, reg(regCounter), reg(regCounter), imm(^uint32(0)))
	test := instruction(tesla.OpIAdd, tesla.B32, reg(regCounter), reg(regCounter), reg(mostRegisters)) // plus 0
	test.CDst = tesla.C0
	encoded, failed := assemble(f.Arch, []tesla.Instruction{less, test})
	body = append(body, encoded...)
	return append(body, tesla.Instruction{Op: tesla.OpBreak, Guard: tesla.Guard{Cond: tesla.CondLE}}), cmp.Or(err, failed)
}

// touches reports whether an instruction may write a register.
func touches(in *tesla.Instruction, register uint8) bool {
	switch o := &in.Dst; o.Kind {
	case tesla.Reg:
		return o.Index == register
	case tesla.Half:
		return o.Index/2 == register
	case tesla.Pair:
		return o.Index/2 == register/2
	case tesla.Quadruple:
		return o.Index/4 == register/4
	}
	return false
}

// part makes the lanes in which a guard holds wait, and returns the lanes that were live.
func (t *trial) part(g tesla.Guard) (before []lane.Sel) {
	before = slices.Clone(t.alive)
	u := program.Op{Ins: &tesla.Instruction{Guard: g}}
	for b, st := range t.blocks {
		t.alive[b] = without(t.alive[b], reference.Guard(st, &u, &t.alive[b]))
	}
	return before
}

// meet lets the waiting lanes go on, except lanes that ended inside.
func (t *trial) meet(before, inside []lane.Sel) {
	for b := range t.alive {
		t.alive[b] = without(before[b], without(inside[b], t.alive[b]))
	}
}

// loop executes the body of a loop to the end of all rounds. It returns the index of an instruction
// that faults, -1 if none does.
func (t *trial) loop(body []tesla.Instruction) (bad int, err error) {
	for range mostRounds {
		var before, inside []lane.Sel
		for i, in := range body {
			switch {
			case in.Op == tesla.OpBra:
				before = t.part(in.Guard)
				inside = slices.Clone(t.alive)
			case in.Op == tesla.OpBreak:
				t.part(in.Guard)
			case in.Marker == tesla.MarkerJoin:
				t.meet(before, inside)
			default:
				if fault, err := t.step(in); fault != nil || err != nil {
					return i, err
				}
			}
		}
	}
	return -1, nil
}

// wrap writes the code of a kernel with a loop.
func wrap(arch tesla.Arch, code, body []tesla.Instruction) ([]uint32, error) {
	w := asm.Builder{Arch: arch}
	align := func() {
		if w.Here()%8 != 0 {
			w.Raw(paddingWord)
		}
	}
	add := func(in tesla.Instruction) {
		switch {
		case in.Raw == [2]uint32{}:
			align()
			w.Add(in)
		case in.Raw[0]&1 == 0:
			w.Raw(in.Raw[0])
		default:
			align()
			w.Raw(in.Raw[:]...)
		}
	}
	for _, in := range code {
		add(in)
	}
	head, join, end := w.Label(), w.Label(), w.Label()
	align()
	w.Jump(tesla.Instruction{Op: tesla.OpBreakAddr}, end)
	w.Place(head)
	for _, in := range body {
		switch {
		case in.Op == tesla.OpBra:
			align()
			w.Jump(tesla.Instruction{Op: tesla.OpJoinAt}, join)
			w.Jump(in, join)
		case in.Marker == tesla.MarkerJoin:
			align()
			w.Place(join)
			w.Add(in)
		default:
			add(in)
		}
	}
	w.Jump(tesla.Instruction{Op: tesla.OpBra}, head)
	w.Place(end)
	w.Exit()
	return w.Code()
}
