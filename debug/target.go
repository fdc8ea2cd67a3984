package debug

import (
	"errors"
	"fmt"

	"jacquard/debug/expr"
	"jacquard/simt/check"
)

// Target is a process that is debugged. While it runs, all methods but Resume, Pause, Detach and
// SetBreakpoints answer ErrRunning.
type Target interface {
	// SetBreakpoints replaces all breakpoints. It may be called while the process runs.
	SetBreakpoints(list []Breakpoint) error

	// SetCatch says which ends of a launch to stop at. Nothing is stopped at before.
	SetCatch(Catch) error

	// Breakpoints returns where the breakpoints are in the present kernel, and their hits.
	Breakpoints() ([]Resolved, error)

	// Resume lets the process go on, and returns when it stops again. ErrGone says that it ended.
	Resume(Order) (*Stop, error)

	// Pause stops a process that runs.
	Pause() error

	// Detach removes the debugger: the process goes on at full speed.
	Detach() error

	Launch() (*Launch, error)
	Blocks() ([]Block, error)
	Warps(block int) ([]Warp, error)
	Frames(at Focus) ([]Frame, error)
	Registers(at Focus) ([]Register, error)
	Variables(at Focus, frame int) ([]Variable, error)
	Evaluate(e Expression) (*Result, error)
	Assign(e Expression, value string) (*Result, error)
	Read(m Memory) ([]byte, error)
	Write(m Memory, data []byte) error
	Disassemble(from, count int) ([]Instruction, error)
	LastWrite(e Expression) (*Writer, error)
}

// Program is what is debugged.
type Program interface {
	// Start starts the program, or starts it again, with other arguments unless there are none. It
	// returns once the session of the program answers; nil if the program ended before.
	Start(args []string) (Target, error)

	// Wait waits for the end, and returns how the program ended, for people, and its status.
	Wait() (how string, status int)

	// Kill ends the program.
	Kill()
}

// The errors of a Target.
var (
	ErrRunning = errors.New("the program runs: stop it first")
	ErrGone    = errors.New("the program has ended")
	ErrNone    = errors.New("no kernel runs: continue to a breakpoint first")
)

// Focus is one lane of a block: the thread that a face looks at.
type Focus struct {
	Block int `json:"block"` // number in the grid, x fastest
	Warp  int `json:"warp"`
	Lane  int `json:"lane"`
}

// Position is the moment before an issue. A block has one issue of a warp at a time, so a run of the
// same launch comes to the same positions.
type Position struct {
	Block int    `json:"block"`
	Warp  int    `json:"warp"`
	Time  uint64 `json:"time"` // rounds since the block's wave began
}

// Reason says why a launch stopped.
type Reason string

// The reasons.
const (
	ReasonBreakpoint Reason = "breakpoint"
	ReasonWatch      Reason = "watch"
	ReasonStep       Reason = "step"
	ReasonPause      Reason = "pause"
	ReasonFault      Reason = "exception"
	ReasonFinding    Reason = "finding" // of a checker
	ReasonLog        Reason = "log"     // a breakpoint with a message, in Text
	ReasonHistory    Reason = "history" // the way back ended at the start of the launch
)

// Stop is a stop between two issues.
type Stop struct {
	Reason      Reason   `json:"reason"`
	Breakpoints []int    `json:"breakpoints,omitempty"` // that were hit
	Focus       Focus    `json:"focus"`
	Position    Position `json:"position"`
	Text        string   `json:"text,omitempty"`  // what happened
	Fault       string   `json:"fault,omitempty"` // the kind of fault
	Launch      *Launch  `json:"launch"`
	Frame       Frame    `json:"frame"`

	// Findings are what checkers found in the next issue, or in the barrier that opens behind it.
	Findings []Finding `json:"findings,omitempty"`
}

// Kind is a kind of Order.
type Kind string

// The orders. Steps are of the warp of the Focus.
const (
	Continue        Kind = "continue"
	Step            Kind = "step"   // until the warp is at another line
	Next            Kind = "next"   // the same, past calls
	Finish          Kind = "finish" // until the function returns
	StepInstruction Kind = "stepi"
	NextInstruction Kind = "nexti"
	Again           Kind = "again" // the order that a log interrupted
	ReverseContinue Kind = "reverse-continue"
	ReverseStep     Kind = "reverse-step"
	ReverseStepInst Kind = "reverse-stepi"
)

// Order says how to go on.
type Order struct {
	Kind  Kind  `json:"kind"`
	Focus Focus `json:"focus"`
}

// Catch says which events stop a launch.
type Catch struct {
	Faults bool `json:"faults"` // illegal accesses and the like
	Traps  bool `json:"traps"`  // trap instructions, which assert has too

	// Findings are the kinds of mistakes that stop where they happen, if the program is checked.
	Findings check.Set `json:"findings"`
}

// Breakpoint is a reason to stop.
type Breakpoint struct {
	ID int `json:"id"`

	// One of: a line, an instruction, where a kernel begins, or a watchpoint.
	File   string  `json:"file,omitempty"` // the end of a path
	Line   int     `json:"line,omitempty"`
	PC     *uint32 `json:"pc,omitempty"`     // byte address in the kernel
	Kernel string  `json:"kernel,omitempty"` // restricts the others, too
	Entry  bool    `json:"entry,omitempty"`  // where Kernel, or any, begins: the first block stops
	Watch  *Watch  `json:"watch,omitempty"`

	Condition string `json:"condition,omitempty"` // an expression; lanes for which it holds hit
	Hits      string `json:"hits,omitempty"`      // which hits count: "3", ">= 3", "% 4"
	Log       string `json:"log,omitempty"`       // a message, with expressions in braces; nothing stops
	Disabled  bool   `json:"disabled,omitempty"`
}

// Watch is what a watchpoint watches.
type Watch struct {
	Space    string `json:"space,omitempty"` // global or shared; "" is a register
	Address  uint32 `json:"address,omitempty"`
	Size     int    `json:"size,omitempty"`
	Register string `json:"register,omitempty"` // r3 or a1
	Focus    Focus  `json:"focus"`              // the block of shared memory, the lane of a register
	Reads    bool   `json:"reads,omitempty"`
	Writes   bool   `json:"writes,omitempty"`
}

// Resolved is what has become of a breakpoint.
type Resolved struct {
	ID      int     `json:"id"`
	Line    int     `json:"line,omitempty"` // of code: that of the breakpoint, or the next with code
	Places  []Place `json:"places,omitempty"`
	Hits    int     `json:"hits"`
	Seen    *Place  `json:"seen,omitempty"`    // in the first kernel that had the place; nil: none had
	Missing string  `json:"missing,omitempty"` // why the present kernel has not
}

// Place is an instruction.
type Place struct {
	PC   uint32 `json:"pc"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// String returns "0x48" or "0x48 (file:line)".
func (p Place) String() string {
	if p.File == "" {
		return fmt.Sprintf("0x%x", p.PC)
	}
	return fmt.Sprintf("0x%x (%s:%d)", p.PC, p.File, p.Line)
}

// Launch is a launch of a kernel.
type Launch struct {
	Number int    `json:"number"`
	Kernel string `json:"kernel"`
	Grid   [2]int `json:"grid"`
	Block  [3]int `json:"block"`
	Arch   string `json:"arch"`
	Blocks int    `json:"blocks"`
	Warps  int    `json:"warps"` // of a block
	Back   bool   `json:"back"`  // there is a way back
}

// Thread returns the thread of a focus, and whether it exists.
func (l *Launch) Thread(f Focus) (thread [3]int, ok bool) {
	n := f.Warp*32 + f.Lane
	x, y, z := l.Block[0], l.Block[1], l.Block[2]
	return [3]int{n % x, n / x % y, n / (x * y)}, n < x*y*z
}

// BlockIndex returns the place of a block in the grid.
func (l *Launch) BlockIndex(block int) [2]int { return [2]int{block % l.Grid[0], block / l.Grid[0]} }

// Block is a block that has begun and goes on.
type Block struct {
	Number int    `json:"number"`
	Index  [2]int `json:"index"`
	Live   int    `json:"live"` // threads
}

// Warp is a warp of a block.
type Warp struct {
	Warp   int     `json:"warp"`
	Lanes  uint32  `json:"lanes"`  // that it began with
	Live   uint32  `json:"live"`   // that have not ended
	Active uint32  `json:"active"` // that issue next
	Here   bool    `json:"here"`   // the warp issues next
	Paths  []Path  `json:"paths"`  // every live lane is in one
	Stack  []Entry `json:"stack,omitempty"`
}

// Path is lanes at a place.
type Path struct {
	Place
	Lanes   uint32 `json:"lanes"`
	Blocked bool   `json:"blocked,omitempty"` // at a barrier
}

// Entry is what the divergence policy keeps of a warp.
type Entry struct {
	Kind  string `json:"kind"`
	PC    int64  `json:"pc"` // -1: none
	Lanes uint32 `json:"lanes"`
}

// Frame is a call of a function.
type Frame struct {
	Function string `json:"function"`
	Place
	Index  int  `json:"index"` // of the instruction
	Inline bool `json:"inline,omitempty"`

	inlined int // how many functions the compiler inlined in it here
}

// Register is a register of a lane.
type Register struct {
	Group string `json:"group"` // Registers, Addresses, Predicates, Special
	Name  string `json:"name"`  // with its $
	Value uint32 `json:"value"`
	Text  string `json:"text,omitempty"` // for people; "" is the number
}

// Variable is a name in scope.
type Variable struct {
	Name  string `json:"name"`
	Kind  string `json:"kind,omitempty"` // local, argument or global; "" for a part
	Value string `json:"value"`
	Type  string `json:"type,omitempty"`
	Fault string `json:"fault,omitempty"` // why it has no value
}

// Expression is an expression for a lane.
type Expression struct {
	Text   string `json:"text"`
	Focus  Focus  `json:"focus"`
	Frame  int    `json:"frame,omitempty"`
	Format string `json:"format,omitempty"` // a letter of expr.Value.Format
	Lanes  bool   `json:"lanes,omitempty"`  // a value for every live lane of the warp
}

// Result is the value of an expression.
type Result struct {
	Text   string      `json:"text"`
	Type   string      `json:"type"`
	Bits   uint64      `json:"bits"` // of a scalar
	Place  *expr.Place `json:"place,omitempty"`
	Space  string      `json:"space,omitempty"` // that a pointer points into
	Size   int         `json:"size"`
	Lanes  []string    `json:"lanes,omitempty"`  // by lane; "" for a lane that does not live
	Fields []Variable  `json:"fields,omitempty"` // of a struct, or elements of an array
}

// Memory is a range of a memory.
type Memory struct {
	Space   string `json:"space"`
	Focus   Focus  `json:"focus"`
	Address uint32 `json:"address"`
	Size    int    `json:"size"`
}

// Instruction is a line of a disassembly.
type Instruction struct {
	Place
	Index int    `json:"index"`
	Bytes []byte `json:"bytes"`
	Text  string `json:"text"`
}

// Writer is the last write to a place before now.
type Writer struct {
	Position Position `json:"position"`
	Focus    Focus    `json:"focus"`
	Place    Place    `json:"place"`
	Text     string   `json:"text"`
}
