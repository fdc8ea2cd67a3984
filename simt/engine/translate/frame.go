package translate

import (
	"unsafe"

	"jacquard/simt/branch"
	"jacquard/simt/engine"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// frame is shared by Go and translated code: the code addresses its fields. It is in the heap, and
// one engine uses it. Addresses point to memory that the machine state keeps.
type frame struct {
	control uint32 // control register under which the code runs: see hostcode
	_       uint32

	target   uint64  // offset of the code to go to
	regs     uintptr // the warp's registers
	rows     uintptr // the launch's rows
	flags    uintptr // the warp's first condition register
	issues   uintptr // Counts.Issues of the lanes that run
	taken    uintptr // Counts.Taken of the lanes that run
	notTaken uintptr // Counts.NotTaken
	off      uintptr // Counts.Off
	access   uintptr // Counts.Access
	sites    uintptr // the engine's
	patterns uintptr // the engine's
	views    uintptr // the engine's
	desk     *desk   // the engine's, for reads of textures
	shared   uintptr // the block's shared memory
	local    uintptr // the warp's local memory
	constant [16]uintptr
	tells    uintptr // Turn.Tells

	room  uint64 // steps after which no control instruction is issued
	steps uint64 // issued so far
	clock uint64 // time of the first instruction

	sharedSize uint32
	localSize  uint32
	constSize  [16]uint32
	mask       uint32 // the lanes that run
	halves     uint32 // half-warps with a lane that runs
	heeds      uint32 // not 0: the turn ends before an instruction that overwrites
	stop       uint32 // index at which the policy must be asked
	pattern    uint32 // of the present access: its offset in bytes from patterns
	guard      uint32 // the lanes for which the present instruction's guard holds
	at         int32  // out: the next instruction
	exit       uint32 // out: why the code left

	warps

	depth     uint32 // regions open
	mostDepth uint32 // regions that may be open
	deepest   uint32 // the most regions open at once
	moved     uint32 // bytes of moves in use
	movedFrom uint32 // where the moves of the turn begin, or someMoved
	side      uint32 // the lanes of a side of a fork
	other     uint32 // the lanes of the other side
	tokens    [mostTokens]token
	held      [mostTokens]held
	moves     [mostMoves]engine.Move
	parked    [lane.MaxWarps]parked
	images    [8]*image // by variant, nil until they are used

	issuesOf [lane.Width + 1]uintptr // Counts.Issues by lanes, 0 where code must not go on
	takenOf  [lane.Width + 1]uintptr // Counts.Taken by lanes, where issuesOf is not 0

	noted

	lanes   lane.Row    // all ones in the lanes that run
	scratch [8]lane.Row // of single instructions

	addresses lane.Row    // of an access: AVX2
	data      [4]lane.Row // of an access, word by word: AVX2, and elements of several words
}

// warps is what code needs to go from warp to warp.
type warps struct {
	relay      *engine.Relay // nil: one warp has its turn
	warp       uint64        // whose turn it is
	regsOf     uintptr       // warp 0's registers
	flagsOf    uintptr       // warp 0's first condition register
	localOf    uintptr       // warp 0's local memory
	regsBytes  uint64        // from one warp's to the next
	localBytes uint64        // the same
	waited     uintptr       // Counts.Waited
}

// noted is what the code notes for those who watch, and for policies that count.
type noted struct {
	watch    uintptr   // the engine's list of what they want: see watched.go
	cut      uintptr   // where the next cut is noted
	mostCut  uintptr   // where code leaves rather than note cuts
	kept     uintptr   // where the next entry of machine.Kept is written
	mostKept uintptr   // where code leaves rather than write entries
	branches uint32    // passed
	_        [5]uint32 // the rows behind are whole cache lines: see TestFrameRows
}

// token is an open region: of an announcement up to its join, or to the target of its break; of a
// call; or of the lanes that do not take a branch.
type token struct {
	at int32 // the announcement or the branch
	to int32 // where a break leads, or toJoin, toOther or toCaller
}

const (
	toJoin   = -1
	toOther  = -2
	toCaller = -3
)

// held is the rest of a token's region.
type held struct {
	lanes lane.Mask // of the region
	waits lane.Mask // lanes that wait at the join or behind the break
}

// region returns the region of a warp that a token stands for.
func (t token) region(warp int, h held) engine.Region {
	return engine.Region{Warp: warp, At: t.at, Lanes: h.lanes, Waits: h.waits}
}

// tokenOf returns the token that an announcement, a call or a branch leaves.
func tokenOf(u *program.Op) token {
	switch u.Event {
	case branch.BreakAddr:
		return token{u.At, u.To}
	case branch.JoinAt:
		return token{u.At, toJoin}
	case branch.Branch:
		return token{u.At, toOther}
	}
	return token{u.At, toCaller}
}

const (
	mostTokens = 64
	mostMoves  = 256  // room of the frame
	allMoves   = 4096 // of a turn, roughly
	moveBytes  = int64(unsafe.Sizeof(engine.Move{}))
)

// takeMoves appends the moves of the frame to list, and leaves none.
func (f *frame) takeMoves(list []engine.Move) []engine.Move {
	if f.moved == 0 {
		return list
	}
	list = append(list, f.moves[:int64(f.moved)/moveBytes]...)
	if f.movedFrom != f.moved {
		f.movedFrom = someMoved
	} else {
		f.movedFrom = 0
	}
	f.moved = 0
	return list
}

// someMoved is frame.movedFrom if the turn had moves that are no longer in the frame.
const someMoved = 1 << 31

// parked holds the regions of a warp whose turn is over.
type parked struct {
	tokens [mostParked]token
	held   [mostParked]held
}

// mostParked is how many regions a warp may have open when its turn ends.
const mostParked = 8

// Why translated code left.
const (
	exitControl uint32 = iota // the instruction at frame.at is the schedule's
	exitSlow                  // the interpreter executes the instruction at frame.at
	exitDone                  // a single instruction has been executed
	exitOver                  // the turns of all warps that the code may run are over
	exitFull                  // the list of moves is full
	exitBefore                // a hook wants to know what the instruction at frame.at accesses
)

// The general registers of translated code. RAX, RCX, RDX and R8 to R11 are scratch.
const (
	regFrame  = x86.RDI
	regRows   = x86.RSI // regs + rowBias
	regMask   = x86.RBX // the lanes that run
	regShared = x86.RBP
	regIssues = x86.R12
	regSteps  = x86.R13 // issued before the instructions that emitter.pending counts
	regLaunch = x86.R14 // the launch's rows
	regFlags  = x86.R15
)

// The mask registers of AVX-512 code: the two halves of the lanes that run.
const (
	maskLow, maskHigh = 1, 2
)

const (
	rowBytes = int32(unsafe.Sizeof(lane.Row{}))
	// rowBias lets one byte of displacement reach all registers, in units of 64 bytes.
	rowBias = 64 * rowBytes
)

// field returns the operand of a field of the frame.
func field(offset uintptr) x86.Operand { return x86.At(regFrame, int32(offset)) }

// The fields as operands.
var (
	frTarget   = field(unsafe.Offsetof(frame{}.target))
	frRegs     = field(unsafe.Offsetof(frame{}.regs))
	frRows     = field(unsafe.Offsetof(frame{}.rows))
	frFlags    = field(unsafe.Offsetof(frame{}.flags))
	frIssues   = field(unsafe.Offsetof(frame{}.issues))
	frTaken    = field(unsafe.Offsetof(frame{}.taken))
	frNotTaken = field(unsafe.Offsetof(frame{}.notTaken))
	frOff      = field(unsafe.Offsetof(frame{}.off))
	frAccess   = field(unsafe.Offsetof(frame{}.access))
	frSites    = field(unsafe.Offsetof(frame{}.sites))
	frPatterns = field(unsafe.Offsetof(frame{}.patterns))
	frPattern  = field(unsafe.Offsetof(frame{}.pattern))
	frViews    = field(unsafe.Offsetof(frame{}.views))
	frDesk     = field(unsafe.Offsetof(frame{}.desk))
	frShared   = field(unsafe.Offsetof(frame{}.shared))
	frLocal    = field(unsafe.Offsetof(frame{}.local))
	frRoom     = field(unsafe.Offsetof(frame{}.room))
	frClock    = field(unsafe.Offsetof(frame{}.clock))
	frSteps    = field(unsafe.Offsetof(frame{}.steps))
	frMask     = field(unsafe.Offsetof(frame{}.mask))
	frHalves   = field(unsafe.Offsetof(frame{}.halves))
	frWatch    = field(unsafe.Offsetof(frame{}.watch))
	frTells    = field(unsafe.Offsetof(frame{}.tells))
	frHeeds    = field(unsafe.Offsetof(frame{}.heeds))
	frStop     = field(unsafe.Offsetof(frame{}.stop))
	frGuard    = field(unsafe.Offsetof(frame{}.guard))
	frBranches = field(unsafe.Offsetof(frame{}.branches))
	frAt       = field(unsafe.Offsetof(frame{}.at))
	frExit     = field(unsafe.Offsetof(frame{}.exit))

	frRelay      = field(unsafe.Offsetof(frame{}.relay))
	frWarp       = field(unsafe.Offsetof(frame{}.warp))
	frRegsOf     = field(unsafe.Offsetof(frame{}.regsOf))
	frFlagsOf    = field(unsafe.Offsetof(frame{}.flagsOf))
	frLocalOf    = field(unsafe.Offsetof(frame{}.localOf))
	frRegsBytes  = field(unsafe.Offsetof(frame{}.regsBytes))
	frLocalBytes = field(unsafe.Offsetof(frame{}.localBytes))
	frWaited     = field(unsafe.Offsetof(frame{}.waited))

	frDepth     = field(unsafe.Offsetof(frame{}.depth))
	frMostDepth = field(unsafe.Offsetof(frame{}.mostDepth))
	frDeepest   = field(unsafe.Offsetof(frame{}.deepest))
	frMoved     = field(unsafe.Offsetof(frame{}.moved))
	frMovedFrom = field(unsafe.Offsetof(frame{}.movedFrom))
	frSide      = field(unsafe.Offsetof(frame{}.side))
	frOther     = field(unsafe.Offsetof(frame{}.other))
	frTokens    = field(unsafe.Offsetof(frame{}.tokens))
	frHeld      = field(unsafe.Offsetof(frame{}.held))
	frMoves     = field(unsafe.Offsetof(frame{}.moves))
	frCut       = field(unsafe.Offsetof(frame{}.cut))
	frMostCut   = field(unsafe.Offsetof(frame{}.mostCut))
	frKept      = field(unsafe.Offsetof(frame{}.kept))
	frMostKept  = field(unsafe.Offsetof(frame{}.mostKept))
	frImages    = field(unsafe.Offsetof(frame{}.images))
	frIssuesOf  = field(unsafe.Offsetof(frame{}.issuesOf))
	frTakenOf   = field(unsafe.Offsetof(frame{}.takenOf))

	frSharedSize = field(unsafe.Offsetof(frame{}.sharedSize))
	frLocalSize  = field(unsafe.Offsetof(frame{}.localSize))
)

// constantAt returns the operands of the address and the size of a constant bank.
func constantAt(bank uint8) (address, size x86.Operand) {
	return field(unsafe.Offsetof(frame{}.constant) + 8*uintptr(bank)), field(unsafe.Offsetof(frame{}.constSize) + 4*uintptr(bank))
}

// scratchAt returns the operand of a word of a scratch row.
func scratchAt(row int, offset int32) x86.Operand {
	return field(unsafe.Offsetof(frame{}.scratch) + uintptr(row)*uintptr(rowBytes) + uintptr(offset))
}

// addressesAt returns the operand of a word of the addresses of an access.
func addressesAt(offset int32) x86.Operand {
	return field(unsafe.Offsetof(frame{}.addresses) + uintptr(offset))
}

// dataAt returns the operand of a word of the data of an access.
func dataAt(word int, offset int32) x86.Operand {
	return field(unsafe.Offsetof(frame{}.data) + uintptr(word)*uintptr(rowBytes) + uintptr(offset))
}

// lanesAt returns the operand of a part of the lanes that run, as words.
func lanesAt(offset int32) x86.Operand {
	return field(unsafe.Offsetof(frame{}.lanes) + uintptr(offset))
}
