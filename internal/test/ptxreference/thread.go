package ptxreference

import "jacquard/ptx"

// state is the state of a thread.
type state uint8

const (
	running   state = iota
	atBarrier       // waits for threads of its block
	atMeeting       // waits for threads of its warp
	ended
)

// thread is one thread of a block.
type thread struct {
	block *block
	index [3]uint32 // in the block
	warp  int
	lane  int
	state state
	code  *code
	pc    int      // of the next instruction
	file  []uint64 // registers of all frames
	regs  []uint64 // registers of the current frame: the end of file
	local []byte   // up to the end of the current frame
	base  int      // of the current frame in local
	carry bool
	calls []frame
	// asked is the thread's input to a barrier or meeting.
	asked asked
}

// frame is a caller of the current function.
type frame struct {
	code  *code
	pc    int
	regs  int // where the registers begin in file
	base  int
	carry bool
	site  *callSite
}

const (
	frameAlign = 128
	mostLocal  = 1 << 19 // bytes of local memory of a thread
	mostCalls  = 1 << 10 // depth of calls
	mostRegs   = 1 << 16 // words of registers of a function
)

// step executes the next instruction.
func (t *thread) step() error {
	run := t.block.run
	if run.steps++; run.steps > run.limit {
		return t.fault(StepLimit, "more than %d instructions", run.limit)
	}
	in := &t.code.instrs[t.pc]
	t.pc++
	if in.guarded && in.guard.get(t) != in.when {
		return nil
	}
	return in.run(t)
}

// position returns the place of the instruction that was begun last.
func (t *thread) position() ptx.Pos {
	if i := t.pc - 1; i >= 0 && i < len(t.code.instrs) {
		return t.code.instrs[i].pos
	}
	return t.code.fn.Pos
}

// begin puts the thread at the start of a function in a new frame.
func (t *thread) begin(k *code, base int) {
	start := len(t.file)
	t.code, t.pc, t.base, t.carry = k, 0, base, false
	t.file = append(t.file, make([]uint64, k.regs)...)
	t.regs = t.file[start:]
	t.local = append(t.local[:base], make([]byte, k.frame)...)
}

// before reports whether t goes before o: first threads in the deepest call, then threads at the
// first place of the code.
func (t *thread) before(o *thread) bool {
	switch {
	case len(t.calls) != len(o.calls):
		return len(t.calls) > len(o.calls)
	case t.code != o.code:
		return t.code.index < o.code.index
	}
	return t.pc < o.pc
}

// at reports whether both threads are at the same place.
func (t *thread) at(o *thread) bool {
	return len(t.calls) == len(o.calls) && t.code == o.code && t.pc == o.pc
}
