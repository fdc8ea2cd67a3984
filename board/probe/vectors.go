package probe

import (
	"fmt"

	"jacquard/board/verify"
	"jacquard/cubin"
	"jacquard/observe/bundle"
	"jacquard/tesla"
)

// Vectors is a board's answer to rows.
type Vectors struct {
	Rows      []verify.Row     // in the order of the question, with the board's answers
	Different []verify.Failure // answers that the row does not want
	LeftOut   []verify.LeftOut // rows that the board cannot run
}

// Ask has a board of architecture arch execute rows. Progress is called with the share of programs
// that ran; it may be nil. A board that cannot go on is an error.
func Ask(board Board, arch tesla.Arch, rows []verify.Row, progress func(percent int)) (*Vectors, error) {
	for i := range rows {
		rows[i].Line = i // their place, until the end
	}
	programs, left := verify.Programs(arch, rows)
	v := &Vectors{LeftOut: left}
	answers := make([]*verify.Row, len(rows))
	for n, p := range programs {
		if progress != nil {
			progress(100 * n / len(programs))
		}
		k := cubin.Kernel{Code: p.Words, Registers: verify.ProgramRegisters, Shared: verify.ProgramShared}
		after, err := board.Run(job(k, false, arch, p.Threads, p.Records()))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Instruction(), err)
		}
		if after.Result != bundle.Success {
			return nil, fmt.Errorf("%s: %s", p.Instruction(), after.Message)
		}
		for _, r := range p.Answers(after.Memory[0]) {
			answers[r.Line] = &r
		}
	}
	for i, r := range answers {
		if r == nil {
			continue
		}
		v.Rows = append(v.Rows, *r)
		if want := rows[i].Want; !agrees(r.Want, want) {
			v.Different = append(v.Different, verify.Failure{Row: rows[i], Got: r.Want})
		}
	}
	return v, nil
}

// agrees reports whether got has the wanted values; fields that want leaves empty do not count.
func agrees(got, want verify.Answer) bool {
	same := func(g, w verify.Value) bool { return w.Digits == 0 || g == w }
	return same(got.R, want.R) && same(got.CC, want.CC) && same(got.R2, want.R2)
}
