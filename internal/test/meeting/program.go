package meeting

// Program is a kernel: the tree of a thread's statements, and a launch of one block.
type Program struct {
	Threads int
	// In are the words that a kernel reads. The last ones are never Magic.
	In [Words]uint32
	// N is a parameter that is equal for all threads.
	N     uint32
	Body  Block
	Funcs []*Func
	// Style chooses among texts of equal meaning, as the Style of a statement does.
	Style uint32
}

// Func is a function of two values. Functions call functions that follow them.
type Func struct {
	Body   Block
	Result *Expr
	Inline bool // CUDA C may inline it
}

// Sizes.
const (
	Words = 64 // of the input
	Slots = 64 // words that a thread stores into
	vars  = 4  // variables of a kernel or function

	logSlot   = 32 // the first slot of results of operations between lanes
	finalSlot = 60 // the first slot of a thread's last values
)

// Magic is a word that is not in the input, which compilers cannot know.
const Magic = 0xdead

// Block is a list of statements.
type Block []*Stmt

// Kind is the kind of a statement.
type Kind int

// The kinds of statements.
const (
	Set      Kind = iota // Var = Value
	Store                // out[Slot] = Value
	If                   // Cond: Blocks[0], else Blocks[1]
	Switch               // Value mod len(Blocks) chooses a block
	Loop                 // its blocks, (Value and 7) times or, without Value, until they leave
	Region               // Blocks[0] has jumps to the end, or to the tails that follow it
	Jump                 // to tail Tail of the region To, or to its end (Tail = 0)
	Break                // out of the loop To
	Continue             // the loop To
	End                  // of the thread: out[Slot] = constant, then as How says
	Return               // Value from a function
	Call                 // Var = function Func of Value and Second
	Vote                 // Var = a vote of Cond over the warp, as Form says
	Shuffle              // Var = Value of another lane, as Form says
	Exchange             // Var = Value of thread (id + Amount) mod Threads, through shared memory
	Reduce               // Var = a barrier with a vote of Cond, as Form says
	Barrier              // alone
	Active               // Var = the mask of live lanes
	Masked               // Var = a vote or exchange of the lanes with Cond alone, as Form says
)

// Stmt is a statement.
type Stmt struct {
	Kind   Kind
	Var    int
	Slot   int // -1: nothing is stored
	ID     int // of loops, regions and operations between lanes
	Func   int
	Tail   int
	Amount uint32
	Form   Form
	How    How
	Log    bool // the result of an operation between lanes is stored
	Sync   bool // the form with a mask
	Style  uint32
	Next   []bool
	To     *Stmt
	Value  *Expr
	Second *Expr // of a loop: before each round, a lane comes round (Second and 3) times without it
	Cond   *Cond // of a loop: the first round begins with its second block
	Blocks []Block
}

// Form is a form of an operation between lanes.
type Form int

// Forms.
const (
	All    Form = iota // votes and barriers
	Any                // likewise
	Ballot             // votes; for barriers, the count of threads
	Uni                // votes
	Idx                // exchanges
	Up
	Down
	Bfly
)

// How says how a thread ends.
type How int

// Ends. A thread never comes to a trap.
const (
	Ret How = iota
	Exit
	Trap
	Unreachable // as a trap; a compiler may believe that nothing comes there
)

// Op is an operation of an expression.
type Op byte

// Operations.
const (
	Var   Op = 'v' // N
	Const Op = 'c' // N
	Lane  Op = 't' // of the thread in its block
	Same  Op = 'n' // the parameter
	Input Op = 'i' // in[A mod Words]
	Count Op = 'k' // of the loop Of
	Add   Op = '+'
	Sub   Op = '-'
	Mul   Op = '*'
	Xor   Op = '^'
	And   Op = '&'
	Or    Op = '|'
	Shift Op = '>' // right, by N
)

// Expr is an expression of 32 bits.
type Expr struct {
	Op   Op
	N    uint32
	A, B *Expr
	Of   *Stmt
}

// Cond is a comparison.
type Cond struct {
	Op    string // == != < >=
	A, B  *Expr
	Never bool // no thread finds it true
	Voted bool // it is of a vote's result, so that all find the same
}

// meets reports whether all live threads of a warp or block have to come together.
func (s *Stmt) meets() bool { return s.Kind >= Vote }

// blockwide reports whether a statement is a meeting of the block and not of a warp.
func (s *Stmt) blockwide() bool {
	return s.Kind == Exchange || s.Kind == Reduce || s.Kind == Barrier
}
