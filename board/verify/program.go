package verify

import (
	"fmt"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/tesla"
)

// Program is a kernel that executes one instruction on the operands of rows and stores the results.
// It runs on any device, while [File] checks the simulator alone. Its one parameter is the address
// of its records, one per thread of its block.
type Program struct {
	Words   []uint32
	Rows    []Row
	Threads int

	each int // threads a row takes
	in   tesla.Instruction
	arch tesla.Arch
}

// The resources of a program.
const (
	ProgramRegisters = registers
	ProgramShared    = 0x14 // the header and the parameter
)

// LeftOut is a row that no program executes.
type LeftOut struct {
	Row Row
	Why string
}

// Programs returns programs that execute all rows on a device, as far as it can: rows with the same
// operation, modifiers and widths share one. Rows whose Want.R has no digits get the width of
// the instruction's result.
func Programs(device tesla.Arch, rows []Row) (programs []*Program, left []LeftOut) {
	c := checker{rows: rows}
	for _, group := range c.alike() {
		f, err := formOf(group[0])
		if err == nil && f.zeroWins {
			err = fmt.Errorf("no program can set the mode bit zerowins")
		}
		if err == nil {
			err = f.settle(device, group)
		}
		if err != nil {
			for _, r := range group {
				left = append(left, LeftOut{*r, err.Error()})
			}
			continue
		}
		for _, same := range f.split(group) {
			p, err := newProgram(device, &f, same)
			if err != nil {
				for _, r := range same {
					left = append(left, LeftOut{*r, err.Error()})
				}
				continue
			}
			programs = append(programs, p)
		}
	}
	return programs, left
}

// widths are the digits that a result can have.
var widths = [...]int{4, 8, 16}

// settle finds the width of the result where rows do not say it, and whether the instruction writes
// flags.
func (f *form) settle(device tesla.Arch, rows []*Row) error {
	digits := widths[:]
	if n := rows[0].Want.R.Digits; n != 0 {
		digits = []int{n}
	}
	var last error
	for _, flags := range []bool{f.flags, false} {
		for _, n := range digits {
			r := *rows[0]
			r.Want.R.Digits = n
			f.flags = flags
			if _, _, last = decoder.Encode(device, f.placed(&r)); last != nil {
				continue
			}
			for _, r := range rows {
				r.Want.R.Digits = n
			}
			return nil
		}
	}
	return fmt.Errorf("%s has no instruction for this: %w", device, last)
}

// placed returns the instruction of row r with its operands in registers; a count within the
// instruction stays there.
func (f *form) placed(r *Row) tesla.Instruction {
	v := variant{place: keep}
	if f.count {
		v.place = immediate
	}
	return f.instruction(r, &v, 0)
}

// split divides rows among programs: by what fits a block, and by the count that is within the
// instruction.
func (f *form) split(rows []*Row) (parts [][]*Row) {
	most := threads / f.threads()
	at := map[uint64]int{}
	for _, r := range rows {
		key := uint64(0)
		if f.count {
			key = r.B.Bits
		}
		n, ok := at[key]
		if !ok || len(parts[n]) == most {
			n = len(parts)
			parts = append(parts, nil)
			at[key] = n
		}
		parts[n] = append(parts[n], r)
	}
	return parts
}

// threads is the number of threads per row: a quad operation reads one lane of four.
func (f *form) threads() int {
	if f.in.Op == tesla.OpQuadOp {
		return 4
	}
	return 1
}

func newProgram(device tesla.Arch, f *form, rows []*Row) (*Program, error) {
	p := &Program{each: f.threads(), in: f.placed(rows[0]), arch: device}
	p.Threads = len(rows) * p.each
	for _, r := range rows {
		p.Rows = append(p.Rows, *r)
	}
	k := assembler{asm.Builder{Arch: device}}
	k.Add(asm.Mov(regTable, asm.Param(0)))
	k.Add(asm.With(tesla.OpShl, regRecord, regThread, 6)) // 64 bytes each
	k.Add(asm.Do(tesla.OpIAdd, regRecord, regRecord, asm.Reg(regTable)))
	k.operands()
	k.execute(p.in, false)
	k.Exit()
	var err error
	p.Words, err = k.Code()
	return p, err
}

// Instruction returns the instruction of the program as a disassembler shows it.
func (p *Program) Instruction() string { return text(p.arch, p.in) }

// Records returns the memory with which the program must run.
func (p *Program) Records() []byte {
	m := machine{records: make([]byte, p.Threads*recordBytes)}
	for i := range p.Rows {
		r := &p.Rows[i]
		for t := range p.each {
			a := r.A.Bits
			if p.each > 1 && t != int(p.in.QuadLane) {
				a = ^a // only one lane of the four is read
			}
			m.set(i*p.each+t, a, r.B.Bits, r.C.Bits, uint8(r.CCIn.Bits), false, r.A.Bits)
		}
	}
	return m.records
}

// Answers returns the rows with the answers that the program left in its records.
func (p *Program) Answers(records []byte) []Row {
	rows := make([]Row, len(p.Rows))
	m := machine{records: records}
	for i := range rows {
		r := p.Rows[i]
		result, flags, memory := m.after(i * p.each)
		digits := r.Want.R.Digits
		r.Want = Answer{R: Value{result, digits}}
		switch {
		case p.in.Op == tesla.OpAtom:
			r.Want.R2 = r.Want.R
			r.Want.R.Bits = memory
			r.Want.R2.Bits &= mask(digits)
		case p.in.CDst != tesla.NoCond:
			r.Want.CC = Value{uint64(flags & 15), 1}
		}
		r.Want.R.Bits &= mask(digits)
		rows[i] = r
	}
	return rows
}

func mask(digits int) uint64 { return 1<<(4*digits) - 1 }
