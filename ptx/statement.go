package ptx

// Stmt is a statement of a body: *Instr, *Label, *Decl, *Scope, *Loc, *Targets or *Prototype.
type Stmt interface{ stmt() }

// Label is a place in the code.
type Label struct {
	Pos  Pos
	Name string
}

// Decl declares variables or registers. Vars have the names of the text; %r<4> declares %r0 ..
// %r3.
type Decl struct {
	Pos  Pos
	Vars []*Var
	// Prefix is the name in %r<4>, "" for a list of names.
	Prefix string
}

// Scope opens or closes a scope: { or }. Names end with their scope; statements of all scopes stand
// in one list.
type Scope struct {
	Pos  Pos
	Open bool
}

// Loc says which line of a source the next instructions are made from.
type Loc struct {
	Pos                Pos
	File, Line, Column int
	// Function is a label in the section debug_str, and Addend bytes behind it stands the name of the
	// function that the line is part of; "" if the text does not say it. Call is where that function
	// is inlined; nil if it is not.
	Function string
	Addend   int
	Call     *Call
}

// Call is the place of a call that is inlined.
type Call struct{ File, Line, Column int }

// Targets lists the labels of an indirect branch (.branchtargets), or the functions of an indirect
// call (.calltargets).
type Targets struct {
	Pos    Pos
	Name   string
	Labels []*Label
	Funcs  []*Func
}

// Prototype is the type of the function that an indirect call calls (.callprototype).
type Prototype struct {
	Pos             Pos
	Name            string
	Returns, Params []*Var
}

// Instr is an instruction. Fields that an operation lacks are zero.
type Instr struct {
	Pos   Pos
	Guard Guard
	Op    Op
	Type  Type // of the operation and the result
	// From is the second type: of the source of cvt and set, the condition of slct, the
	// coordinates of tex, and the first source of video instructions. The sources of vset and its
	// like have the first two types.
	From   Type
	From2  Type // third type of video instructions, for their second source
	Mods   Mods
	Round  Round
	Cmp    Cmp
	Bool   BoolOp // setp, set: how the comparison is combined with another predicate
	Space  Space  // Generic without a space
	Vector int    // elements of ld, st, mov, tex, suld, sust: 1, 2, 4 or 8
	Atom   AtomOp // atom, red, and the second operation of video instructions
	Geom   Geom   // tex, suld, sust
	Mode   Mode   // vote, shfl, prmt, bar, testp: named by a modifier of their own
	Order  Order  // ld, st, atom, red, fence
	Scope  MemScope
	Cache  CacheOp
	Bank   int // the n of ld.const[n]
	// Args are the operands in the order of the text: results first.
	//
	// call has the List of results, the callee (Symbol of a Func, or Register), the List of
	// arguments, and the Signature if there is one; the Lists may be empty. A parameter in an
	// argument list is a Symbol.
	//
	// tex, tld4, suld, sust and sured have the contents of [t, s, {x, y}] as operands of their own:
	// the Address of the texture or surface, the Address of the sampler if there is one, and the
	// coordinates, always a List.
	Args []Operand
}

// Guard is the predicate of a guarded instruction. A nil Pred always holds.
type Guard struct {
	Pred *Var
	Not  bool
}

// OperandKind is the kind of an operand.
type OperandKind uint8

// The kinds of operands.
const (
	NoOperand  OperandKind = iota
	Register               // Var; Part for an element of a vector
	Immediate              // Value: the bits, as wide as the instruction's type
	Symbol                 // the address of Var or Func, plus Value bytes
	Address                // [Var+Value], or [Value] without Var. Var is a register or a variable
	List                   // {a, b}: a vector; (a, b): arguments of a call
	SpecialReg             // Special
	Place                  // Label, or Targets of an indirect branch
	Discard                // _
	Signature              // Proto or Targets of an indirect call
)

// Operand is an operand of an instruction.
//
// Many fields: each kind of operand has its own.
type Operand struct {
	Pos  Pos
	Kind OperandKind
	Not  bool    // !p
	Neg  bool    // -a, before Register
	lit  literal // of an immediate that is not converted yet
	Part int8    // element of a vector register: 1 for .x; 0 for all of it
	Lane Lane    // the parts of a word that a video instruction takes or replaces
	// Pair is the second result of setp, shfl, match and tex: p|q.
	Pair    *Var
	Var     *Var
	Func    *Func
	Label   *Label
	Targets *Targets
	Proto   *Prototype
	Special Special
	// Value is an immediate's bits or an offset in bytes. An integer is extended to 64 bits by its
	// sign; a predicate is 0 or 1. A literal is converted to the type of its operand: 1 is 1.0 for
	// F32 and F64, and 0d3ff0000000000000 is 0x3f800000 for F32. An integer is the bits for F16 and
	// BF16. A float is its bits for a type that is not a float.
	Value uint64
	List  []Operand
}

func (*Instr) stmt()     {}
func (*Label) stmt()     {}
func (*Decl) stmt()      {}
func (*Scope) stmt()     {}
func (*Loc) stmt()       {}
func (*Targets) stmt()   {}
func (*Prototype) stmt() {}
