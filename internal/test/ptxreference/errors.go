package ptxreference

import (
	"fmt"

	"jacquard/ptx"
)

// Kind is what went wrong.
type Kind uint8

// The kinds of errors.
const (
	Malformed   Kind = iota // the module is not valid PTX
	Unsupported             // the reference lacks the operation
	BadLaunch               // the launch does not suit the kernel
	Fault                   // a thread did what has no defined result
	Trapped                 // a thread executed trap
	Deadlock                // all threads of a block wait
	StepLimit               // the launch takes too many steps
)

var kindNames = [...]string{"malformed", "unsupported", "bad launch", "fault", "trap", "deadlock",
	"step limit"}

// String returns the name of the kind.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Error is the one error type of the package.
type Error struct {
	Kind Kind
	File string
	Pos  ptx.Pos
	Text string
	// Block and Thread are the indices of the thread, nil before the run.
	Block, Thread *[3]uint32
}

// Error returns "file:line:column: kind: text", with block and thread if a thread caused it.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s:%v: %v: %s", e.File, e.Pos, e.Kind, e.Text)
	if e.Thread != nil {
		s += fmt.Sprintf(" (block %v, thread %v)", *e.Block, *e.Thread)
	}
	return s
}

func (p *Program) errorAt(k Kind, pos ptx.Pos, format string, args ...any) *Error {
	return &Error{Kind: k, File: p.module.Name, Pos: pos, Text: fmt.Sprintf(format, args...)}
}

// fault returns the error of the instruction that the thread executes.
func (t *thread) fault(k Kind, format string, args ...any) error {
	e := t.block.program.errorAt(k, t.position(), format, args...)
	e.Block, e.Thread = &t.block.index, &t.index
	return e
}
