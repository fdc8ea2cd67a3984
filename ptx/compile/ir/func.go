package ir

import (
	"jacquard/internal/flowgraph"
	"jacquard/ptx"
)

// Func is a kernel.
type Func struct {
	Name   string
	Blocks []*Block // Blocks[0] is the entry, which no block jumps to
	// Local is the local memory of a thread in bytes, so far.
	Local int
	// Stack is how much of it is the stack of functions that call themselves.
	Stack int
	// Escaped says that memory holds generic addresses of other spaces than global memory.
	Escaped bool
	// Locks says that the device can lock words of shared memory.
	Locks bool
	// Scopes are the scopes that values are built from. The first stands for code of none.
	Scopes []Scope
	// Locals are the offsets of variables in a thread's local memory, of those that exist once.
	Locals map[*ptx.Var]int

	values int32
	consts map[constant]*Value
	arena  []Value
}

// Scope is a scope of a function that is built in the place of a call.
type Scope struct {
	Fn    *ptx.Func
	Index int32 // of the scope, as debugging information counts those of a function
	Call  Line  // where the function is called; that of a kernel has no Line
}

type constant struct {
	kind Kind
	imm  uint64
}

// EndKind is how a block ends.
type EndKind uint8

// The ends.
const (
	Open   EndKind = iota // not ended yet
	Jump                  // to To[0]
	Branch                // to To[0] where Control holds, else to To[1]
	Exit
	Fault // a trap ends the launch
)

// Block is a basic block.
type Block struct {
	ID      int
	Values  []*Value // phis first
	End     EndKind
	Control *Value // Branch: a Pred
	Uniform bool   // Branch: all lanes of a warp go the same way
	To      [2]*Block
	Preds   []*Block // one entry per edge
	Line    Line     // of the end

	// What Order computes.
	Idom   *Block // immediate dominator; nil for the entry
	Depth  int    // loops around the block
	Loop   *Block // header of the innermost loop, nil outside loops
	Around *Block // header of the innermost loop whose header is another block, nil outside loops
	tree   *flowgraph.Tree[int32]
}

// Succs returns the blocks that follow.
func (b *Block) Succs() []*Block {
	switch b.End {
	case Jump:
		return b.To[:1]
	case Branch:
		return b.To[:2]
	}
	return nil
}

// NewFunc returns a kernel with an entry block.
func NewFunc(name string) *Func {
	f := &Func{Name: name, consts: map[constant]*Value{}}
	f.NewBlock()
	return f
}

// NewBlock adds a block.
func (f *Func) NewBlock() *Block {
	b := &Block{ID: len(f.Blocks)}
	f.Blocks = append(f.Blocks, b)
	return b
}

// MaxID returns a number above the IDs of all values.
func (f *Func) MaxID() int { return int(f.values) }

// New makes a value that is in no block yet.
func (f *Func) New(op Op, kind Kind, args ...*Value) *Value {
	if len(f.arena) == 0 {
		f.arena = make([]Value, 256)
	}
	v := &f.arena[0]
	f.arena = f.arena[1:]
	v.ID, v.Op, v.Kind = f.values, op, kind
	f.values++
	v.Args = append(v.room[:0], args...)
	for _, a := range args {
		a.Uses++
	}
	return v
}

// Add appends a new value to a block.
func (b *Block) Add(v *Value) *Value {
	v.Block = b
	b.Values = append(b.Values, v)
	return v
}

// Const returns the constant of a kind. Constants stand in the entry block, one of each.
func (f *Func) Const(kind Kind, imm uint64) *Value {
	if kind == Word {
		imm = uint64(uint32(imm))
	}
	key := constant{kind, imm}
	if v := f.consts[key]; v != nil {
		return v
	}
	v := f.New(Const, kind)
	v.Imm, v.Block = imm, f.Blocks[0]
	f.consts[key] = v
	return v
}

// Word returns a constant Word.
func (f *Func) Word(imm uint32) *Value { return f.Const(Word, uint64(imm)) }

// Jump ends a block with a jump.
func (b *Block) Jump(to *Block) {
	b.End, b.To[0] = Jump, to
	to.Preds = append(to.Preds, b)
}

// Branch ends a block with a branch.
func (b *Block) Branch(control *Value, then, other *Block) {
	b.End, b.Control, b.To = Branch, control, [2]*Block{then, other}
	control.Uses++
	then.Preds = append(then.Preds, b)
	other.Preds = append(other.Preds, b)
}

// Signed reports whether a type is a signed integer.
func Signed(t ptx.Type) bool { return t >= ptx.S8 && t <= ptx.S64 }
