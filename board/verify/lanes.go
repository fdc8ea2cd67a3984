package verify

import (
	"jacquard/simt"
	"jacquard/tesla"
)

// runLanes executes rows that ask for the same instruction, in every variant of it, and
// reports failures to fail: at most one per row and variant.
func (m *machine) runLanes(rows []*Row, fail func(Failure)) error {
	f, err := formOf(rows[0])
	if err != nil {
		return &FormatError{rows[0].Line, err}
	}
	variants, err := variantsOf(&f, rows[0])
	if err != nil {
		return &FormatError{rows[0].Line, err}
	}
	for i := range variants {
		v := &variants[i]
		for rest := rows; len(rest) > 0; {
			b := batch{m: m, form: &f, variant: v}
			n := b.fill(rest)
			if err := b.run(); err != nil {
				return &FormatError{rest[0].Line, err}
			}
			b.check(fail)
			rest = rest[n:]
		}
	}
	return nil
}

// batch is the rows of one launch.
type batch struct {
	m       *machine
	form    *form
	variant *variant
	at      [threads]*Row // the row of a thread
	idle    [threads]bool // it must not execute the instruction
	n       int           // threads
}

// fill gives rows to threads and returns the number of rows that found a place. A row of a quad
// operation takes four threads.
func (b *batch) fill(rows []*Row) int {
	each, most := 1, threads
	if b.variant.serial {
		most = serialRows
	}
	if b.form.in.Op == tesla.OpQuadOp {
		each = 4
	}
	n := 0
	for b.n < most && n < len(rows) {
		r := rows[n]
		idle := b.variant.idle && b.n%5%2 == 1
		for k := range each {
			a := r.A.Bits
			if each == 4 && k != b.variant.quad {
				a = ^a // only one lane of the four is read
			}
			b.put(r, b.n, a, idle)
			b.n++
		}
		if !idle {
			n++
		}
	}
	return n
}

// put fills the record of thread t. In the variants with high halves every operand is in
// both halves of its register.
func (b *batch) put(r *Row, t int, a uint64, idle bool) {
	for w := range b.warps() {
		b.m.set(w*serialApart+t, spread(r.A, a), spread(r.B, r.B.Bits), spread(r.C, r.C.Bits), uint8(r.CCIn.Bits), idle, r.A.Bits)
	}
	b.at[t], b.idle[t] = r, idle
}

// warps returns the number of records per row.
func (b *batch) warps() int {
	if b.variant.serial {
		return serialWarps
	}
	return 1
}

// spread puts a 16-bit value into both halves of a register.
func spread(v Value, bits uint64) uint64 {
	if v.Digits == 4 {
		bits &= 0xffff
		return bits<<16 | bits
	}
	return bits
}

func (b *batch) run() error {
	modes := simt.Modes{MulZeroWins: b.form.zeroWins}
	if b.variant.serial {
		ins := make([]tesla.Instruction, b.n)
		for t := range ins {
			ins[t] = b.form.instruction(b.at[t], b.variant, t)
		}
		return b.m.serially(ins, modes)
	}
	in := b.form.instruction(b.at[0], b.variant, 0)
	table := 1
	if in.Src[2].Kind == tesla.Const {
		table = 2
	}
	return b.m.together(in, b.variant.branch, b.n, table, modes)
}

// untouched is the content of a thread's result registers that nothing wrote.
const untouched = background<<32 | background

// check compares the results of every thread with its row, and everything that it must not write
// with the background.
func (b *batch) check(fail func(Failure)) {
	var failed [threads]bool
	for i := range b.n * b.warps() {
		t := i % b.n
		if failed[t] {
			continue
		}
		r := b.at[t]
		in := b.form.instruction(r, b.variant, t)
		result, flags, memory := b.m.after(i/b.n*serialApart + t)
		if b.idle[t] {
			if result != untouched || flags != background&15 || memory != r.A.Bits {
				fail(Failure{Row: *r, Via: text(arch, in), Stray: true})
			}
			continue
		}
		out := outcome{r: result, flags: flags, hasFlags: in.CDst != tesla.NoCond}
		written := uint64(1<<64 - 1)
		switch in.Dst.Kind {
		case tesla.None:
			written = 0
		case tesla.Half:
			shift := in.Dst.Index % 2 * 16
			written = 0xffff << shift
			out.r = result >> shift & 0xffff
		case tesla.Reg:
			written = 1<<32 - 1
			out.r &= written
		}
		want := r.Want
		switch in.Op {
		case tesla.OpAtom:
			out.r, out.r2, out.hasR2 = memory, out.r, true
		case tesla.OpRed:
			out.r, want.R2 = memory, Value{}
		}
		if r.Want.R.Digits <= 8 {
			out.r &= 1<<32 - 1
		}
		stray := (result^untouched)&^written != 0
		if !out.hasFlags {
			want.CC = Value{}
			stray = stray || flags != background&15
		}
		if got := out.answer(&want); got != want || stray {
			failed[t] = true
			fail(Failure{Row: *r, Got: got, Via: text(arch, in), Stray: stray})
		}
	}
}
