package code

import "jacquard/tesla"

// Class is a set of physical registers.
type Class uint8

// The classes.
const (
	Word Class = iota // $r, 32 bits
	Cond              // $c0 .. $c3, four flags each
	Addr              // $a1 .. $a4, 16 bits
)

// Reg is a virtual register: an index in Func.Regs. The zero Reg is none.
type Reg int32

// RegInfo describes a virtual register.
type RegInfo struct {
	Class Class
	// Fixed is the physical register + 1 that the virtual register must be, or 0. The only value
	// that enters a kernel is in $r0.
	Fixed uint8
	// Low restricts a Word to $r0 .. $r63, which 16-bit halves and immediate forms need.
	Low bool
	// Open says that on some ways to its readers nothing gives the register a value, as the text
	// leaves it open.
	Open bool
}

// Func is the code of a kernel.
type Func struct {
	Name   string
	Arch   tesla.Arch
	Blocks []*Block  // Blocks[0] is the entry
	Regs   []RegInfo // by Reg; Regs[0] is unused
	// MaxRegs is the most physical Word registers that the kernel may use, 1 .. tesla.MaxRegisters.
	MaxRegs int
	// Local is the local memory of a thread in bytes. Spills are put behind it.
	Local int
	// Literals are the words of bank 1 so far. Spill code and later passes may append.
	Literals []uint32
	// Constant is the number of bytes at the start of s[] that the kernel never writes: values of
	// the launch and parameters. Loads from there may be repeated.
	Constant int
	// Gather asks for Dispatch, whatever regions can do.
	Gather bool
	// Dispatch is the block at which all live lanes of a warp meet before they go on to the blocks
	// with Meet; nil if lanes meet by themselves.
	Dispatch *Block
	// Verify has allocation check that every instruction finds the values that it should.
	Verify bool

	physical      bool // the instructions name physical registers
	registersUsed int  // Words, once they have been allocated
	spills        Spills
}

// NewReg adds a virtual register.
func (f *Func) NewReg(c Class) Reg {
	f.Regs = append(f.Regs, RegInfo{Class: c})
	return Reg(len(f.Regs) - 1)
}

// Block is a basic block: instructions without control flow, and how it ends.
type Block struct {
	ID    int // index in Func.Blocks
	Code  []Instr
	End   End
	Depth int // number of loops around the block, as an estimate of how often it runs: 8^Depth
	// Meet says that the live lanes of a warp must be together at the start of the block: lanes look
	// at each other in it, or it has a barrier.
	Meet bool
	// All says that all live lanes of a warp come to the block, however they were parted: it has a
	// barrier, or the text names all lanes.
	All bool
	// Bar says that it is a barrier, before which lanes that never come to another one end.
	Bar bool

	// dispatches: the block is part of Func.Dispatch.
	dispatches bool
	// waits: lanes wait in the empty block until others of their warp have ended.
	waits bool
	// joins is the number of joins at the start of the block: more than one if regions within each
	// other end there.
	joins int
	// joinAts are the blocks that the end announces, where lanes meet: the outermost region first.
	joinAts []announcement
	// pops is the number of regions, by way out of the block, that end at the block there.
	pops [2]int
	// breaks: lanes go that way by a break.
	breaks [2]bool
	// partly: on some ways to the block fewer regions end than on others.
	partly bool
	// hosted: the first instruction is the last join.
	hosted bool
}

// announcement is a joinat or a breakaddr: the block where lanes meet, and which of its joins
// counted from the last they come to.
type announcement struct {
	at    *Block
	joins int
	loop  bool // a breakaddr: lanes get there by breaks
}

// EndKind is how a block ends.
type EndKind uint8

// The ends.
const (
	Jump   EndKind = iota // to To[0]
	Branch                // lanes for which Guard holds go to To[0], the others to To[1]
	Exit                  // the active lanes finish
	Trap                  // the launch fails
)

// End is the end of a block.
type End struct {
	Kind  EndKind
	Guard Guard
	To    [2]*Block
	// Uniform says that all lanes of a warp that get here go the same way.
	Uniform bool
	Line    Line

	guard tesla.Guard // with the physical register
}

// Guard is a condition on a virtual register of class Cond. The zero Guard always holds.
type Guard struct {
	Reg  Reg
	Cond tesla.Cond
}

// Line is a place in a source file: a number from the module's list of files and a line. The zero
// Line is unknown. Scope is an index in ir.Func.Scopes.
type Line struct{ File, Line, Scope int32 }

// Instr is an instruction. In says everything but the registers: its register operands have the
// right Kind (Reg, Half, Pair, Quadruple, AddrReg, CondReg, Shared with Base, ...), and their
// numbers are set when registers are allocated. In.Guard, In.CDst, In.CarryIn and the registers in
// In.Dst and In.Src are zero until then; In.CDst and In.CarryIn are taken from CDst and CarryIn.
//
// The registers of one operand of two or four words must become consecutive physical registers,
// the first a multiple of their number (of 4 for three words, as in textures).
type Instr struct {
	In  tesla.Instruction
	Dst Operand
	Src [3]Operand
	// Guard: lanes for which it fails keep the old value of the destinations, so a guarded
	// instruction also reads its destinations.
	Guard   Guard
	CDst    Reg // flags written, 0 for none
	CarryIn Reg // flags read by addc
	// Tied says that Dst and Src[0] are the same physical registers from the first on (textures).
	Tied bool
	// First says that nothing reads what Dst held before, although the guard may fail or Dst is a
	// half. It saves a register in loops; elsewhere the passes find out for themselves.
	First bool
	// Copy marks a move of a whole Word between virtual registers without any other effect: it
	// disappears when both get the same physical register.
	Copy bool
	// Parallel is not zero in copies that happen at the same time: all copies of a run with the
	// same number read before any writes.
	Parallel int32
	Line     Line
}

// Operand is the registers of an operand. All fields are zero for immediates and for memory without
// registers.
type Operand struct {
	// Regs are the Words of the operand, lowest first, in an address of g[] the one that holds the
	// address; or one Cond for CondReg, one Addr for AddrReg.
	Regs [4]Reg
	// High selects the upper half of Regs[0] for Kind Half; else the lower.
	High bool
	// Base is the Addr in s[$a+4], c0[$a+4] or l[$a+4].
	Base Reg
}
